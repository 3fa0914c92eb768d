// Chance nodes: what Star1 and Star2 look at, and sampling.

#include "games.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

using namespace zug;
using namespace zug::search;

namespace {

std::uint64_t counted(const Result& result, std::string_view name) {
    const auto found = std::ranges::find(result.counts, name, &Count::name);
    REQUIRE(found != result.counts.end());
    return found->value;
}

// The first player takes 3, or lets an even chance choose where the second chooses between 2 and more.
game::Game refuted_gamble() {
    using test::NodeKind;
    std::vector<test::GraphNode> nodes(9);
    nodes[0] = {.kind = NodeKind::Decision, .children = {1, 2}, .values = {0, 0}};
    nodes[1].values = {3, -3};
    nodes[2] = {.kind = NodeKind::Chance, .mover = 1, .children = {3, 4}, .weights = {1, 1}, .values = {0, 0}};
    nodes[3] = {.kind = NodeKind::Decision, .mover = 1, .children = {5, 6}, .values = {0, 0}};
    nodes[4] = {.kind = NodeKind::Decision, .mover = 1, .children = {7, 8}, .values = {0, 0}};
    nodes[5].values = nodes[7].values = {2, -2};
    nodes[6].values = nodes[8].values = {9, -9};
    return game::Game(std::make_unique<test::GraphGame>(test::Facts{.chance = true, .lo = -10, .hi = 10}, nodes));
}

// One event with so many outcomes, each of equal weight, and what the first player gets then.
game::Game lottery(const std::vector<double>& prizes, double lo, double hi) {
    std::vector<test::GraphNode> nodes(1 + prizes.size());
    nodes[0] = {.kind = test::NodeKind::Chance, .values = {0, 0}};
    for (std::size_t i = 0; i < prizes.size(); ++i) {
        nodes[0].children.push_back(1 + i);
        nodes[0].weights.push_back(1);
        nodes[1 + i].values = {prizes[i], -prizes[i]};
    }
    return game::Game(std::make_unique<test::GraphGame>(test::Facts{.chance = true, .lo = lo, .hi = hi}, nodes));
}

} // namespace

TEST_CASE("Star1 leaves out one leaf of a refuted gamble, and Star2 two") {
    game::Game game = refuted_gamble();
    for (const auto& [star, leaves] : {std::pair{Star::Off, 5}, {Star::Star1, 4}, {Star::Star2, 3}}) {
        CAPTURE(static_cast<int>(star));
        Options options;
        options.star = star;
        int seen = 0;
        Limits limits;
        limits.trace = [&](const Visit& visit) { seen += visit.leaf ? 1 : 0; };
        const Result result = search::search(game, game.initial(), Method::Expectimax, limits, options);
        CHECK(result.value == std::vector<double>{3, -3});
        CHECK(result.exact);
        CHECK(seen == leaves);
        CHECK(counted(result, "probes") == (star == Star::Star2 ? 2 : 0));
        CHECK(counted(result, "of them by probes") == (star == Star::Star2 ? 1 : 0));
        CHECK(counted(result, "cut-offs at chance nodes") == (star == Star::Off ? 0 : 1));
    }
}

TEST_CASE("a sampled chance node is an estimate with a stated error, the same in every search") {
    constexpr std::uint32_t samples = 50;
    const double error = 2 * std::sqrt(std::log(40.0) / (2.0 * samples));
    Options sampling;
    sampling.samples = samples;
    int near = 0, different = 0;
    constexpr int trials = 200;
    for (std::uint64_t seed = 0; seed < trials; ++seed) {
        Random random(seed);
        std::vector<double> prizes(51 + random.below(100));
        for (double& prize : prizes) prize = random.below(2) == 0 ? -1 : 1;
        double mean = 0;
        for (const double prize : prizes) mean += prize / static_cast<double>(prizes.size());
        game::Game game = lottery(prizes, -1, 1);
        const Result all = search::search(game, game.initial(), Method::Expectimax, {});
        const Result some = search::search(game, game.initial(), Method::Expectimax, {}, sampling);
        CHECK(all.value[0] == doctest::Approx(mean));
        CHECK(all.exact);
        CHECK(all.sampling_error == 0);
        CHECK_FALSE(some.exact);
        CHECK(some.sampling_error == doctest::Approx(error));
        CHECK(some.value == search::search(game, game.initial(), Method::Expectimax, {}, sampling).value);
        near += std::abs(some.value[0] - mean) <= error ? 1 : 0;
        different += some.value != all.value ? 1 : 0;
    }
    CHECK(near >= trials * 95 / 100);
    CHECK(different > trials / 2);
}

TEST_CASE("a node with no more outcomes than samples is not sampled") {
    game::Game game = lottery({1, -1, 0.5}, -1, 1);
    Options options;
    options.samples = 3;
    const Result result = search::search(game, game.initial(), Method::Expectimax, {}, options);
    CHECK(result.value[0] == doctest::Approx(0.5 / 3));
    CHECK(result.exact);
    CHECK(result.sampling_error == 0);
}

TEST_CASE("a win in every outcome of a sample is no proof") {
    std::vector<double> prizes(1000, 1.0);
    prizes.back() = -1;
    game::Game game = lottery(prizes, -1, 1);
    Options options;
    options.samples = 5;
    const Result result = search::search(game, game.initial(), Method::Expectimax, {}, options);
    CHECK(result.value[0] == 1);
    CHECK_FALSE(result.exact);
}

TEST_CASE("of equal samples every way of pruning has the same value") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        test::RandomGraph shape;
        shape.facts = {.chance = true, .eval = true, .lo = -3, .hi = 3};
        shape.events = 0.4;
        shape.branching = 6;
        shape.nodes = 40;
        game::Game game = test::random_graph(shape, seed);
        CAPTURE(seed);
        Limits limits;
        limits.depth = 6;
        Options options;
        options.samples = 3;
        options.pruning = options.table = false;
        const Result plain = search::search(game, game.initial(), Method::Expectimax, limits, options);
        options.pruning = true;
        for (const Star star : {Star::Off, Star::Star1, Star::Star2})
            for (const bool table : {false, true}) {
                CAPTURE(static_cast<int>(star));
                options.star = star;
                options.table = table;
                CHECK(search::search(game, game.initial(), Method::Expectimax, limits, options).value == plain.value);
            }
    }
}
