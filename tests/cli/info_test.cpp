// What `zug info` shows of the compiler's work.

#include "process.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using zug::test::Result;
using zug::test::run_zug;
using zug::test::TemporaryFolder;

namespace {

// Texts that must stand somewhere in what is shown.
struct Expected {
    std::vector<std::string> line;
    std::vector<std::string> texts;
};

const std::vector<Expected> expected = {
    {{"tic-tac-toe", "--ir"},
     {"bytes of state", "at.X", "moves of X", "finds mark in", "effects of mark by O", "end after O"}},
    {{"breakthrough", "--ir"}, {"at.White", "go.f", "columns 1-7", "payoffs of end 1 after White"}},
    {{"chess", "--ir"}, {"at.(White, Pawn)", "castle.d", "how often history 1 was so"}},
    {{"tic-tac-toe", "--core"}, {"move mark"}},
    {{"breakthrough", "--why-slow", "--seconds", "0.1"},
     {"random games", "`go`: where it is possible", "end clause 1", "breakthrough.zug:"}},
};

// A sum that differs from square to square: a loop within a loop.
const std::string numbers = R"(game "Numbers"
players White, Black
board square = grid(4, 4)
state at: square -> player?
state held: square -> 0..9 = 0

move put(c: square)
  when c in empty, (sum s in c.adj: held[s]) < 5
  then at[c] := me, held[c] := held[c] + 1

end draw when no empty
)";

} // namespace

TEST_CASE("info --why-slow shows what loops, why, and where") {
    const TemporaryFolder folder;
    const Result result = run_zug({"info", folder.write("numbers.zug", numbers), "--why-slow", "--seconds", "0.2"});
    CAPTURE(result.out);
    CHECK(result.code == 0);
    for (const auto* text :
         {"a loop over up to 16 values", "numbers.zug:7:6", "numbers.zug:8:21", "inside 1 other",
          "a sum that differs from value to value is taken one by one", "when c in empty, (sum s in"})
        CHECK_MESSAGE(result.out.find(text) != std::string::npos, text);
}

TEST_CASE("info --why-slow ends where every game is over at its start") {
    const TemporaryFolder folder;
    const std::string over =
        "players A, B\nstate n: 0..3\nmove go\n  when n < 3\n  then n += 1\nend draw when n >= 0\n";
    const Result result = run_zug({"info", folder.write("over.zug", over), "--why-slow", "--seconds", "0.1"});
    CHECK(result.code == 0);
    CHECK(result.out.find("random games of 0.0 plies") != std::string::npos);
}

TEST_CASE("info --why-slow has no heading of an empty list where lists of chains take nearly all the time") {
    const TemporaryFolder folder;
    const std::string chains = "players A, B\nstate n: 0..99\nmove s(v: 0..3)\n  when v < 4\nmove t\n  then n += 1\n"
                               "turn s s s s s t\nend draw when n >= 24\n";
    const Result result = run_zug({"info", folder.write("chains.zug", chains), "--why-slow", "--seconds", "0.2"});
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK(result.out.find("outside of the byte code") != std::string::npos);
    CHECK(result.out.find("it is not known that different steps lead to different positions") != std::string::npos);
    // Which shares are large enough to be listed depends on some dozens of samples.
    for (const std::string heading : {"share of the time, times a ply\n", "without the expressions inside it\n"})
        if (const std::size_t at = result.out.find(heading); at != std::string::npos)
            CHECK(result.out.compare(at + heading.size(), 2, "  ") == 0);
}

TEST_CASE("info --why-slow says why turns are chains of steps, and only where they are") {
    const auto report = [](const std::string& game) {
        return run_zug({"info", game, "--why-slow", "--seconds", "0.1"}).out;
    };
    CHECK(report("backgammon").find("`most` compares them") != std::string::npos);
    CHECK(report("russian-draughts").find("steps are repeated") != std::string::npos);
    CHECK(report("three-mens-morris").find("chains of steps, made") == std::string::npos);
    CHECK(report("chess").find("chains of steps, made") == std::string::npos);
}

TEST_CASE("check and bench name what has no byte code, and why") {
    const TemporaryFolder folder;
    const std::string large =
        folder.write("large.zug", "players A, B\nboard cell = grid(8, 8)\n"
                                  "state at: cell -> player?\nstate seen: cell, 0..59999 -> 0..9\n"
                                  "move mark(c: cell)\n  when c in empty\n"
                                  "  then at[c] := me, seen[c, 3] := 1\nend draw when no empty\n");
    const Result check = run_zug({"check", large, "--no-tests"});
    CHECK(check.code == 0);
    CHECK(check.err.find("large.zug: note: the size of the state can't be compiled") != std::string::npos);
    CHECK(run_zug({"check", large, "--no-tests", "--json"}).json()[0]["without_code"].size() == 1);
    CHECK(run_zug({"check", "tic-tac-toe", "--json"}).json()[0]["without_code"].empty());
    const Result bench = run_zug({"bench", large, "--seconds", "0.05"});
    CAPTURE(bench.err);
    CHECK(bench.code == 0);
    for (const auto* text : {"reference ", "without interpreter: there is no byte code for the size of the state",
                             "without native: there is no byte code for the size of the state"})
        CHECK_MESSAGE(bench.out.find(text) != std::string::npos, text);
}

