// Which games can be solved by position, and what is said about those that can't.

#include "game/facts/history.hpp"
#include "lang/load.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug;
using namespace zug::game;

namespace {

// A token walks on a small board; the rest of the file is the test's. `extra` comes with the moves, `end` last.
struct Walk {
    std::string players = "A, B";
    std::string state = {};
    std::string when = "c in here.ortho";
    std::string then = "here := c";
    std::string rest = {};
    std::string end = "me wins when here = c3\n  draw when earlier(here, me) = 2";

    std::string text() const {
        return "game \"Walk\"\nplayers " + players + "\nboard cell = grid(3, 3)\nstate here: cell = a1\n" + state +
               "\nmove go(c: cell)\n  when " + when + "\n  then " + then + "\n" + rest + "\nend\n  " + end + "\n";
    }
};

History history_of(const std::string& text) {
    const lang::Loaded loaded = lang::load_text("test.zug", text);
    REQUIRE_MESSAGE(loaded.program, diag::render(loaded.sources, loaded.report));
    const auto solvable = solvable_by_position(*loaded.program);
    const History history = find_history(*loaded.program, loaded.program->player_count() == 2);
    if (solvable)
        CHECK(history.kind != HistoryKind::PathDependent);
    else
        CHECK(solvable.error().text.ends_with("so the game can't be solved by position"));
    return history;
}
History history_of(const Walk& walk) {
    CAPTURE(walk.text());
    return history_of(walk.text());
}

void check_refused(const Walk& walk, const std::string& why) {
    const History history = history_of(walk);
    CHECK(history.kind == HistoryKind::PathDependent);
    CHECK(history.why == why + ": a position has no value of its own, so the game can't be solved by position");
}

} // namespace

TEST_CASE("a game that doesn't ask for its past has none") {
    CHECK(history_of(Walk{.end = "me wins when here = c3"}).kind == HistoryKind::None);
    const Walk guess{.rest = "eval _ = earlier(here)", .end = "me wins when here = c3"};
    CHECK(history_of(guess).kind == HistoryKind::None);
}

TEST_CASE("draws by repetition") {
    for (const char* draw :
         {"earlier(here, me) = 2", "earlier(here, me) >= 1", "earlier(me, here) > 0", "2 <= earlier(here, me)",
          "stuck or earlier(here, me) = 2", "earlier(here, next(me)) = 2", "here != b2, earlier(here, me) = 2"}) {
        const Walk walk{.end = std::string("me wins when here = c3\n  draw when ") + draw};
        CAPTURE(draw);
        const History history = history_of(walk);
        CHECK(history.kind == HistoryKind::RepetitionDraw);
        CHECK(history.assumes.empty());
        CHECK(history.why.empty());
    }
    const Walk named{.rest = "param times = 3\ndef again_and_again = earlier(here, me) >= times - 1",
                     .end = "me wins when here = c3\n  draw when again_and_again"};
    CHECK(history_of(named).kind == HistoryKind::RepetitionDraw);
    const Walk alone{.players = "A", .end = "me wins when here = c3\n  draw when earlier(here) = 1"};
    CHECK(history_of(alone).kind == HistoryKind::RepetitionDraw);
}

TEST_CASE("questions that make the value depend on the path") {
    check_refused(Walk{.rest = "  ensure earlier(here) = 0", .end = "me wins when stuck"},
                  "`go` asks in `ensure` for earlier positions (superko)");
    check_refused(Walk{.when = "c in here.ortho, earlier(here) < 3"}, "`go` asks in `when` for earlier positions");
    check_refused(Walk{.end = "me loses when earlier(here, me) = 2"},
                  "a clause of `end` that isn't a draw asks for earlier positions");
    check_refused(Walk{.end = "payoff p = if p = A: earlier(here) else -earlier(here)"},
                  "a payoff asks for earlier positions");
    const std::string odd = "a draw asks for earlier positions otherwise than by `earlier(..) = k` or `>= k`";
    check_refused(Walk{.end = "draw when earlier(here, me) = 0"}, odd);
    check_refused(Walk{.end = "draw when not earlier(here, me) = 1"}, odd);
    check_refused(Walk{.end = "draw when earlier(here, me) < 4"}, odd);
}

TEST_CASE("games in which going through a cycle is more than a draw") {
    check_refused(Walk{.state = "state lucky: bool",
                       .rest = "chance coin(b: bool)\n  when not lucky\n  then lucky := b",
                       .end = "draw when earlier(here, lucky, me) = 2"},
                  "chance events may lead to a win through a position again, and there is a draw by repetition");
    check_refused(Walk{.players = "A, B, C"},
                  "there is a draw by repetition, and the players' utilities aren't known to add up to zero");
    check_refused(Walk{.then = "here := c, if c = b2: again"},
                  "there is a draw by repetition, and whose turn it is doesn't follow from who moved last");
    check_refused(Walk{.end = "draw when earlier(here) = 2"},
                  "the draw by repetition takes positions for the same in which another player is to move (`me` is not "
                  "a part of the key)");
}

