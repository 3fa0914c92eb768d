// Which values variables have together: found on the way, and the same whatever is found first.

#include "folder.hpp"
#include "games.hpp"
#include "standings.hpp"

#include "game/selfplay/random_games.hpp"
#include "solve/database/verify.hpp"
#include "solve/storage/packed_combinations.hpp"

namespace zug::solve {

namespace {

using Words = std::vector<std::vector<std::uint64_t>>;

std::size_t tuples(const Combinations& combinations) {
    std::size_t count = 0;
    for (const auto& block : combinations.blocks()) count += block.tuples.size();
    return count;
}

// A bar of 4 by 17 squares: 68 of them, of which random games see a few shapes only.
game::Game bar() { return load("chomp", {{"width", "4"}, {"height", "17"}}); }

} // namespace

TEST_CASE("combinations that no random game has are found while the game is solved") {
    const Folder folder;
    game::Game game = bar();
    const auto guessed = Combinations::of_positions(game.program(), 1, positions_of_random_games(game, game.initial()));
    const auto path = folder.file(game);
    DatabaseWriter one(path, game);
    const auto solution = solve(game, game.initial(), {}, &one);
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    CHECK(solution->value == Payoffs{1, -1});
    // 5,984 shapes, of which the whole bar is only the first player's to bite, and the last square one winner's.
    CHECK(solution->positions == 2 * 5984 - 2);
    const std::string bytes = bytes_of(path);
    // The first ones are not all: else this tests nothing.
    auto all = Combinations(game.program(), 1);
    const auto groups = digit_groups(game.program());
    auto database = Database::open(path, game);
    REQUIRE(database);
    std::vector<std::uint32_t> slots;
    game::State state;
    for (std::uint64_t i = 0; i < database->positions(); ++i) {
        database->code().decode(*database->key(i), state);
        game.executor().store(state, slots);
        all.add(fields_of(groups, slots).data());
    }
    CHECK(tuples(guessed) < tuples(all));
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
    const game::SymmetryGroup none = game::SymmetryGroup::trivial(game.program().total_slots());
    CHECK(PositionCode::of(game, {}, none).error().text == too_wide);
    std::vector<std::uint32_t> slots;
    game.executor().store(game.initial(), slots);
    for (const std::uint32_t span : {1U, 4U, 8U}) {
        CAPTURE(span);
        const auto combinations = std::make_shared<Combinations>(game.program(), span);
        combinations->add(fields_of(digit_groups(game.program()), slots).data());
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
}

TEST_CASE("blocks of any length number all positions of a game, each with a number of its own") {
    for (const auto& [name, params] : std::vector<std::pair<std::string, lang::Overrides>>{
             {"tic-tac-toe", {}}, {"hexapawn", {{"height", "4"}}}, {"chomp", {}}, {"pig", {{"goal", "8"}}}}) {
        CAPTURE(name);
        game::Game game = load(name, params);
        const game::SymmetryGroup none = game::SymmetryGroup::trivial(game.program().total_slots());
        const auto groups = digit_groups(game.program());
        std::vector<std::vector<std::uint32_t>> positions;
        game::play_random_games(game, game.initial(), 50, [&](const game::State& state, std::uint32_t) {
            game.executor().store(state, positions.emplace_back());
            return true;
        });
        std::ranges::sort(positions);
        positions.erase(std::ranges::unique(positions).begin(), positions.end());
        auto combinations = std::make_shared<Combinations>();
        while (!combinations->one_block()) {
            combinations = std::make_shared<Combinations>(game.program(), combinations->wider());
            CAPTURE(combinations->span());
            for (const auto& slots : positions) combinations->add(fields_of(groups, slots).data());
            combinations->sort();
            const auto code = PositionCode::of(game, {}, none, combinations);
            REQUIRE(code);
            if (combinations->one_block()) CHECK(code->size() == positions.size());
            std::set<Key> keys;
            for (const auto& slots : positions) {
                game::State state, back;
                game.executor().load(slots, state);
                const Key key = code->encode(state);
                REQUIRE(key < code->size());
                keys.insert(key);
                code->decode(key, back);
                std::vector<std::uint32_t> again;
                game.executor().store(back, again);
                CHECK(again == slots);
            }
            CHECK(keys.size() == positions.size());
            const auto packed = pack(*combinations);
            const auto unpacked = unpack_combinations(game.program(), packed, positions.size());
            REQUIRE(unpacked);
            CHECK(pack(*unpacked) == packed);
        }
    }
}

TEST_CASE("positions of several hundred bits are solved") {
    // Two robots on 144 squares, of which blocks of 28 are numbered together.
    game::Game game = load_text(robots(12, 12));
    const Folder folder;
    const auto path = folder.file(game);
    std::string bytes;
    for (const std::uint32_t threads : {1U, 2U}) {
        Options options;
        options.threads = threads;
        DatabaseWriter writer(path, game);
        const auto solution = solve(game, game.initial(), options, &writer);
        REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
        if (threads == 2) CHECK(bytes_of(path) == bytes);
        bytes = bytes_of(path);
    }
    auto database = Database::open(path, game);
    REQUIRE_MESSAGE(database, (database ? "" : database.error().text));
    const auto check = verify(*database, game, 2, {});
    REQUIRE(check);
    CHECK(check->wrong.empty());
    const Oracle oracle(game, game.initial());
    CHECK(wrong_standings(*database, oracle) == 0);
}

TEST_CASE("a list of combinations that memory has no room for is an error") {
    game::Game game = load_text(robots(16, 16));
    Options options;
    options.budget.bytes = 200'000;
    const auto solution = solve(game, game.initial(), options);
    REQUIRE(!solution);
    CHECK(solution.error().text.starts_with(too_wide));
    CHECK(solution.error().text.find("--memory") != std::string::npos);
}

TEST_CASE("what a file says of combinations must fit the game") {
    const game::Game game = bar();
    const ir::Program& program = game.program();
    const std::size_t groups = digit_groups(program).size();
    CHECK(groups == 6);
    CHECK(Combinations::of(program, 0, {})->all());
    CHECK(Combinations::of(program, 1, Words(groups, {0, 7})));
    CHECK(!Combinations::of(program, 0, Words(groups, {0, 7})));
    CHECK(!Combinations::of(program, 2, Words(groups / 2, {0, 7})));
    CHECK(!Combinations::of(program, 16, Words{{0, 0, 0, 1}}));
    CHECK(!Combinations::of(program, 1, Words(groups + 1, {0})));
    CHECK(!Combinations::of(program, 1, Words(groups, std::vector<std::uint64_t>())));
    CHECK(!Combinations::of(program, 1, Words(groups, {7, 0})));
    CHECK(!Combinations::of(program, 1, Words(groups, {7, 7})));
    CHECK(!Combinations::of(program, 1, Words(groups, {0, 4096})));
    CHECK(!Combinations::of(program, 1, Words(groups, {0, 1ULL << 16})));
    CHECK(Combinations::of(program, 8, Words{{0, 0, 0, 1}}));
    CHECK(!Combinations::of(program, 8, Words{{0, 0, 0}}));
    CHECK(!Combinations::of(program, 8, Words{{0, 1, 0, 0}}));
    CHECK(!Combinations::of(program, 8, Words{{0, 1ULL << 32}})); // a seventh group
    CHECK(!Combinations::of(program, 8, Words{{4096, 0}}));
}

TEST_CASE("packed combinations are read with care") {
    const game::Game game = bar();
    const ir::Program& program = game.program();
    CHECK(unpack_combinations(program, {}, 0)->all());
    auto combinations = Combinations::of(program, 8, Words{{0, 0, 0, 1}});
    REQUIRE(combinations);
    const archive::Bytes good = pack(*combinations);
    CHECK(unpack_combinations(program, good, 2));
    CHECK(!unpack_combinations(program, good, 1));
    for (std::size_t i = 0; i < good.size(); ++i) {
        CHECK_MESSAGE(!unpack_combinations(program, std::span(good).first(i), i == 0 ? 0 : 2) == (i != 0), i);
        archive::Bytes bad = good;
        bad[i] ^= 0x80;
        const auto read = unpack_combinations(program, bad, 2);
        if (i < 12) CHECK_MESSAGE(!read, i);
    }
}

} // namespace zug::solve
