#pragma once
// Tables of expected facts: tab-separated text, the first line names the columns, one fact a line after it.

#include "game/game.hpp"
#include "lang/load.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace zug::data {

using Row = std::map<std::string, std::string>; // by column

// Every row of every .tsv file in tests/<folder>, files in order of their names. Throws where a row has more or fewer
// fields than the first line.
std::vector<Row> read_tables(const std::string& folder);

// "width=4 height=4" as overrides.
lang::Overrides parse_params(const std::string& text);

std::filesystem::path rules_folder();

// Rows marked slow are checked only on demand: ZUG_SLOW=1 in the environment.
bool is_skipped(const Row& row);

// The game that a row speaks of, and a position of it: "start", a line of moves from there, or a position as text. They
// throw what is wrong.
game::Game load(const Row& row, game::ExecutorKind kind = game::ExecutorKind::Interpreter);
game::State position(game::Game& game, const std::string& line);

// What a failed check shows: file, parameters, position.
std::string describe(const Row& row);

} // namespace zug::data
