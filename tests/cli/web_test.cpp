// `zug web` as a process: how it begins and ends. What the site answers is tested in tests/unit/web, the page in
// tests/web.

#include "process.hpp"

#include <doctest/doctest.h>

using zug::test::has;
using zug::test::Result;
using zug::test::run;
using zug::test::run_zug;
using zug::test::Setting;

TEST_CASE("the page is served until Ctrl-C") {
    Setting setting;
    setting.interrupt_on = "until Ctrl-C";
    const Result served = run_zug({"web", "tic-tac-toe", "--port", "0"}, setting);
    CHECK(served.code == 130);
    CHECK(has(served.out, "Zug plays at http://127.0.0.1:"));
    CHECK(served.err == "");
}

TEST_CASE("a port that another program has is an error") {
    const zug::test::TemporaryFolder folder;
    Setting setting;
    setting.folder = folder.path();
    const std::string script =
        ZUG_BINARY " web --port 0 >first & "
                   "until grep -q http first; do kill -0 $! || exit 9; sleep 0.05; done; " ZUG_BINARY
                   " web --port $(sed 's/.*:\\([0-9]*\\)\\/.*/\\1/' first); "
                   "code=$?; kill -INT $!; wait $!; echo $code $?";
    // In a shell without job control background processes ignore Ctrl-C, unless they say otherwise, as this one does.
    const Result result = run({"sh", "-c", script}, setting);
    CHECK(has(result.err, "is taken by another program"));
    CHECK(has(result.out, "1 130"));
}

TEST_CASE("a game that there is not, or one with errors, is told before anything is served") {
    CHECK(run_zug({"web", "tic-tac-to"}, {}).code == 2);
    CHECK(run_zug({"web", "--port", "70000"}, {}).code == 2);
    CHECK(run_zug({"web", "/dev/null", "--port", "0"}, {}).code == 1);
}
