#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace zug::cli;

int run(int argc, char** argv) {
    CommandLine line;
    Limits limits;
    const std::vector<Run> runs = add_commands(line, limits);
    switch (line.read(argc, argv)) {
    case CommandLine::Outcome::Told: return exit_fine;
    case CommandLine::Outcome::Wrong: return exit_usage;
    case CommandLine::Outcome::Read: break;
    }
    if (const std::size_t chosen = line.chosen(); chosen < runs.size()) {
        const std::vector<std::string> words(argv + 1, argv + argc);
        const Run& command = runs[chosen];
        if (command.first && !command.first()) return exit_failed;
        if (!enforce(limits, line.commands()[chosen], words)) return exit_failed;
        const int code = command.work();
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
        die_of_signal();
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
