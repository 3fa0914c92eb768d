#include "cli/command.hpp"
#include "cli/options.hpp"

#include <algorithm>
#include <memory>

namespace zug::cli {

namespace {

namespace fs = std::filesystem;

struct GameEntry {
    std::string name, title, players, file;
    bool chance = false;
};

// A file with errors is listed too: its author looks for it here.
GameEntry describe(const fs::path& file) {
    GameEntry entry{file.stem().string(), "(has errors: see `zug check`)", "", file.string()};
    const lang::Loaded loaded = lang::load_file(file.string(), {}, search_folders());
    if (!loaded.program) return entry;
    const ir::Program& program = *loaded.program;
    entry.title = program.title;
    entry.players = std::to_string(program.players.size());
    entry.chance = std::ranges::any_of(program.rules, [](const ir::Rule& rule) { return rule.chance; });
    return entry;
}

int list(bool json) {
    const auto files = rule_files();
    if (!files) return files.error();
    if (files->empty()) {
        complain("no rule files found");
        return exit_failed;
    }
    std::vector<GameEntry> entries;
    std::size_t name_width = 0, title_width = 0;
    for (const auto& file : *files) {
        entries.push_back(describe(file));
        name_width = std::max(name_width, entries.back().name.size());
        title_width = std::max(title_width, entries.back().title.size());
    }
    Json array = Json::array();
    for (const GameEntry& entry : entries) {
        if (json) {
            array.push_back({{"name", entry.name},
                             {"title", entry.title},
                             {"players", entry.players},
                             {"chance", entry.chance},
                             {"file", entry.file}});
            continue;
        }
        const std::string players = entry.players.empty()  ? ""
                                    : entry.players == "1" ? "1 player"
                                                           : entry.players + " players";
        say("{:{}}  {:{}}  {}{}\n", entry.name, name_width, entry.title, title_width, players,
            entry.chance ? ", chance" : "");
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
