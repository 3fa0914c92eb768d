// Symmetries that follow from the form of the rules: how many are found, and that they hold wherever random games lead.

#include "tests/unit/game/rule_files.hpp"
#include "tests/unit/game/text_games.hpp"

#include "game/selfplay/random_games.hpp"
#include "game/symmetry/image_check.hpp"

namespace zug::game {

namespace {

using Slots = std::vector<std::uint32_t>;

std::size_t proven(const std::string& name, const lang::Overrides& params = {}) {
    const auto loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", params);
    REQUIRE(loaded.program);
    return proven_symmetries(*loaded.program).size();
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

TEST_CASE("symmetries that follow from the rules of games") {
    CHECK(proven("tic-tac-toe") == 8);
    CHECK(proven("connect-four") == 2);
    CHECK(proven("gomoku") == 8);
    CHECK(proven("othello") == 8);
    CHECK(proven("hex") == 1); // sides are rows and columns by name, and belong to players
    CHECK(proven("breakthrough") == 2);
    CHECK(proven("nim") == 720); // heaps of different sizes at the start are another matter
    CHECK(proven("chess") == 1); // castling
}

TEST_CASE("what the board does not tell apart may be told apart by rules") {
    const std::string toe = "players X, O\nboard cell = grid(3, 3)\nstate at: cell -> player?\n"
                            "move mark(c: cell)\n  when c in empty";
    const std::string end = "\n  then at[c] := me\nend\n  me wins when line(3, at.me)\n  draw when no empty\n";
    const auto with = [&](const std::string& condition) {
        return proven_symmetries(game_of(toe + condition + end).program()).size();
    };
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

} // namespace zug::game
