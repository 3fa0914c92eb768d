#pragma once
// The commands. Each add_ function adds a subcommand with its options to the program's command line, and returns what
// it does once the command line has been read.

#include <concepts>
#include <functional>
#include <utility>
#include <vector>

namespace zug::cli {

class Command;
class CommandLine;

struct Run {
    template <std::invocable Work>
    Run(Work command, std::function<bool()> before = {}) : work(std::move(command)), first(std::move(before)) {}

    std::function<int()> work;   // returns the exit code
    std::function<bool()> first; // before the limits are enforced; false: it failed, which was told. Empty: nothing
};

// All of them, in the order of the help page, with the options that all have (limits.hpp).
struct Limits;
std::vector<Run> add_commands(CommandLine& line, Limits& limits);

Run add_play(Command& program);
Run add_check(Command& program);
Run add_search(Command& program);
Run add_tree(Command& program);
Run add_draw(Command& program);
Run add_solve(Command& program);
Run add_query(Command& program);
Run add_match(Command& program);
Run add_tournament(Command& program);
Run add_uci(Command& program);
Run add_gtp(Command& program);
Run add_engine(Command& program);
Run add_web(Command& program);
Run add_lsp(Command& program);
Run add_replay(Command& program);
Run add_book(Command& program);
Run add_learn(Command& program);
Run add_perft(Command& program);
Run add_bench(Command& program);
Run add_info(Command& program);
Run add_list(Command& program);
Run add_fmt(Command& program);
Run add_help(Command& program);

} // namespace zug::cli
