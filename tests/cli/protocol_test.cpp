// `zug uci`, `zug gtp`, `zug engine` and `zug lsp` as processes: how they begin and end. What they say is tested in
// tests/unit/protocols and tests/unit/lsp.

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

TEST_CASE("engine: a request of more than the 1,048,576 bytes of the schema is refused, and the next one is answered") {
    const std::string state = R"({"id":1,"command":"state"})";
    const auto padded = [&](std::size_t bytes) { return state + std::string(bytes - state.size(), ' ') + "\n"; };
    const std::string refused = R"("error":{"message":"the line is not JSON of at most 1048576 bytes"})";
    CHECK(!has(talk({"engine", "tic-tac-toe"}, padded(1U << 20U)).out, "error"));
    for (const std::size_t bytes : {(1U << 20U) + 1, (1U << 20U) + 4096, 1'600'000U, 5'000'000U}) {
        const Result engine = talk({"engine", "tic-tac-toe"}, padded(bytes) + R"({"id":2,"command":"quit"})" + "\n");
        CAPTURE(bytes);
        CHECK(engine.code == 0);
        CHECK(has(engine.out, refused));
        CHECK(!has(engine.out, R"("id":1)"));
        CHECK(has(engine.out, R"("id":2,"result":{})"));
    }
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
    const zug::test::TemporaryFolder folder;
    Setting setting;
    setting.folder = folder.path();
    setting.interrupt_on = "readyok";
    // An input that does not end: this end of the pipe can be written to as well.
    const std::string script = "mkfifo input; exec 3<>input; echo isready >&3; exec " ZUG_BINARY " uci tic-tac-toe <&3";
    CHECK(zug::test::run({"sh", "-c", script}, setting).code == 130);
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

TEST_CASE("this program as another one: matches over UCI and GTP, records, and play") {
    const std::string zug = ZUG_BINARY;
    const Result uci = run_zug({"match", "tic-tac-toe", "--players",
                                "uci:" + zug + " uci tic-tac-toe,depth=9,alphabeta:depth=9", "--games", "2", "--json"});
    CHECK(uci.code == 0);
    CHECK(uci.json()["draws"] == 2);
    CHECK(uci.json()["forfeited"] == 0);
    const std::string gtp = "gtp:" + zug + " gtp go -D superko=false -D limit=30 --player alphabeta:depth=1";
    const Result go = run_zug({"match", "go", "-D", "size=5", "-D", "limit=30", "-D", "superko=false", "--players",
                               gtp + ",random", "--games", "2", "--json"});
    CHECK(go.code == 0);
    CHECK(go.json()["games"] == 2);
    CHECK(go.json()["forfeited"] == 0);
    const zug::test::TemporaryFolder folder;
    const std::string record = (folder.path() / "games.jsonl").string();
    const Result lost =
        run_zug({"match", "tic-tac-toe", "--players", "uci:false,random", "--games", "2", "--record", record});
    CHECK(lost.code == 0);
    CHECK(has(lost.out, "2 games were lost by forfeit; the first: game 0, ply 0: X: it has ended, with exit code 1"));
    const Result replay = run_zug({"replay", record});
    CHECK(replay.code == 0);
    CHECK(has(replay.out, "forfeit: X: it has ended"));
    // Moves that are taken back, too.
    const Result play = talk({"play", "hex", "-D", "size=4", "--as", "Red", "--against",
                              "gtp:" + zug + " gtp hex --player alphabeta:depth=1"},
                             "a1\nundo\nb2\nd4\nquit\n");
    CHECK(play.code == 0);
    CHECK(has(play.out, "Blue plays"));
}

TEST_CASE("the language server answers in frames, and tells by its exit code whether it was shut down") {
    const auto framed = [](const std::string& text) {
        return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
    };
    const std::string begin = framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
    const std::string end =
        framed(R"({"jsonrpc":"2.0","id":2,"method":"shutdown"})") + framed(R"({"jsonrpc":"2.0","method":"exit"})");
    for (const auto& arguments : {std::vector<std::string>{"lsp"}, {"lsp", "--stdio"}}) {
        const Result result = talk(arguments, begin + end);
        CHECK(result.code == 0);
        CHECK(result.out.starts_with("Content-Length: "));
        CHECK(has(result.out, R"("serverInfo":{"name":"zug")"));
        CHECK(result.out.ends_with(framed(R"({"id":2,"jsonrpc":"2.0","result":null})")));
        CHECK(result.err.empty());
    }
    CHECK(talk({"lsp"}, begin).code == 1);
    CHECK(talk({"lsp"}, "").code == 1);
    const Result wrong = talk({"lsp", "--port=5"}, "");
    CHECK(wrong.code == 2);
    CHECK(wrong.out.empty());
}
