// A command line, an argument a line: it is read, or what is wrong is said, and nothing is done.

#include "cli/command_line.hpp"
#include "cli/command.hpp"
#include "cli/limits.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace zug::cli;
    std::vector<std::string> words{"zug", ""};
    for (const char c : std::string(reinterpret_cast<const char*>(data), size))
        if (c == '\n')
            words.emplace_back();
        else if (c != 0)
            words.back() += c;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    CommandLine line;
    Limits limits;
    const auto runs = add_commands(line, limits);
    const auto outcome = line.read(static_cast<int>(words.size()), arguments.data());
    if (outcome == CommandLine::Outcome::Read)
        zug::fuzz::require(line.chosen() <= runs.size(), "at most one command is chosen");
    return 0;
}
