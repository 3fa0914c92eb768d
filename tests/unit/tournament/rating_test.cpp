// Ratings and the sequential test against closed forms, published figures and simulations.

#include "base/random.hpp"
#include "tournament/rating.hpp"
#include "tournament/sprt.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

using namespace zug;
using namespace zug::tournament;
using doctest::Approx;

namespace {

Ratings rate(std::size_t players, const BlockCounts& blocks) {
    const BlockCounts* const one = &blocks;
    return {players, {&one, 1}};
}

PairScore score(std::uint16_t a, std::uint16_t b, std::uint16_t comparisons, std::uint16_t half_points) {
    return {a, b, comparisons, half_points};
}

// Pairs of games with 0, 0.5, ..., 2 points for the first player.
BlockCounts pentanomial(const std::array<std::uint64_t, 5>& counts) {
    BlockCounts blocks;
    for (std::uint16_t k = 0; k < 5; ++k)
        if (counts[k] > 0) blocks[{score(0, 1, 2, k)}] = counts[k];
    return blocks;
}

// The half points of a pair of games at this strength; the opening favours one seat by `bias`, in the same unit.
std::uint16_t play_pair(double elo, double bias, Random& random) {
    constexpr double draws = 0.3;
    int half_points = 0;
    for (const double seat : {bias, -bias}) {
        const double p = expected_score(elo + seat), drawn = draws * 4 * p * (1 - p), unit = random.unit();
        half_points += unit < p - drawn / 2 ? 2 : unit < p + drawn / 2 ? 1 : 0;
    }
    return static_cast<std::uint16_t>(half_points);
}

} // namespace

TEST_CASE("two players: the difference is Elo's of the score") {
    // 75 percent of the points.
    const Ratings ratings = rate(2, pentanomial({0, 10, 20, 30, 40}));
    CHECK(ratings.difference(0, 1).elo == Approx(400 * std::log10(3.0)).epsilon(1e-6));
    CHECK(ratings[0].elo == Approx(-ratings[1].elo));
    CHECK_FALSE(ratings.virtual_draws());
    CHECK(ratings.order() == std::vector<std::size_t>{0, 1});
    // The error of the mean score of 100 pairs, and one virtual pair that is half a point a game away.
    const double variance = (0.1 * 0.25 + 0.2 * 0.0625 + 0.4 * 0.0625) / 100 + 0.25 / (100 * 100);
    const double reach = 1.959964 * std::sqrt(variance) / (0.75 * 0.25) * 400 / std::numbers::ln10;
    CHECK(ratings.difference(0, 1).interval.low == Approx(400 * std::log10(3.0) - reach).epsilon(1e-5));
    CHECK(ratings.difference(0, 1).interval.high == Approx(400 * std::log10(3.0) + reach).epsilon(1e-5));
    CHECK(ratings.superiority(0, 1) + ratings.superiority(1, 0) == Approx(1));
    CHECK(rate(2, pentanomial({5, 5, 5, 5, 5})).superiority(0, 1) == Approx(0.5));
}

TEST_CASE("three players whose scores fit the model get exactly its strengths") {
    // Strengths 1, 2 and 4: a against b scores 1/3, b against c 1/3, a against c 1/5.
    BlockCounts blocks;
    blocks[{score(0, 1, 30, 20)}] = 1;
    blocks[{score(1, 2, 30, 20)}] = 1;
    blocks[{score(0, 2, 30, 12)}] = 1;
    const Ratings ratings = rate(3, blocks);
    const double doubled = 400 * std::log10(2.0);
    CHECK(ratings[1].elo == Approx(0).scale(1));
    CHECK(ratings[2].elo == Approx(doubled));
    CHECK(ratings[0].elo == Approx(-doubled));
    CHECK(ratings.difference(2, 0).elo == Approx(2 * doubled));
    CHECK(ratings.order() == std::vector<std::size_t>{2, 1, 0});
}

TEST_CASE("results that are all alike have finite ratings and intervals that shrink") {
    double before = INFINITY;
    for (const std::uint64_t pairs : {1U, 10U, 100U, 10'000U}) {
        const Ratings won = rate(2, pentanomial({0, 0, 0, 0, pairs}));
        CHECK(won.virtual_draws());
        const Rating difference = won.difference(0, 1);
        CHECK(std::isfinite(difference.interval.high));
        CHECK(difference.elo > 150);
        // Wilson's lower bound of the score is about n / (n + 4).
        const double n = static_cast<double>(2 * pairs);
        CHECK(difference.interval.low < 400 * std::log10(n / 2));
        const Ratings drawn = rate(2, pentanomial({0, 0, pairs, 0, 0}));
        CHECK_FALSE(drawn.virtual_draws());
        CHECK(drawn[0].elo == Approx(0));
        CHECK(drawn[0].interval.high > 0);
        CHECK(drawn[0].interval.high < before);
        before = drawn[0].interval.high;
    }
}

TEST_CASE("players that have not met anyone have no rating, and groups that have not met are rated all the same") {
    BlockCounts blocks;
    blocks[{score(0, 1, 2, 3)}] = 5;
    blocks[{score(0, 1, 2, 1)}] = 3;
    blocks[{score(2, 3, 2, 4)}] = 1;
    const Ratings ratings = rate(5, blocks);
    CHECK_FALSE(ratings[4].rated);
    CHECK(ratings.order().back() == 4);
    CHECK(ratings.virtual_draws());
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(ratings[k].rated);
        CHECK(std::isfinite(ratings[k].elo));
        CHECK(ratings[k].interval.low < ratings[k].interval.high);
    }
    CHECK_FALSE(rate(3, {})[0].rated);
}

