// Which values variables have together: found on the way, and the same whatever is found first.

#include "folder.hpp"
#include "games.hpp"

#include "solve/database/verify.hpp"
#include "solve/encoding/combinations.hpp"

namespace zug::solve {

namespace {

using Numbers = std::vector<std::vector<std::uint32_t>>;

// A bar of 4 by 17 squares: 68 of them, of which random games see a few shapes only.
game::Game bar() { return load("chomp", {{"width", "4"}, {"height", "17"}}); }

} // namespace

TEST_CASE("combinations that no random game has are found while the game is solved") {
    const Folder folder;
    game::Game game = bar();
    const auto guessed = Combinations::of_random_games(game, game.initial());
    const auto path = folder.file(game);
    DatabaseWriter one(path, game);
    const auto solution = solve(game, game.initial(), {}, &one);
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    CHECK(solution->value == Payoffs{1, -1});
    // 5,984 shapes, of which the whole bar is only the first player's to bite, and the last square one winner's.
    CHECK(solution->positions == 2 * 5984 - 2);
    const std::string bytes = bytes_of(path);
    // The first ones are not all: else this tests nothing.
    std::size_t known = 0, there = 0;
    for (const auto& numbers : guessed.numbers()) known += numbers.size();
    auto all = Combinations(game.program());
    auto database = Database::open(path, game);
    REQUIRE(database);
    std::vector<std::uint32_t> slots;
    game::State state;
    for (std::uint64_t i = 0; i < database->positions(); ++i) {
        database->code().decode(*database->key(i), state);
        game.executor().store(state, slots);
        all.add(slots);
    }
    for (const auto& numbers : all.numbers()) there += numbers.size();
    CHECK(known < there);
    const auto check = verify(*database, game, 2, {});
    REQUIRE(check);
    CHECK(check->wrong.empty());
    CHECK(check->positions == solution->positions);
    // With two threads other combinations are met first.
    Options two;
    two.threads = 2;
    DatabaseWriter again(path, game);
    REQUIRE(solve(game, game.initial(), two, &again));
    CHECK(bytes_of(path) == bytes);
}

TEST_CASE("a code of combinations numbers those positions, both ways, and no others") {
    game::Game game = bar();
    auto combinations = Combinations(game.program());
    std::vector<std::uint32_t> slots;
    game.executor().store(game.initial(), slots);
    combinations.add(slots);
    const SymmetryGroup none = SymmetryGroup::trivial(slots.size());
    CHECK(PositionCode::of(game, {}, none).error().text == too_wide);
    const auto code = PositionCode::of(game, {}, none, combinations);
    REQUIRE(code);
    CHECK(code->size() == 1);
    const Key key = code->encode(game.initial());
    REQUIRE(key != no_key);
    CHECK(code->own(game.initial()) == key);
    game::State state;
    code->decode(key, state);
    CHECK(code->encode(state) == key);
    CHECK(code->orbit(state) == 1);
    game::MoveList moves;
    game.expand(game.initial(), moves);
    REQUIRE(game.successor(game.initial(), moves, 0, state));
    CHECK(code->encode(state) == no_key);
}

TEST_CASE("what a file says of combinations must fit the game") {
    const game::Game game = bar();
    const std::size_t groups = digit_groups(game.program()).size();
    CHECK(groups == 6);
    CHECK(Combinations::of(game.program(), {})->all());
    CHECK(Combinations::of(game.program(), Numbers(groups, {0, 7})));
    CHECK(!Combinations::of(game.program(), Numbers(groups + 1, {0})));
    CHECK(!Combinations::of(game.program(), Numbers(groups, std::vector<std::uint32_t>())));
    CHECK(!Combinations::of(game.program(), Numbers(groups, {7, 0})));
    CHECK(!Combinations::of(game.program(), Numbers(groups, {0, 4096})));
}

} // namespace zug::solve
