#pragma once
// Tables of expected facts: tab-separated text whose first line names the columns, then one fact per line.

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
// Those to be checked where a row takes long: with sanitizers one in so many.
std::vector<Row> read_some_of_tables(const std::string& folder);

// "width=4 height=4" as overrides.
lang::Overrides parse_params(const std::string& text);

std::filesystem::path rules_folder();
std::vector<std::filesystem::path> rule_files(); // those of rules/ without the prelude, by name

// The largest counts that the two executors are asked for in an ordinary run: the reference executor is some hundred
// times slower, and a build with sanitizers some ten times.
#ifdef ZUG_SANITIZED
inline constexpr std::uint64_t interpreter_limit = 20'000, reference_limit = 60;
#else
inline constexpr std::uint64_t interpreter_limit = UINT64_MAX, reference_limit = 500;
#endif

// Rows marked slow are checked only on demand: ZUG_SLOW=1 in the environment.
bool is_skipped(const Row& row);

// The game of a row, and a position of it: "start", a line of moves from there, or a position as text. They throw where
// the row is wrong.
game::Game load(const Row& row, game::ExecutorKind kind = game::ExecutorKind::Interpreter);
game::State position(game::Game& game, const std::string& line);

// What a failed check shows: file, parameters, position.
std::string describe(const Row& row);

} // namespace zug::data
