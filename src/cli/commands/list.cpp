#include "cli/command.hpp"
#include "cli/options.hpp"

#include <algorithm>
#include <memory>

namespace zug::cli {

namespace {

namespace fs = std::filesystem;

struct Row {
    std::string name, title, players, file;
    bool chance = false;
};

// A file with errors is still listed: its owner looks for it here.
Row describe(const fs::path& file) {
    Row row{file.stem().string(), "(has errors: see `zug check`)", "", file.string()};
    const lang::Loaded loaded = lang::load_file(file.string(), {}, search_folders());
    if (!loaded.program) return row;
    const ir::Program& program = *loaded.program;
    row.title = program.title;
    row.players = std::to_string(program.players.size());
    row.chance = std::ranges::any_of(program.rules, [](const ir::Rule& rule) { return rule.chance; });
    return row;
}

int list(bool json) {
    const auto files = rule_files();
    if (files.empty()) {
        complain("no rule files found");
        return exit_failed;
    }
    std::vector<Row> rows;
    std::size_t name_width = 0, title_width = 0;
    for (const auto& file : files) {
        rows.push_back(describe(file));
        name_width = std::max(name_width, rows.back().name.size());
        title_width = std::max(title_width, rows.back().title.size());
    }
    Json array = Json::array();
    for (const Row& row : rows) {
        if (json) {
            array.push_back({{"name", row.name},
                             {"title", row.title},
                             {"players", row.players},
                             {"chance", row.chance},
                             {"file", row.file}});
            continue;
        }
        const std::string players = row.players.empty()  ? ""
                                    : row.players == "1" ? "1 player"
                                                         : row.players + " players";
        say("{:{}}  {:{}}  {}{}\n", row.name, name_width, row.title, title_width, players,
            row.chance ? ", chance" : "");
    }
    if (json) print_json(array);
    return exit_fine;
}

} // namespace

Run add_list(Command& program) {
    Command app = program.add_command("list", "The games that come with Zug");
    auto json = std::make_shared<bool>(false);
    add_json_flag(app, *json);
    add_example(app, "zug list");
    return [json] { return list(*json); };
}

} // namespace zug::cli