TEST_CASE("what the key leaves out must not matter") {
    check_refused(Walk{.state = "state keys: set cell",
                       .when = "c in here.ortho, not c in keys",
                       .then = "here := c, keys := keys | c"},
                  "the draw by repetition leaves out `keys`, but `go` reads it in `when`");
    const Walk unread{.state = "state visited: set cell", .then = "here := c, visited := {c}"};
    CHECK(history_of(unread).kind == HistoryKind::RepetitionDraw);
    const Walk own{.state = "state steps: 0..9", .then = "here := c, steps := min(9, steps + 1)"};
    CHECK(history_of(own).kind == HistoryKind::RepetitionDraw);
    const Walk whole{.state = "state keys: set cell",
                     .when = "c in here.ortho, not c in keys",
                     .then = "here := c, keys := {here}",
                     .end = "draw when earlier(keys, here, me) = 2"};
    CHECK(history_of(whole).kind == HistoryKind::RepetitionDraw);
    const Walk local{
        .state = "local from: cell?", .when = "c in here.ortho, c != from", .then = "here := c, from := c"};
    CHECK(history_of(local).kind == HistoryKind::RepetitionDraw);
}

TEST_CASE("counters towards a draw") {
    const auto with = [](const std::string& then, const std::string& draw) {
        Walk walk{.state = "state quiet: 0..50", .then = "here := c, " + then};
        walk.end = "me wins when here = c3\n  draw when " + draw + "\n  draw when earlier(here, me) = 2";
        return history_of(walk);
    };
    const History plain = with("quiet += 1", "quiet = 50");
    CHECK(plain.kind == HistoryKind::RepetitionDraw);
    CHECK(plain.counters.size() == 1);
    CHECK(plain.assumes.empty());
    CHECK(with("quiet += 1", "quiet = 40").kind == HistoryKind::RepetitionDraw);
    CHECK(with("quiet += 2", "quiet >= 41").kind == HistoryKind::RepetitionDraw);
    const History reset = with("quiet := if c = b2: 0 else quiet + 1", "stuck or quiet >= 40");
    CHECK(reset.kind == HistoryKind::RepetitionDraw);
    CHECK(reset.assumes == std::vector<std::string>{"`quiet` goes back only at moves that can't be undone"});

    const History several =
        history_of(Walk{.state = "state calm: 1..2 -> 0..50",
                        .then = "here := c, for n in 1..2: calm[n] := if c = b2: 0 else calm[n] + 1",
                        .end = "draw when calm[1] > 40 or calm[2] > 30\n  draw when earlier(here, me) = 2"});
    CHECK(several.kind == HistoryKind::RepetitionDraw);
    CHECK(several.assumes.size() == 1);

    // Having counted less is not always better in these.
    CHECK(with("quiet += 2", "quiet = 41").kind == HistoryKind::PathDependent);
    CHECK(with("quiet := if c = b2: 45 else quiet + 1", "quiet = 41").kind == HistoryKind::PathDependent);
    CHECK(with("quiet += 1", "quiet < 40").kind == HistoryKind::PathDependent);
    CHECK(with("quiet += 1", "quiet = 50, here = b2").kind == HistoryKind::PathDependent);
    CHECK(with("quiet := if quiet = 9: 0 else quiet + 1", "quiet = 50").kind == HistoryKind::PathDependent);
    CHECK(with("quiet -= 1", "quiet = 50").kind == HistoryKind::PathDependent);
}

TEST_CASE("a variable that matters where a move can use it") {
    const auto with = [](const std::string& when, const std::string& part) {
        return history_of(Walk{.state = "state gap: cell?",
                               .when = when,
                               .then = "here := c, gap := if c = here.N: here.E else none",
                               .end = "draw when earlier(here, " + part + ", me) = 2"});
    };
    const std::string step = "c in here.ortho | (here.diagonals & gap)";
    const History history = with(step, "{s = gap | can go(s) for foe}");
    CHECK(history.kind == HistoryKind::RepetitionDraw);
    CHECK(history.assumes == std::vector<std::string>{"`gap` matters only where the key finds that `go` can use it"});
    CHECK(with(step, "gap").assumes.empty());
    CHECK(with(step, "{s = gap | some s.N}").kind == HistoryKind::PathDependent);
    CHECK(with("c in here.ortho, gap = b2 or c = b1", "{s = gap | can go(s) for foe}").kind ==
          HistoryKind::PathDependent);
}

TEST_CASE("the rule files") {
    const auto history_in = [](const std::string& name) {
        const lang::Loaded loaded = lang::load_file(ZUG_SOURCE_DIR "/rules/" + name + ".zug");
        REQUIRE(loaded.program);
        return find_history(*loaded.program, true);
    };
    CHECK(history_in("tic-tac-toe").kind == HistoryKind::None);
    CHECK(history_in("chess").kind == HistoryKind::RepetitionDraw);
    CHECK(history_in("chess").assumes.size() == 2);
    CHECK(history_in("english-draughts").kind == HistoryKind::RepetitionDraw);
    CHECK(history_in("nine-mens-morris").kind == HistoryKind::RepetitionDraw);
    CHECK(history_in("international-draughts").kind == HistoryKind::RepetitionDraw);
    CHECK(history_in("mu-torere").kind == HistoryKind::RepetitionDraw);
    CHECK(history_in("go").why.starts_with("`play` asks in `ensure` for earlier positions (superko): "));
}
