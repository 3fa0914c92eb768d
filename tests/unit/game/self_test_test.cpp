// The tests that rule files carry are run, and wrong ones are found.

#include "game/self_test.hpp"
#include "tests/unit/executor/games.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::game;
using Check = ir::Test::Check;

namespace {

ir::Test::Item item(Check check, std::string text = {}) {
    return {.check = check, .text = std::move(text), .values = {}, .span = {}};
}

// What is wrong with a test of tic-tac-toe, or empty.
std::string finding(const std::string& after, ir::Test::Item of) {
    auto program = std::make_shared<ir::Program>(*run::tic_tac_toe());
    program->tests = {{.title = "t", .params = {}, .from = {}, .after = after, .items = {std::move(of)}, .span = {}}};
    SelfTestOptions options;
    options.executor = ExecutorKind::Reference;
    options.value = [](Game&, const State&, std::int64_t) { return std::vector<double>{0.5, -0.5}; };
    const TestReport report = run_self_tests(program, options);
    CHECK(report.tests == 1);
    return report.failures.empty() ? "" : report.failures.front().text;
}

std::string perft_finding(std::int64_t depth, std::uint64_t count) {
    auto of = item(Check::Perft);
    of.depth = depth;
    of.count = count;
    return finding("", of);
}

} // namespace

TEST_CASE("each kind of check") {
    CHECK(perft_finding(2, 72).empty());
    CHECK(perft_finding(2, 73) == "perft 2: expected 73, found 72");
    CHECK(finding("a1 b1 c1 a2 b2 c2 a3", item(Check::Moves, "b3 c3")) == "`b3 c3` is not legal: the game is over");
    CHECK(finding("a1 b1 c1 a2 b2 c2", item(Check::Moves, "a3 b3 c3")).empty());
    CHECK(finding("a1 b1 c1 a2 b2 c2", item(Check::Moves, "a2 b3")) ==
          "`a2` is not legal; the legal moves are a3  b3  c3");
    CHECK(finding("a1 b1 c1 a2 b2 c2", item(Check::Moves, "a3 b3")) == "not in the list, but legal: c3");
    CHECK(finding("", item(Check::Legal, "b2")).empty());
    CHECK(finding("b2", item(Check::Illegal, "b2")).empty());
    CHECK(finding("b2", item(Check::Illegal, "b1")) == "`b1` is legal");
    CHECK(finding("b2", item(Check::Position, "at=3/1X1/3 turn=O")).empty());
    CHECK(finding("b2", item(Check::Position, "turn=O")) == "found the position at=3/1X1/3 turn=O");
    CHECK(finding("b2", item(Check::Open)).empty());
    CHECK(finding("b2", item(Check::Draw)) == "the game is not over");
    const std::string won = "a1 b1 a2 b2 a3";
    CHECK(finding(won, item(Check::Wins)).empty());
    CHECK(finding(won, item(Check::Open)) == "expected an open game, found the outcome X 1, O -1");
    CHECK(finding(won, item(Check::Draw)) == "found the outcome X 1, O -1");
    auto payoffs = item(Check::Payoffs);
    payoffs.values = {1, -1};
    CHECK(finding(won, payoffs).empty());
    auto value = item(Check::Value);
    value.values = {0.5};
    CHECK(finding("", value).empty());
    value.values = {0};
    CHECK(finding("", value) == "expected the value 0, found 0.5, -0.5");
    CHECK(finding("a1 a1", item(Check::Open)).starts_with("move 2: `a1` is not a legal move"));
}
