// What `zug help` writes for shells and for man: whether these take it, and whether nothing is missing in it.

#include "process.hpp"

#include <doctest/doctest.h>

#include <regex>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;

namespace {

// The words that stand first in the lines of a help text that match the pattern.
std::vector<std::string> found_in(const std::string& text, const std::string& pattern) {
    const std::regex line(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) found.push_back((*at)[1]);
    return found;
}

bool is_installed(const std::string& program) {
    return zug::test::run({"sh", "-c", "command -v " + program}).code == 0;
}

} // namespace

TEST_CASE("scripts for shells know all commands and options, and the shells can read them") {
    const auto commands = found_in(run_zug({"--help"}).out, "\n  ([a-z]+) ");
    REQUIRE(commands.size() > 20);
    const auto options = found_in(run_zug({"play", "--help"}).out, "\n  --([a-z-]+)");
    REQUIRE(options.size() > 8);
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        CAPTURE(shell);
        const Result script = run_zug({"help", shell});
        REQUIRE(script.code == 0);
        for (const auto& word : commands) CHECK_MESSAGE(has(script.out, word), word);
        for (const auto& word : options) CHECK_MESSAGE(has(script.out, (shell == "fish" ? "-l " : "--") + word), word);
        const zug::test::TemporaryFolder folder;
        if (!is_installed(shell)) continue;
        const Result read = zug::test::run({shell, "-n", folder.write("script", script.out)});
        CHECK(read.code == 0);
        CHECK(read.err.empty());
    }
    CHECK(run_zug({"help", "tcsh"}).code == 2);
}

TEST_CASE("bash completes commands, options and games") {
    const zug::test::TemporaryFolder folder;
    const std::string script = folder.write("script", run_zug({"help", "bash"}).out);
    const std::string path = std::filesystem::path(ZUG_BINARY).parent_path().string();
    const auto completed = [&](const std::string& words) {
        return zug::test::run({"bash", "-c",
                               "PATH=" + path + ":$PATH; source " + script + "; COMP_WORDS=(" + words +
                                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _zug zug; echo ${COMPREPLY[*]}"})
            .out;
    };
    CHECK(completed("zug so") == "solve\n");
    CHECK(completed("zug play --ag") == "--against\n");
    CHECK(completed("zug play three-c") == "three-check\n");
    CHECK(completed("zug replay games.pgn --rules three-c") == "three-check\n");
    CHECK(completed("zug play chess --players human,alphab") == "human,alphabeta\n");
    CHECK(completed("zug match chess --players hum") == "human\n");
    CHECK(completed("zug perft chess --executor nat") == "native\n");
    CHECK(completed("zug help pl") == "players\n");
    CHECK(completed("zug perft chess --depth che") == "\n");
}

TEST_CASE("the manual page has a section for each command, without errors of its format") {
    const Result page = run_zug({"help", "manual"});
    REQUIRE(page.code == 0);
    for (const auto& command : found_in(run_zug({"--help"}).out, "\n  ([a-z]+) "))
        CHECK_MESSAGE(has(page.out, "\n.SS zug " + command + "\n"), command);
    CHECK(has(page.out, "\\fB\\-\\-hotseat\\fR"));
    if (!is_installed("groff")) return;
    const zug::test::TemporaryFolder folder;
    const Result set = zug::test::run({"groff", "-man", "-ww", "-z", "-Tutf8", folder.write("zug.6", page.out)});
    CHECK(set.code == 0);
    CHECK(set.err.empty());
}
