#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"

#include <array>
#include <exception>
#include <utility>
#include <vector>

namespace {

using namespace zug::cli;

int run(int argc, char** argv) {
    CLI::App program("Zug plays any game that a rule file describes.", "zug");
    program.set_version_flag("--version", "zug " ZUG_VERSION);
    program.require_subcommand(0, 1);
    program.footer("`zug COMMAND --help` shows the options of a command and an example.");

    // The order of the help page.
    static constexpr std::array commands = {add_play,   add_check, add_search, add_solve, add_query, add_match,
                                            add_replay, add_perft, add_bench,  add_info,  add_list,  add_fmt};
    std::vector<Run> runs;
    for (const auto& add : commands) runs.push_back(add(program));
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // --help and --version are reported the same way, with code 0.
        return program.exit(error) == 0 ? exit_fine : exit_usage;
    }
    const auto subcommands = program.get_subcommands([](const CLI::App*) { return true; });
    for (std::size_t i = 0; i < subcommands.size(); ++i)
        if (subcommands[i]->parsed()) return runs[i]();
    write_error(program.help());
    return exit_usage;
}

} // namespace

int main(int argc, char** argv) {
    set_up_streams();
    watch_interrupts();
    try {
        const int code = run(argc, argv);
        flush();
        return code;
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return exit_failed;
}
