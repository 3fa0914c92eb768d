// What of its past tells a position from the same one behind another line.

#include "game/selfplay/relevant_past.hpp"

#include "tests/unit/game/text_games.hpp"

#include <string>
#include <vector>

namespace zug::game {

namespace {

// Men only go right, so positions before their steps can't come again, but kings go any way; and if `loose` is set, as
// it never is from the start, men do, too.
const char* const ratchet =
    "game \"Ratchet\"\nplayers A, B\nboard cell = grid(5, 2)\ntype kind = Man | King\n"
    "state at: cell -> (player, kind)? = (A, Man) on {a1}, (A, King) on {c1}, (B, Man) on {a2}, (B, King) on {d2}\n"
    "state loose: bool\n"
    "move go(c: cell, d: dir)\n"
    "  when c in men(me), d in (if loose or at[c] = (me, King): {E, W, N, S} else {E}), c.d in empty\n"
    "  then at[c.d] := at[c], at[c] := none\n"
    "move loosen\n  when not loose, no men(A)\n  then loose := true\n"
    "end\n  foe wins when stuck\n  draw when earlier(at, loose, me) = 1\n";

// Puts a position and those after each move of a line at plies from 0 on, and enters them. Returns the last ply.
int follow(Game& game, Line& line, RelevantPast& past, const State& start, const std::string& moves) {
    std::vector<std::uint64_t> ids;
    REQUIRE(game.play_line(start, moves, &ids));
    line.start(start);
    past.enter(line, 0);
    int ply = 0;
    for (const std::uint64_t id : ids) {
        line.list(ply);
        line.make(ply, *line.moves(ply).find(id));
        past.enter(line, ++ply);
    }
    return ply;
}

} // namespace

TEST_CASE("lines to a position are told apart as long as what was on them can come again") {
    Game game = game_of(ratchet, ExecutorKind::Interpreter);
    const auto past = RelevantPast::of(game);
    REQUIRE(past);
    Line line(game);
    const auto key_after = [&](const std::string& moves) {
        const int ply = follow(game, line, *past, game.initial(), moves);
        return past->key(line, ply);
    };
    const std::string one = "go c1-N, go d2-E, go c2-W, go e2-W", other = "go c1-W, go d2-E, go b1-N, go e2-W";
    CHECK(key_after(one) != key_after(other));
    CHECK(key_after(one + ", go a1-E") == key_after(other + ", go a1-E"));
    CHECK(key_after(one + ", go a1-E") != key_after("go a1-E"));
}

TEST_CASE("where a move undoes what none did in random games, results hold for their line alone") {
    Game game = game_of(ratchet, ExecutorKind::Interpreter);
    const auto past = RelevantPast::of(game);
    REQUIRE(past);
    Line line(game);
    const State loose = *game.parse_position("loose=true");
    for (const bool undone : {false, true}) {
        int ply = follow(game, line, *past, loose, undone ? "go a1-E, go d2-E, go b1-W" : "go a1-E, go d2-E, go c1-E");
        for (; ply > 0; --ply) past->leave(ply);
        CHECK(past->is_closed(0));
        CHECK(past->is_closed(1) == !undone);
        CHECK(past->is_closed(2) == !undone);
    }
}

TEST_CASE("a past that is not for draws by repetition, or of which nothing goes one way, is not left out") {
    Game without = game_of("game \"Once\"\nplayers A, B\nstate here: 0..3\nmove go(t: 0..3)\n  then here := t\n"
                           "end foe wins when here = 3\n");
    CHECK(!RelevantPast::of(without));
    Game round = game_of("game \"Round\"\nplayers A, B\nstate here: 0..3\nmove go(t: 0..3)\n  when t != here\n"
                         "  then here := t\nend\n  foe wins when here = 3\n  draw when earlier(here, me) = 1\n");
    CHECK(!RelevantPast::of(round));
}

} // namespace zug::game
