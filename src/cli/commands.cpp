#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/limits.hpp"

#include <array>

namespace zug::cli {

std::vector<Run> add_commands(CommandLine& line, Limits& limits) {
    Command program = line.program();
    program.set_footer("`zug COMMAND --help` shows the options of a command and an example.");
    static constexpr std::array commands = {add_play,  add_check, add_search,     add_tree, add_draw,  add_solve,
                                            add_query, add_match, add_tournament, add_uci,  add_gtp,   add_engine,
                                            add_web,   add_lsp,   add_replay,     add_book, add_learn, add_perft,
                                            add_bench, add_info,  add_list,       add_fmt,  add_help};
    std::vector<Run> runs;
    for (const auto& add : commands) runs.push_back(add(program));
    for (Command& command : line.commands()) add_limit_options(command, limits);
    return runs;
}

} // namespace zug::cli
