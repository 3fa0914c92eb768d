#pragma once
// The commands. Each add_ function adds a subcommand with its options to the program's command line, and returns the
// function that runs it once the command line has been read. That function returns the exit code.

#include <functional>
#include <vector>

namespace zug::cli {

class Command;
class CommandLine;

using Run = std::function<int()>;

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
