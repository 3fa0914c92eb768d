#include "facts.hpp"

#include "tests/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace zug::data {

namespace {

std::vector<std::string> split(const std::string& line, char mark) {
    std::vector<std::string> fields{""};
    for (const char c : line) {
        if (c == mark) {
            fields.emplace_back();
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return fields;
}

} // namespace

std::vector<Row> read_tables(const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(ZUG_SOURCE_DIR) / "tests" / folder;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
        if (entry.path().extension() == ".tsv") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());

    std::vector<Row> rows;
    for (const auto& file : files) {
        std::ifstream in(file);
        std::string line;
        std::getline(in, line);
        const std::vector<std::string> columns = split(line, '\t');
        while (std::getline(in, line)) {
            const std::vector<std::string> fields = split(line, '\t');
            if (fields.size() != columns.size()) throw std::runtime_error(file.string() + ": " + line);
            Row row;
            for (std::size_t i = 0; i < fields.size(); ++i) row[columns[i]] = fields[i];
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<Row> read_some_of_tables(const std::string& folder) {
    const std::vector<Row> rows = read_tables(folder);
    std::vector<Row> some;
    for (std::size_t i = 0; i < rows.size(); i += test::one_in) some.push_back(rows[i]);
    return some;
}

lang::Overrides parse_params(const std::string& text) {
    lang::Overrides overrides;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) throw std::runtime_error("not name=value: " + word);
        overrides[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return overrides;
}

std::filesystem::path rules_folder() { return std::filesystem::path(ZUG_SOURCE_DIR) / "rules"; }

std::vector<std::filesystem::path> rule_files() { return test::sample(test::library(), 1); }

bool is_skipped(const Row& row) { return row.at("slow") == "yes" && std::getenv("ZUG_SLOW") == nullptr; }

game::Game load(const Row& row, game::ExecutorKind kind) {
    // Tables have many rows of a game, and compiling it takes longer than most of them.
    static std::map<std::tuple<std::string, std::string, game::ExecutorKind>, game::Game> games;
    const auto& [file, params] = std::tie(row.at("file"), row.at("params"));
    const auto known = games.find({file, params, kind});
    if (known != games.end()) return known->second.clone();
    const lang::Loaded loaded = lang::load_file((rules_folder() / file).string(), parse_params(params));
    if (!loaded.program) throw std::runtime_error(diag::render(loaded.sources, loaded.report));
    return games.try_emplace({file, params, kind}, loaded.program, kind).first->second.clone();
}

game::State position(game::Game& game, const std::string& line) {
    if (line == "start") return game.initial();
    auto reached = game.play_line(game.initial(), line);
    if (reached) return *reached;
    auto read = game.parse_position(line);
    if (!read)
        throw std::runtime_error(line + ": no moves, since " + reached.error().text + "; no position, since " +
                                 read.error().text);
    return *read;
}

std::string describe(const Row& row) {
    std::string text = row.at("file");
    for (const char* column : {"params", "position", "depth"}) {
        if (!row.at(column).empty()) text += std::string(", ") + column + " " + row.at(column);
    }
    return text;
}

} // namespace zug::data
