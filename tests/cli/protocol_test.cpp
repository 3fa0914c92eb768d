// `zug uci`, `zug gtp` and `zug engine` as processes: how they begin and end. What they say is tested in
// tests/unit/protocols.

#include "process.hpp"

#include <doctest/doctest.h>

using zug::test::has;
using zug::test::Result;
using zug::test::run_zug;
using zug::test::Setting;

namespace {

Result talk(const std::vector<std::string>& arguments, const std::string& input) {
    Setting setting;
    setting.input = input;
    return run_zug(arguments, setting);
}

} // namespace

TEST_CASE("programs that talk by lines answer, and end when they are told to or their input ends") {
    const Result uci = talk({"uci", "chess"}, "uci\nisready\nposition startpos moves e2e4\nquit\nisready\n");
    CHECK(uci.code == 0);
    CHECK(has(uci.out, "id name Zug"));
    CHECK(has(uci.out, "UCI_Variant"));
    CHECK(has(uci.out, "uciok\nreadyok\n"));
    CHECK(uci.err.empty());
    const Result gtp = talk({"gtp", "go", "-D", "size=5", "--player", "alphabeta:depth=1"}, "1 play b c3\n2 genmove w");
    CHECK(gtp.code == 0);
    CHECK(has(gtp.out, "=1 \n\n=2 "));
    const Result engine = talk({"engine", "tic-tac-toe"}, "{\"id\":1,\"command\":\"perft\",\"depth\":0}\r\n\r\nquit\n");
    CHECK(engine.code == 0);
    CHECK(has(engine.out, R"({"protocol":1,"id":1,"result":{"nodes":1}})"));
    CHECK(has(engine.out, "not JSON"));
}

TEST_CASE("a search without an end does not outlive the input") {
    for (const std::string last : {"", "quit\n"}) {
        const Result uci = talk({"uci", "chess"}, "go infinite\n" + last);
        CHECK(uci.code == 0);
        CHECK(has(uci.out, "bestmove "));
    }
    const Result engine = talk({"engine", "chess"}, R"({"id":1,"command":"search","infinite":true})"
                                                    "\n");
    CHECK(engine.code == 0);
    CHECK(has(engine.out, R"("stopped":true)"));
}

TEST_CASE("Ctrl-C ends a conversation") {
    Setting setting;
    setting.terminal = true;
    setting.input = "isready\n";
    setting.interrupt_on = "readyok";
    CHECK(run_zug({"uci", "tic-tac-toe"}, setting).code == 130);
}

TEST_CASE("games that a protocol does not suit are refused with the reason") {
    const Result pig = talk({"uci", "pig"}, "");
    CHECK(pig.code == 1);
    CHECK(has(pig.err, "no chance events"));
    const Result chess = talk({"gtp", "chess"}, "");
    CHECK(chess.code == 1);
    CHECK(has(chess.err, "who place stones"));
    CHECK(talk({"uci"}, "").code == 2);
    CHECK(talk({"engine", "tic-tac-to"}, "").code == 2);
    CHECK(has(talk({"uci", "chess", "--player", "human"}, "").err, "needs a program"));
}

TEST_CASE("a line that is too long is an error, and the next one is read") {
    const std::string longest(3U << 20U, '[');
    const Result engine = talk({"engine"}, longest + "\n{\"id\":2,\"command\":\"hello\"}\n");
    CHECK(engine.code == 0);
    CHECK(has(engine.out, "not JSON"));
    CHECK(has(engine.out, R"("id":2,"result")"));
}

TEST_CASE("the schema is printed as it is published") {
    const Result schema = run_zug({"engine", "--schema"});
    CHECK(schema.code == 0);
    CHECK(schema.out == zug::test::read_file(ZUG_SOURCE_DIR "/src/protocols/engine.schema.json"));
}
