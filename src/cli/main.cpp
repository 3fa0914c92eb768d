#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"

#include <array>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using namespace zug::cli;

int run(int argc, char** argv) {
    CommandLine line("Zug plays any game that a rule file describes.", "zug", "zug " ZUG_VERSION);
    Command program = line.program();
    program.set_footer("`zug COMMAND --help` shows the options of a command and an example.");

    // The order of the help page.
    static constexpr std::array commands = {add_play,   add_check, add_search, add_solve, add_query, add_match,
                                            add_replay, add_perft, add_bench,  add_info,  add_list,  add_fmt};
    std::vector<Run> runs;
    for (const auto& add : commands) runs.push_back(add(program));
    Limits limits;
    for (Command& command : line.commands()) add_limit_options(command, limits);
    switch (line.read(argc, argv)) {
    case CommandLine::Outcome::Told: return exit_fine;
    case CommandLine::Outcome::Wrong: return exit_usage;
    case CommandLine::Outcome::Read: break;
    }
    if (const std::size_t chosen = line.chosen(); chosen < runs.size()) {
        enforce(limits);
        const int code = runs[chosen]();
        if (!out_of_time() || code != exit_interrupted) return code;
        complain(time_message());
        return exit_failed;
    }
    write_error(line.help());
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
    } catch (const std::bad_alloc&) { // of a size that no memory has
        out_of_memory();
    } catch (const std::length_error&) {
        out_of_memory();
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return exit_failed;
}
