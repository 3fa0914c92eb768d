// The scale of evaluations: what is fitted to observations, what self-play finds, and what searches make of it.

#include "game/selfplay/calibration.hpp"
#include "game/selfplay/fit.hpp"
#include "game/selfplay/kept_calibration.hpp"
#include "game/utility_of_lead.hpp"
#include "games.hpp"
#include "rule_games.hpp"
#include "search/settings.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace zug;
using test::load_rules;

namespace {

game::Traits even_traits(double low, double high) {
    return {.players = 2, .zero_sum = true, .min_utility = low, .max_utility = high, .has_eval = true};
}

} // namespace

TEST_CASE("the unit with which observations were made is found again") {
    const game::Traits traits = even_traits(-3, 3);
    for (const double unit : {0.01, 1.0, 40.0, 1e6}) {
        CAPTURE(unit);
        Random random(7);
        std::vector<game::Observation> observed;
        for (int i = 0; i < 2000; ++i) {
            const double lead = (random.unit() - 0.5) * 6 * unit;
            const double expected = utility_of_lead(lead, {.unit = unit}, traits);
            observed.push_back({lead, random.unit() < (expected + 3) / 6 ? 3.0 : -3.0});
        }
        const auto scale = fit_scale(observed, traits);
        REQUIRE(scale.has_value());
        CHECK(scale->unit > unit / 1.4);
        CHECK(scale->unit < unit * 1.4);
    }
}

TEST_CASE("where a lead says nothing, or the opposite, there is no scale") {
    const game::Traits traits = even_traits(-1, 1);
    std::vector<game::Observation> observed;
    CHECK_FALSE(fit_scale(observed, traits).has_value());
    for (int i = 0; i < 100; ++i) observed.push_back({0, 1});
    CHECK_FALSE(fit_scale(observed, traits).has_value());
    observed.clear();
    for (int i = 1; i <= 100; ++i) observed.push_back({i * 1.0, -1}), observed.push_back({-i * 1.0, 1});
    CHECK_FALSE(fit_scale(observed, traits).has_value());
    game::Traits alone = traits;
    alone.players = 1;
    CHECK_FALSE(fit_scale(observed, alone).has_value());
}

TEST_CASE("a single player's utilities are fitted by a line") {
    game::Traits traits = even_traits(0, 1000);
    traits.players = 1;
    std::vector<game::Observation> observed;
    for (int i = 0; i < 50; ++i) observed.push_back({i * 1.0, 100 + 3.0 * i + (i % 2 == 0 ? 1 : -1)});
    const auto scale = fit_scale(observed, traits);
    REQUIRE(scale.has_value());
    CHECK(scale->slope == doctest::Approx(3).epsilon(0.01));
    CHECK(scale->offset == doctest::Approx(100).epsilon(0.02));
    CHECK(utility_of_lead(1e9, *scale, traits) < 1000);
    CHECK(utility_of_lead(-1e9, *scale, traits) > 0);
}

TEST_CASE("utilities grow with the lead and stay inside the range, on every scale") {
    for (const game::EvalScale scale : {game::EvalScale{}, {.unit = 1e-3}, {.unit = 50}, {.slope = 2, .offset = 1}})
        for (const auto& traits : {even_traits(-1, 1), even_traits(-3, 2), even_traits(1, 5)}) {
            double before = traits.min_utility;
            for (double lead = -100; lead <= 100; lead += 0.5) {
                const double value = utility_of_lead(lead, scale, traits);
                CHECK(value >= before);
                CHECK(value > traits.min_utility);
                CHECK(value < traits.max_utility);
                before = value;
            }
        }
}

TEST_CASE("every executor finds the same scale") {
    for (const auto* name : {"hexapawn", "pig"}) {
        CAPTURE(name);
        game::Game game = load_rules(name);
        game::Game reference(std::make_shared<ir::Program>(game.program()), game::ExecutorKind::Reference);
        const auto scale = calibrate(game);
        CHECK(scale.has_value());
        CHECK(calibrate(game) == scale);
        if (std::string_view(name) == "hexapawn") CHECK(calibrate(reference) == scale);
        CHECK(kept_calibration(game) == scale);
        CHECK(kept_calibration(game) == scale);
    }
}

TEST_CASE("a game without an evaluation, and one whose rules fail, have no scale") {
    game::Game hex = load_rules("hex", {{"size", "3"}});
    CHECK_FALSE(calibrate(hex).has_value());
    game::Game endless(std::make_unique<test::GraphGame>(
        test::Facts{.eval = true}, std::vector<test::GraphNode>{{.kind = test::NodeKind::Decision, .children = {0}}}));
    CHECK_FALSE(calibrate(endless).has_value());
    game::Game fails(std::make_unique<test::GraphGame>(
        test::Facts{.eval = true}, std::vector<test::GraphNode>{{.kind = test::NodeKind::Decision, .children = {1}},
                                                                {.kind = test::NodeKind::Fault, .mover = 1}}));
    CHECK_FALSE(calibrate(fails).has_value());
    CHECK_FALSE(fails.faulted());
}

TEST_CASE("a calibration that is stopped is none, and is not kept") {
    game::Game game = load_rules("pig", {{"goal", "37"}});
    const std::atomic<bool> stop = true;
    CHECK_FALSE(calibrate(game, &stop).has_value());
    kept_calibration(game, &stop); // what an earlier run of the test has left on disk
    CHECK(kept_calibration(game).has_value());
}

TEST_CASE("a search uses the scale where it takes means, and leaves the game as it was") {
    game::Game game = load_rules("pig");
    const auto settings = search::parse_settings("expectimax:depth=4");
    const auto fixed = search::parse_settings("expectimax:depth=4,calibration=off");
    REQUIRE(settings.has_value());
    REQUIRE(fixed.has_value());
    const auto run = [&](const search::Settings& with) {
        return search::search(game, game.initial(), *with.method, with.limits(), with.options).value[0];
    };
    const double calibrated = run(*settings), plain = run(*fixed);
    CHECK(calibrated != plain);
    CHECK(game.eval_scale() == game::EvalScale{});
    game.use(*kept_calibration(game));
    CHECK(run(*fixed) == calibrated);
}