TEST_CASE("info shows byte code, the checked rules and where time goes") {
    for (const auto& [line, texts] : expected) {
        std::vector<std::string> command = {"info"};
        command.insert(command.end(), line.begin(), line.end());
        const Result result = run_zug(command);
        CAPTURE(line[0]);
        CAPTURE(line[1]);
        CHECK(result.code == 0);
        CHECK(result.err.empty());
        for (const auto& text : texts) CHECK_MESSAGE(result.out.find(text) != std::string::npos, text);
    }
}

TEST_CASE("info --ir --json has the frame and the routines") {
    const Result result = run_zug({"info", "tic-tac-toe", "--ir", "--json"});
    REQUIRE(result.code == 0);
    const auto json = result.json();
    CHECK(json["state_bytes"] > 0);
    REQUIRE(json["routines"].size() > 3);
    CHECK(json["routines"][0]["instructions"][0]["op"].is_string());
}

TEST_CASE("info --why-slow --json has shares that add up") {
    const Result result = run_zug({"info", "connect-four", "--why-slow", "--seconds", "0.3", "--json"});
    REQUIRE(result.code == 0);
    const auto json = result.json();
    CHECK(json["compiled"] == true);
    CHECK(json["plies"] > json["playouts"]);
    double sum = json["outside"].get<double>();
    for (const auto& part : json["parts"]) sum += part["share"].get<double>();
    CHECK(sum == doctest::Approx(1));
}

TEST_CASE("a large board has byte code, too, if not for all that it could be used for") {
    CHECK(run_zug({"info", "amazons", "-D", "size=8", "--ir"}).code == 0);
}

TEST_CASE("info --passes tells what each pass did, what it needs and what it cost") {
    const Result result = run_zug({"info", "tic-tac-toe", "--passes", "--without", "tabulation"});
    REQUIRE(result.code == 0);
    for (const std::string text : {"set-algebra", "switched off", "dead nodes", "instructions"})
        CHECK_MESSAGE(result.out.find(text) != std::string::npos, text);
    const Result as_json = run_zug({"info", "tic-tac-toe", "--passes", "--json"});
    REQUIRE(as_json.code == 0);
    std::size_t changes = 0, required = 0;
    for (const auto& pass : as_json.json()) {
        CHECK(pass["on"] == true);
        CHECK(pass["milliseconds"] >= 0);
        CHECK(!pass["establishes"].get<std::string>().empty());
        CHECK(!pass["changed"].get<std::string>().empty());
        changes += pass["changes"].get<std::size_t>();
        required += pass["required"] == true ? 1 : 0;
    }
    CHECK(changes > 100);
    CHECK(required == 4);
}

TEST_CASE("info --dump-after prints value graphs, facts or byte code, each with the name of its routine") {
    for (const auto& [pass, text] : {std::pair<std::string, std::string>{"sink-conditions", "end after X"},
                                     {"common-subexpressions", "AndNot all"},
                                     {"state-layout", "at.X"},
                                     {"emit", "ReturnIfNone_1"},
                                     {"playout", "random play"}}) {
        CAPTURE(pass);
        const Result result = run_zug({"info", "tic-tac-toe", "--dump-after=" + pass});
        CHECK(result.code == 0);
        CHECK_MESSAGE(result.out.find(text) != std::string::npos, text);
    }
    const Result facts = run_zug({"info", "english-draughts", "--dump-after=turn-openings"});
    CHECK(facts.out.find("`jump` can begin a turn") != std::string::npos);
}

TEST_CASE("a pass that is not there, or that nothing can do without, is refused with the reason") {
    const Result unknown = run_zug({"info", "tic-tac-toe", "--passes", "--without", "hoist-gards"});
    CHECK(unknown.code != 0);
    CHECK(unknown.err.find("did you mean `hoist-guards`?") != std::string::npos);
    const Result required = run_zug({"info", "tic-tac-toe", "--passes", "--without", "emit"});
    CHECK(required.code != 0);
    CHECK(
        required.err.find("the pass `emit` is required: no other pass ensures that the live nodes have instructions") !=
        std::string::npos);
}