TEST_CASE("intervals hold the true strength in about 95 of 100 tournaments") {
    Random random(1);
    for (const double elo : {0.0, 150.0})
        for (const double bias : {0.0, 200.0}) {
            const double mean = (expected_score(elo + bias) + expected_score(elo - bias)) / 2;
            const double truth = 400 * std::log10(mean / (1 - mean));
            int held = 0;
            constexpr int tournaments = 500;
            for (int t = 0; t < tournaments; ++t) {
                BlockCounts blocks;
                for (int pair = 0; pair < 60; ++pair) ++blocks[{score(0, 1, 2, play_pair(elo, bias, random))}];
                const auto interval = rate(2, blocks).difference(0, 1).interval;
                held += interval.low <= truth && truth <= interval.high ? 1 : 0;
            }
            CAPTURE(elo);
            CAPTURE(bias);
            // Three standard errors of 500 tosses with a probability of 0.95 are 0.03.
            CHECK(held >= tournaments * 0.92);
            CHECK(held <= tournaments * 0.985);
        }
}

TEST_CASE("the log likelihood ratio is that of published tests of pairs") {
    // Tests of the chess program Stockfish in 2020, as its developers published them: the counts of pairs, the bounds
    // in Elo, and the ratio.
    struct Published {
        std::array<std::uint64_t, 5> pairs;
        double elo0, elo1, llr;
    };
    for (const Published& test :
         {Published{{17, 253, 1042, 337, 39}, -0.5, 1.5, 2.96}, Published{{59, 754, 2467, 865, 75}, -0.5, 1.5, 2.95},
          Published{{253, 4282, 17604, 4431, 286}, -0.25, 1.25, 2.94},
          Published{{11, 407, 3238, 513, 11}, 0.25, 1.75, 2.93}})
        CHECK(log_likelihood_ratio(test.pairs, test.elo0, test.elo1) == Approx(test.llr).epsilon(0.0017));
}

TEST_CASE("the sequential test errs as rarely as it says") {
    const SprtOptions options{.elo0 = 0, .elo1 = 60};
    const SprtBounds bounds = sprt_bounds(options);
    CHECK(bounds.accept_h1 == Approx(std::log(19)));
    CHECK(bounds.accept_h0 == Approx(-std::log(19)));
    Random random(7);
    constexpr int tests = 300;
    const auto accepted = [&](double elo) {
        int h1 = 0;
        std::uint64_t pairs = 0;
        for (int test = 0; test < tests; ++test) {
            std::array<std::uint64_t, 5> counts{};
            auto decision = SprtDecision::None;
            while (decision == SprtDecision::None) {
                ++counts[play_pair(elo, 0, random)];
                ++pairs;
                decision = sprt_decision(log_likelihood_ratio(counts, options.elo0, options.elo1), bounds);
            }
            h1 += decision == SprtDecision::AcceptH1 ? 1 : 0;
        }
        CHECK(pairs < tests * 400U);
        return h1;
    };
    // Three standard errors of 300 tosses with a probability of 0.05 are 0.038.
    CHECK(accepted(0) < tests * 0.088);
    CHECK(accepted(60) > tests * 0.912);
}

TEST_CASE("the options of the sequential test") {
    const auto test = parse_sprt("0,10");
    REQUIRE(test.has_value());
    CHECK(test->elo1 == 10);
    CHECK(test->alpha == 0.05);
    CHECK(parse_sprt("-3.5,+1.5,0.1,0.02")->beta == 0.02);
    for (const char* wrong : {"", "5", "a,b", "0,10,", "0,10,0.05,0.05,1", "0,,10", "nan,1", "0;10"})
        CHECK(parse_sprt(wrong).error().text.find("must be two Elo differences") != std::string::npos);
    CHECK(parse_sprt("10,0").error().text == "the first Elo difference must be less than the second");
    CHECK(parse_sprt("0,1e9").error().text == "the Elo differences must be within 2000");
    CHECK(parse_sprt("0,10,0.5").error().text == "an error probability must be between 0 and 0.5");
}
