// Symmetries of games: which are found by trying, which follow from the form of the rules, and that these hold wherever
// random games lead.

#include "tests/unit/game/rule_files.hpp"
#include "tests/unit/game/text_games.hpp"

#include "game/selfplay/random_games.hpp"
#include "game/symmetry/automorphisms.hpp"
#include "game/symmetry/image_check.hpp"

namespace zug::game {

namespace {

using Slots = std::vector<std::uint32_t>;

std::size_t automorphisms_of(const std::string& board) {
    const Game game = game_of("players A\nboard site = " + board +
                              "\nstate at: site?\nmove go(s: site)\n  then at := s\nend A wins when at != none\n");
    return automorphisms(game.program().boards[ir::BoardId{0}], 1000).size();
}

Game rules_game(const std::string& name, const lang::Overrides& params = {}) {
    const auto loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", params);
    REQUIRE(loaded.program);
    return Game(loaded.program, ExecutorKind::Interpreter);
}

std::size_t symmetries_of(Game game) { return find_symmetries(game, game.initial()).size(); }
std::size_t proven(const Game& game) { return proven_symmetries(game.program()).size(); }

// Tic-tac-toe, with a part of the condition of its move, and perhaps another rest.
const std::string toe_end = "\n  then at[c] := me\nend\n  me wins when line(3, at.me)\n  draw when no empty\n";
Game toe_with(const std::string& condition, const std::string& rest = toe_end) {
    return game_of("players X, O\nboard cell = grid(3, 3)\nstate at: cell -> player?\n"
                   "move mark(c: cell)\n  when c in empty" +
                   condition + rest);
}

// Checks all proven symmetries in up to so many positions of random games.
void check_proven(Game& game, std::size_t positions) {
    const SymmetryGroup group = proven_symmetries(game.program());
    if (group.generators.empty()) return;
    ImageCheck check(game);
    play_random_games(game, game.initial(), 10, [&](const State& state, std::uint32_t) {
        Slots slots;
        game.executor().store(state, slots);
        for (const Symmetry& generator : group.generators) CHECK(check.holds(generator, slots));
        return --positions > 0;
    });
}

} // namespace

TEST_CASE("automorphisms of boards") {
    CHECK(automorphisms_of("grid(3, 3)") == 8);
    CHECK(automorphisms_of("grid(8, 8)") == 8);
    CHECK(automorphisms_of("grid(4, 3)") == 4);
    CHECK(automorphisms_of("grid(5, 1)") == 2);
    CHECK(automorphisms_of("grid(8, 8) where (x + y) mod 2 = 0") == 4);
    CHECK(automorphisms_of("hex hexagon(3)") == 12);
    CHECK(automorphisms_of("hex rhombus(3)") == 4);
    CHECK(automorphisms_of("star(2)") == 12);
    CHECK(automorphisms_of("ring(5)") == 10);
    CHECK(automorphisms_of("graph\n  a: b c d\n  b: a\n  c: a\n  d: a") == 6);
    CHECK(automorphisms_of("graph\n  a: b\n  b: c\n  c: a\n  d: a") == 1);
}

TEST_CASE("symmetries of games") {
    CHECK(symmetries_of(rules_game("tic-tac-toe")) == 8);
    CHECK(symmetries_of(rules_game("connect-four", {{"width", "5"}})) == 2);
    CHECK(symmetries_of(rules_game("othello", {{"n", "4"}})) == 4);
    CHECK(symmetries_of(rules_game("hexapawn")) == 2);
    CHECK(symmetries_of(rules_game("mu-torere")) == 2);
    CHECK(symmetries_of(rules_game("three-mens-morris")) == 8);
    CHECK(symmetries_of(rules_game("robots", {{"width", "3"}})) == 2);
    CHECK(symmetries_of(rules_game("robots")) == 1); // a turn of the board exchanges the players
    CHECK(symmetries_of(rules_game("dodgem")) == 1);
    CHECK(symmetries_of(rules_game("2048", {{"size", "2"}, {"goal", "5"}})) == 8);
    CHECK(symmetries_of(rules_game("nim")) == 1);
    // And of three heaps without objects.
    CHECK(symmetries_of(rules_game("nim", {{"a", "5"}, {"b", "5"}, {"c", "5"}})) == 6);
    CHECK(symmetries_of(rules_game("sim", {{"n", "5"}})) == 120);
    CHECK(symmetries_of(rules_game("chess")) == 1);
}

TEST_CASE("a value may be a site or a direction, alone or in a tuple, a set or a map") {
    const std::string board = "players A\nboard cell = grid(3, 3)\n";
    // A walker in the middle, who remembers the way it came.
    CHECK(symmetries_of(
              game_of(board + "state here: cell = b2\nstate from: dir?\nmove go(d: dir)\n  when some here.d\n"
                              "  then here := the here.d, from := d\nend A wins when count here.compass = 3\n")) == 8);
    CHECK(symmetries_of(game_of(board + "state met: set cell\nmove go(c: cell)\n  when c not in met\n"
                                        "  then met := met | c\nend A wins when count met = 9\n")) == 8);
    CHECK(symmetries_of(game_of(board + "state pair: (cell, bool)?\nstate seen: cell, bool -> bool\n"
                                        "move go(c: cell, b: bool)\n  when not seen[c, b]\n"
                                        "  then pair := (c, b), seen[c, b] := true\n"
                                        "end A wins when all c: cell: seen[c, true]\n")) == 8);
}

TEST_CASE("rules that tell what the board does not are no symmetry") {
    CHECK(symmetries_of(toe_with("")) == 8);
    CHECK(symmetries_of(toe_with(", c != a1 or at[b2] = me")) == 2);
    CHECK(symmetries_of(toe_with(", c != a2")) == 2);
    CHECK(symmetries_of(toe_with(", c != a1, c != b1")) == 1);
    // Seen only where a game ends.
    CHECK(symmetries_of(toe_with("", "\n  then at[c] := me\nend\n  X wins when no empty, at[a1] = X\n"
                                     "  draw when no empty\n")) == 2);
}

TEST_CASE("symmetries that follow from the rules of games") {
    CHECK(proven(rules_game("tic-tac-toe")) == 8);
    CHECK(proven(rules_game("connect-four")) == 2);
    CHECK(proven(rules_game("gomoku")) == 8);
    CHECK(proven(rules_game("othello")) == 8);
    CHECK(proven(rules_game("hex")) == 1); // sides are rows and columns by name, and belong to players
    CHECK(proven(rules_game("breakthrough")) == 2);
    CHECK(proven(rules_game("nim")) == 720); // heaps of different sizes at the start are another matter
    CHECK(proven(rules_game("chess")) == 1); // castling
}

TEST_CASE("what the board does not tell apart may be told apart by rules") {
    const auto with = [](const std::string& condition) { return proven(toe_with(condition)); };
    CHECK(with("") == 8);
    CHECK(with(", c != a1 or at[b2] = me") == 2);
    CHECK(with(", c != a2") == 2);
    CHECK(with(", c != a1, c != b1") == 1);
    CHECK(with(", c not in {a1, a3, c1, c3} or some b2 \\ empty") == 8);
    CHECK(with(", y(c) < 3 or some b2 \\ empty") == 2);
    CHECK(with(", count c.adj > 3 or some b2 \\ empty") == 8);
    CHECK(with(", no c.N & at.me") == 2);
    // A run may be looked at from either end, but not if it has to begin where there is a man of either player.
    CHECK(with(", some d in axes: some at.X.(d & at.X)^2") == 8);
    CHECK(with(", some d in axes: some at.X.(d & at.O)^2") < 8);
    CHECK(with(", some d in {N, E}: some at.X.(d & at.X)^2") == 8);
    CHECK(with(", some d in {N}: some at.X.(d & at.X)^2") == 4);
}

TEST_CASE("symmetries that follow from the rules hold in random games") {
    for (const RuleFile& file : rule_files()) {
        CAPTURE(file.name());
        Game game(load(file), ExecutorKind::Interpreter);
        check_proven(game, 40);
    }
}

TEST_CASE("whether the two players can be exchanged") {
    const auto exchange = [](Game game) { return find_player_exchange(game); };
    for (const char* name : {"chess", "breakthrough", "english-draughts", "lines-of-action", "hex", "kalah", "othello",
                             "backgammon", "amazons", "connect-four"}) {
        CAPTURE(std::string(name));
        const auto found = exchange(rules_game(name));
        CHECK(found);
        if (found) CHECK(found->then(*found) == Symmetry::identity(found->to.size()));
    }
    for (const char* name : {"fox-and-hounds", "three-tic-tac-toe", "2048", "pig"}) {
        CAPTURE(name);
        CHECK(exchange(rules_game(name)).has_value() == (std::string(name) == "pig"));
    }
    CHECK(exchange(toe_with("")));
    CHECK_FALSE(exchange(toe_with(", me = X or c != b2")));
    CHECK_FALSE(exchange(toe_with("", "\n  then at[c] := me\nend\n  me wins when line(3, at.me)\n"
                                      "  X wins when no empty\n")));
}

} // namespace zug::game
