// The C++ library as other programs use it. Python's tests of the same functions are tests/python.

#include "api/observation.hpp"
#include "api/playouts.hpp"
#include "api/search.hpp"
#include "api/solve.hpp"
#include "base/random.hpp"
#include "tests/library.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <unistd.h>

using namespace zug;
namespace fs = std::filesystem;

namespace {

// On the interpreter, which is the same in every build.
api::Game loaded(const std::string& file, const std::map<std::string, std::string>& parameters = {}) {
    auto game = api::Game::load(file, {.parameters = parameters, .executor = "interpreter", .folders = {}});
    REQUIRE_MESSAGE(game, (game ? "" : game.error().text));
    return std::move(*game);
}

std::string error_of(const std::string& file, const api::LoadOptions& options = {}) {
    const auto game = api::Game::load(file, options);
    return game ? "" : game.error().text;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The ones and the scaled numbers of the position, block by block.
void check_observation(const api::State& state) {
    const api::Observer& observer = state.game().observer();
    std::vector<float> numbers(observer.size());
    observer.write(state, numbers);
    std::size_t offset = 0;
    for (const api::Block& block : observer.blocks()) {
        CHECK(block.offset == offset);
        CHECK(block.shape.front() == block.values.size());
        offset += block.size();
        const std::size_t plane = block.size() / block.shape.front();
        if (block.values.size() < 2) continue;
        for (std::size_t i = 0; i < plane; ++i) {
            float ones = 0;
            for (std::size_t v = 0; v < block.values.size(); ++v) ones += numbers[block.offset + v * plane + i];
            CHECK_MESSAGE(ones == 1, block.name);
        }
    }
    CHECK(offset == observer.size());
    CHECK(std::ranges::all_of(numbers, [](float number) { return number >= 0 && number <= 1; }));
}

// Plays by fixed numbers, and the same moves by their texts: both ways lead to the same positions.
void check_actions(const api::Game& game, Random& random) {
    constexpr int most_actions = 20;
    api::State by_number = game.initial(), by_text = by_number;
    for (int i = 0; i < most_actions && by_number.kind() != api::Kind::Terminal; ++i) {
        const bool chance = by_number.kind() == api::Kind::Chance;
        const auto legal = by_number.actions();
        REQUIRE(!legal.empty());
        CHECK(legal.front() >= 0);
        CHECK(legal.back() < (chance ? game.outcome_count() : game.action_count()));
        const auto probabilities = by_number.action_probabilities();
        REQUIRE(probabilities.size() == legal.size());
        if (chance) CHECK(std::accumulate(probabilities.begin(), probabilities.end(), 0.0) == doctest::Approx(1));
        const std::size_t chosen = random.below(static_cast<std::uint32_t>(legal.size()));
        CHECK(!by_number.action_text(legal[chosen]).empty());
        const api::State before = by_number;
        REQUIRE(by_number.act(legal[chosen]));
        if (!by_number.begun().empty()) continue;
        // Of the moves, one leads there.
        bool found = false;
        for (std::size_t m = 0; m < before.moves() && !found; ++m) {
            api::State after = before;
            REQUIRE(after.play(before.texts()[m]));
            found = after.hash() == by_number.hash();
        }
        CHECK(found);
    }
    CHECK(!by_number.act(-1));
    CHECK(!by_number.act(game.action_count() + game.outcome_count()));
    CHECK(by_text.hash() == game.initial().hash());
}

} // namespace

TEST_CASE("library: what can't be loaded is told") {
    CHECK(holds(error_of("tic-tac-to"), "tic-tac-toe"));
    CHECK(holds(error_of("tic-tac-toe", {.parameters = {{"size", "3"}}, .executor = "", .folders = {}}), "size"));
    CHECK(holds(error_of("tic-tac-toe", {.parameters = {}, .executor = "quickest", .folders = {}}), "quickest"));
    CHECK(holds(error_of("/nonexistent/file.zug"), "/nonexistent/file.zug"));
    const auto text = api::Game::load_text("game \"x\"\nplayers A, B\nstate at: cell -> player?\n");
    REQUIRE(!text);
    CHECK(holds(text.error().text, "cell"));
    CHECK(holds(text.error().text, ":3:"));
}

TEST_CASE("library: positions, moves and their errors") {
    const api::Game game = loaded("tic-tac-toe");
    CHECK(game.players() == std::vector<std::string>{"X", "O"});
    CHECK(game.lowest_utility() == -1);
    CHECK(game.highest_utility() == 1);
    CHECK(game.is_zero_sum());
    CHECK(!game.has_chance());
    api::State state = game.initial();
    REQUIRE(state.play("b2 a1"));
    const std::uint64_t hash = state.hash();
    CHECK(!state.play("c1 b2"));
    CHECK(!state.play(state.moves()));
    CHECK(state.hash() == hash);
    CHECK(game.position(state.text())->hash() == hash);
    CHECK(!game.position("at=9/9"));
    REQUIRE(state.play("c1 a3 a2 b1 c2"));
    CHECK(state.kind() == api::Kind::Terminal);
    CHECK(state.utilities() == std::vector<double>{1, -1});
    CHECK(state.moves() == 0);
    CHECK(!state.find("a1"));
    CHECK(state.actions().empty());
    CHECK(state.probability(0) == 0);
}

TEST_CASE("library: actions and observations of every game") {
    Random random(20);
    const auto files = test::sample(test::library(), 3);
    REQUIRE(!files.empty());
    for (const fs::path& file : files) {
        CAPTURE(file.stem().string());
        const api::Game game = loaded(file.string());
        if (game.initial().moves() > 2000) continue; // as in Amazons: that many actions are tried by their texts
        check_actions(game, random);
        check_observation(game.initial());
    }
}

TEST_CASE("library: random games don't depend on the number of threads") {
    const api::Game game = loaded("pig", {{"goal", "20"}});
    const auto one = api::playouts(game.initial(), {.games = 2000, .threads = 1, .seed = 7, .each = true});
    const auto three = api::playouts(game.initial(), {.games = 2000, .threads = 3, .seed = 7, .each = true});
    const auto other = api::playouts(game.initial(), {.games = 2000, .threads = 1, .seed = 8, .each = true});
    REQUIRE((one && three && other));
    CHECK(one->games == 2000);
    CHECK(one->utilities == three->utilities);
    CHECK(one->lengths == three->lengths);
    CHECK(one->mean == three->mean);
    CHECK(one->lengths != other->lengths);
    CHECK(std::accumulate(one->lengths.begin(), one->lengths.end(), std::uint64_t{0}) == one->plies);
    CHECK(one->mean[0] == doctest::Approx(-one->mean[1]));
    const auto cut = api::playouts(game.initial(), {.games = 10, .threads = 1, .most_plies = 3});
    REQUIRE(cut);
    CHECK(cut->cut == 10);
    CHECK(cut->plies == 30);
}

TEST_CASE("library: searches") {
    const api::Game game = loaded("tic-tac-toe");
    api::State state = game.initial();
    REQUIRE(state.play("b2 b1"));
    auto player = api::Player::make(game, "alphabeta:depth=9");
    REQUIRE(player);
    const auto found = player->search(state, {.lines = 2});
    REQUIRE(found);
    REQUIRE(found->move);
    REQUIRE(found->lines.size() == 2);
    CHECK(found->lines[0].value == std::vector<double>{1, -1});
    CHECK(found->lines[0].moves.front() == state.texts()[*found->move]);
    CHECK(found->lines[0].proven);
    CHECK(!api::Player::make(game, "alfabeta"));
    CHECK(!api::Player::make(game, "idastar"));
}

TEST_CASE("library: solutions and their databases") {
    const fs::path folder = fs::temp_directory_path() / fmt::format("zug-api-{}", ::getpid());
    const api::Game game = loaded("tic-tac-toe");
    const auto solution = api::solve(game.initial(), {.folder = folder.string(), .threads = 1});
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    CHECK(solution->positions == 5478);
    CHECK(solution->start.value == std::vector<double>{0, 0});
    {
        auto database = api::Database::open(game, folder.string());
        REQUIRE(database);
        api::State state = game.initial();
        REQUIRE(state.play("a1 b1"));
        const auto standing = database->look_up(state);
        REQUIRE(standing);
        CHECK(standing->value == std::vector<double>{1, -1});
        CHECK(standing->remoteness == 5);
        const auto moves = database->moves(state);
        REQUIRE(moves);
        CHECK(moves->size() == 7);
        CHECK(moves->front().standing.value[0] == 1);
        CHECK(moves->back().standing.value[0] < 1);
        CHECK(!api::Database::open(loaded("pig"), folder.string()));
    }
    fs::remove_all(folder);
    CHECK(!api::Database::open(game, folder.string()));
}
