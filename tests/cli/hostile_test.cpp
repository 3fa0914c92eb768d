// The files of tests/hostile: each says in its first lines what commands have to say about it,
//
//   #! COMMAND: TEXT    the command fails, and says so
//   #! COMMAND          it succeeds
//
// and all within a budget: of processor time, as a multiple of what checking a large honest game takes, and of memory.

#include "budget.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <sstream>

using zug::test::Budget;
using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;

namespace {

namespace fs = std::filesystem;

struct Expectation {
    std::string command, argument, text;
};

std::vector<Expectation> expectations_of(const fs::path& file) {
    std::vector<Expectation> result;
    std::istringstream in(zug::test::read_file(file));
    for (std::string line; std::getline(in, line) && line.starts_with('#');) {
        if (!line.starts_with("#! ")) continue;
        const auto colon = std::min(line.find(':'), line.size());
        Expectation item;
        std::istringstream(line.substr(3, colon - 3)) >> item.command >> item.argument;
        if (colon + 2 < line.size()) item.text = line.substr(colon + 2);
        result.push_back(item);
    }
    return result;
}

std::vector<std::string> command_line(const Expectation& item, const fs::path& file) {
    std::vector<std::string> line = {item.command, file.string()};
    const auto add = [&](std::initializer_list<std::string> words) { line.insert(line.end(), words); };
    if (item.command == "perft") add({"--depth", item.argument});
    if (item.command == "search") add({"--depth", item.argument.empty() ? "2" : item.argument});
    if (item.command == "bench") add({"--seconds", "0.05"});
    if (item.command == "match") add({"--games", "1", "--players", "random,random"});
    return line;
}

} // namespace

TEST_CASE("hostile files get their messages within their budget") {
    const Budget budget;
    int files = 0;
    for (const auto& entry : fs::directory_iterator("tests/hostile")) {
        if (entry.path().extension() != ".zug") continue;
        ++files;
        const auto expectations = expectations_of(entry.path());
        CHECK_MESSAGE(!expectations.empty(), entry.path().string());
        for (const Expectation& item : expectations) {
            CAPTURE(entry.path().string());
            CAPTURE(item.command);
            const Result result = run_zug(command_line(item, entry.path()), budget.setting);
            CAPTURE(result.err);
            CHECK(result.code == (item.text.empty() ? 0 : 1));
            CHECK(has(result.err, item.text));
            budget.check(result);
#ifdef ZUG_SANITIZED
            break; // the first command, for its time
#endif
        }
    }
    CHECK(files > 15);
}
