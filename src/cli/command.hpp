#pragma once
// The commands. Each add_ function adds its subcommand with its options to the program's command line, and returns what
// runs it once the line has been read; that gives the exit code.

#include <functional>

namespace CLI {
class App;
}

namespace zug::cli {

using Run = std::function<int()>;

Run add_play(CLI::App& program);
Run add_check(CLI::App& program);
Run add_search(CLI::App& program);
Run add_solve(CLI::App& program);
Run add_query(CLI::App& program);
Run add_match(CLI::App& program);
Run add_replay(CLI::App& program);
Run add_perft(CLI::App& program);
Run add_bench(CLI::App& program);
Run add_info(CLI::App& program);
Run add_list(CLI::App& program);
Run add_fmt(CLI::App& program);

} // namespace zug::cli
