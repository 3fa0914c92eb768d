#pragma once
// The options that mean the same in every command, and the game and position that they specify.

#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "diag/diagnostic.hpp"
#include "game/game.hpp"
#include "lang/load.hpp"

#include <tl/expected.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace zug::cli {

struct GameOptions {
    std::string file;
    std::vector<std::string> defines; // name=value
    std::string executor;             // empty: the fastest available
    bool measured = false;            // for benchmarks: native means optimised machine code from the start
    std::string position;
    std::string moves;
};

// What can run the rules, slowest first.
inline constexpr std::array<std::string_view, 3> executor_names = {"reference", "interpreter", "native"};

// FILE, -D and --executor.
void add_game_options(Command& app, GameOptions& options);
// -D and --import-from. `help`: the description of -D, if it does more than set a parameter.
void add_define_option(Command& app, std::vector<std::string>& defines, const std::string& help = {});
void add_executor_option(Command& app, std::string& executor);
game::ExecutorKind executor_kind(const std::string& name, bool measured = false);
// --position and --moves: where to start from.
void add_start_options(Command& app, GameOptions& options);
void add_seed_option(Command& app, std::uint64_t& seed);
void add_threads_option(Command& app, std::uint32_t& threads, const std::string& help);
// A time in seconds, or with one of the units ms, s, m, h.
enum class Zero : std::uint8_t { Refused, Allowed };
Argument add_time_option(Command& app, const std::string& name, double& seconds, const std::string& help,
                         Zero zero = Zero::Refused);
// A number of bytes, as in 512M or 1.5G (units are powers of 1024).
Argument add_bytes_option(Command& app, const std::string& name, std::uint64_t& bytes, const std::string& help);
void add_json_flag(Command& app, bool& json);
void add_example(Command& app, std::string_view text);

// The folders that `import` and `extends` search after the file's own: those of --import-from and that of the rule
// files that come with the program (protocols/session/library.hpp).
lang::Folders search_folders();
// Those rule files, sorted by name. An exit code: the folder can't be read, which the user was told.
tl::expected<std::vector<std::filesystem::path>, int> rule_files();
// The same without telling the user.
tl::expected<std::vector<std::filesystem::path>, Error> library_files();
tl::expected<std::string, Error> rule_file_named(const std::string& name);
// A path as given, or the file in rules/ that a bare name such as `tic-tac-toe` stands for. On failure, prints the
// reason and returns the exit code.
tl::expected<std::string, int> find_rule_file(const std::string& name);
tl::expected<lang::Overrides, int> parse_defines(const std::vector<std::string>& defines);

// Loads a file found by find_rule_file and prints its diagnostics, including warnings, to standard error.
lang::Loaded load_and_report(const std::string& path, const lang::Overrides& overrides);
// The same, where there is nothing to do without a program. Exit codes as in find_rule_file.
tl::expected<lang::Loaded, int> load_rules(const std::string& path, const lang::Overrides& overrides);

// The exit code for a load with errors: exit_usage for a wrong -D, which the loader reports as a source of its own,
// else exit_failed.
int load_failure(const lang::Loaded& loaded);

struct OpenGame {
    game::Game game;
    game::State start;          // after --position and --moves
    diag::Sources sources = {}; // of the rules, if they were read here
};
tl::expected<OpenGame, int> open_game(const GameOptions& options);
// For players: the game offers the evaluation that was learned for it. One that can't be read is told, and no more.
tl::expected<OpenGame, int> open_to_play(const GameOptions& options);
// The same in two steps, to run one program by several executors.
tl::expected<std::shared_ptr<const ir::Program>, int> load_game(const GameOptions& options);
tl::expected<OpenGame, int> open_game(std::shared_ptr<const ir::Program> program, const GameOptions& options);

} // namespace zug::cli
