// Strong solutions: values from the theory, and what is refused. Published values of whole games are in tests/solved.

#include "games.hpp"

namespace zug::solve {

namespace {

Solution solved(game::Game game, const Options& options = {}) {
    const auto solution = solve(game, game.initial(), options);
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    return *solution;
}

std::string error_of(game::Game game, const Options& options = {}) {
    const auto solution = solve(game, game.initial(), options);
    REQUIRE(!solution);
    return solution.error().text;
}

// A small game as text, on both executors.
Solution solved_text(const std::string& text) {
    const Solution slow = solved(load_text(text, game::ExecutorKind::Reference));
    const Solution fast = solved(load_text(text));
    CHECK(slow.value == fast.value);
    CHECK(slow.positions == fast.positions);
    CHECK(slow.remoteness == fast.remoteness);
    return fast;
}

} // namespace

TEST_CASE("tic-tac-toe, all of it, on any number of threads") {
    for (const std::uint32_t threads : {1U, 3U}) {
        Options options;
        options.threads = threads;
        const Solution normal = solved(load("tic-tac-toe"), options);
        CHECK(normal.value == Payoffs{0, 0});
        CHECK(normal.remoteness == 9);
        CHECK(normal.positions == 5478);
        CHECK(normal.moves == 16167);
        CHECK(!normal.cycles);
        CHECK(normal.tally.won == 2836);
        CHECK(normal.tally.lost == 1574);
        CHECK(normal.tally.drawn == 1068);
    }
    const Solution misere = solved(load("misere-tic-tac-toe"));
    CHECK(misere.positions == 5478);
    CHECK(misere.tally.won == 3054);
    CHECK(misere.tally.lost == 1444);
    CHECK(misere.tally.drawn == 980);
}

TEST_CASE("what cycles is a draw, and a repetition is no end of its own") {
    const std::string walk = "players A, B\nboard node = graph\n  p: q\n  q: p r\n  r: q\n"
                             "state here: node = p\nmove go(t: node)\n  when t in here.out\n  then here := t\n";
    // B, at q, can end the game or go back; it wins at r.
    const Solution won = solved_text(walk + "end B wins when here = r\n");
    CHECK(won.value[0] == -1);
    CHECK(won.remoteness == 2);
    // There it loses: so round and round.
    const Solution round = solved_text(walk + "end B loses when here = r\n");
    CHECK(round.value[0] == 0);
    CHECK(round.repetition);
    CHECK(!round.remoteness);
    CHECK(round.positions == 3); // A moves at p and r, B at q
    const Solution drawn = solved_text(walk + "end\n  B loses when here = r\n  draw when earlier(here, me) = 2\n");
    CHECK(drawn.value[0] == 0);
    CHECK(drawn.positions == round.positions);
    // A draw at r is an end that B can force.
    const Solution ended = solved_text(walk + "end draw when here = r\n");
    CHECK(ended.value[0] == 0);
    CHECK(!ended.repetition);
    CHECK(ended.remoteness == 2);
}

TEST_CASE("what is taken for granted about the past is told") {
    const std::string walk = "players A, B\nboard node = ring(3)\nstate here: node\nstate quiet: 0..9\n"
                             "move go(t: node)\n  when t in here.on\n  then here := t, quiet := ";
    const std::string end = "\nend draw when quiet = 9 or earlier(here, me) = 2\n";
    CHECK(solved_text(walk + "quiet + 1" + end).assumes.empty());
    CHECK(solved_text(walk + "if t = p1: 0 else quiet + 1" + end).assumes.size() == 1);
}

TEST_CASE("one player goes for the best, and for the shortest way to it") {
    const Solution best = solved_text("players A\nstate n: 0..9\nmove add(k: 1..3)\n  when n + k <= 9\n  then n += k\n"
                                      "end\n  payoff A = 5 when n = 7\n  payoff A = -1 when n = 9\n");
    CHECK(best.value == Payoffs{5});
    CHECK(best.remoteness == 3);
}

TEST_CASE("of what is worth the same to oneself, a rule says what others get") {
    const std::string text = "players A, B, C\nstate n: 0..2\nmove to(k: 1..2)\n  when n = 0\n  then n := k\n"
                             "end when n > 0\n  payoff A = 1\n  payoff B = if n = 1: 5 else 0\n  payoff C = 0\n";
    Options options;
    CHECK(solved(load_text(text), options).value == Payoffs{1, 0, 0});
    options.ties = Ties::Kind;
    CHECK(solved(load_text(text), options).value == Payoffs{1, 5, 0});
}

TEST_CASE("chance: means, the better of moves, and values that come back to themselves") {
    const std::string coin = "players A, B\nstate at: 0..3\nstate thrown: bool\nmove throw\n  when at = 0\n"
                             "  then at := 1, again\nmove stop\n  when at = 0\n  then at := 3\n";
    // Heads win; after tails A may throw again: 1/2 + 1/4 + ... = 1.
    const std::string fair = "chance side(s: 0..1)\n  when at = 1\n  then at := if s = 1: 2 else 0, next A\n"
                             "end\n  A wins when at = 2\n  B wins when at = 3\n";
    const Solution sure = solved_text(coin + fair);
    CHECK(sure.cycles);
    CHECK(sure.value[0] == doctest::Approx(1).epsilon(1e-9));
    CHECK(*sure.win_probability == doctest::Approx(1).epsilon(1e-9));
    CHECK(sure.error <= 1e-9);
    // A would rather go on for ever than end this.
    const std::string idle =
        "players A, B\nstate at: 0..3\nmove wait\n  when at = 0\n  then at := 1\n"
        "move back\n  when at = 1\n  then at := 0\nmove give\n  when at = 0\n  then at := 2, again\n"
        "chance side(s: 2..3)\n  when at = 2\n  then at := s\nend A loses when at = 3\n";
    CHECK(error_of(load_text(idle)).find("keep the game from ending") != std::string::npos);
    const Solution game = solved(load("2048", {{"size", "2"}, {"goal", "5"}}));
    CHECK(*game.win_probability == doctest::Approx(0.082887289072).epsilon(1e-10));
}

TEST_CASE("numbers below zero and none are numbered, too") {
    const Solution solution = solved_text("players A, B\nstate n: -3..3 = 0\nstate m: (0..2)?\n"
                                          "move down\n  when n > -3\n  then n -= 1, m := none\n"
                                          "move up(k: 1..2)\n  when n < 3 - k, m is none\n  then n += k, m := k\n"
                                          "end A wins when n = -3\n");
    CHECK(solution.positions > 10);
}

TEST_CASE("three players: an order is found where no potential function shows it, and cycles are refused") {
    const std::string head = "players A, B, C\nboard node = graph\n  p: q r\n  q: s\n  r: q s\n  s: ";
    const std::string rest = "\nstate here: node = p\nmove go(t: node)\n  when t in here.out\n  then here := t\n"
                             "end when no here.out\n  payoff A = 0\n  payoff B = 1\n  payoff C = 2\n";
    const Solution solution = solved_text(head + "t" + rest);
    CHECK(solution.value == Payoffs{0, 1, 2});
    const std::string cycle = error_of(load_text(head + "p t" + rest));
    CHECK(cycle.find("can come back to the position") != std::string::npos);
    CHECK(cycle.find("here=t") == std::string::npos); // which is an end
}

TEST_CASE("refusals say why") {
    CHECK(error_of(load("go", {{"size", "2"}})).find("superko") != std::string::npos);
    CHECK(error_of(load("pig", {{"n", "3"}, {"goal", "3"}})).find("can come back to the position") !=
          std::string::npos);
    Options few;
    few.most_positions = 100;
    CHECK(error_of(load("tic-tac-toe"), few) == "the game has more than 100 positions");
    Options never;
    never.stop = [](const Stage&) { return true; };
    CHECK(error_of(load("tic-tac-toe"), never) == "stopped");
    std::string note;
    few.note = [&](const std::string& text) { note = text; };
    CHECK(error_of(load("chess"), few) == "the game has more than 100 positions");
    CHECK(note == lists_combinations);
}

} // namespace zug::solve
