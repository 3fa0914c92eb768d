// Means and intervals against values worked out elsewhere.

#include "match/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace zug::match;
using doctest::Approx;

TEST_CASE("a sample knows its mean, deviation and Student's interval") {
    Sample sample;
    CHECK_FALSE(sample.interval().has_value());
    for (const double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) sample.add(x);
    CHECK(sample.count() == 8);
    CHECK(sample.mean() == Approx(5));
    CHECK(sample.sum() == Approx(40));
    CHECK(sample.deviation() == Approx(std::sqrt(32.0 / 7)));
    CHECK(sample.least() == 2);
    CHECK(sample.greatest() == 9);
    // t(0.975, 7 degrees) = 2.364624
    const double reach = 2.364624 * std::sqrt(32.0 / 7) / std::sqrt(8.0);
    CHECK(sample.interval()->low == Approx(5 - reach).epsilon(1e-6));
    CHECK(sample.interval()->high == Approx(5 + reach).epsilon(1e-6));
}

TEST_CASE("two observations have a wide interval, equal ones none to speak of") {
    Sample two;
    two.add(0);
    two.add(1);
    // t(0.975, 1 degree) = 12.706205
    CHECK(two.interval()->high - 0.5 == Approx(12.706205 * 0.5).epsilon(1e-6));
    Sample equal;
    for (int i = 0; i < 5; ++i) equal.add(-1);
    CHECK(equal.interval()->low == -1);
    CHECK(equal.interval()->high == -1);
    Sample whole; // whole numbers add up to a whole number
    for (int i = 0; i < 1000; ++i) whole.add(i % 10 < 7 ? 1 : -1);
    CHECK(whole.sum() == 400);
    CHECK(whole.mean() == 0.4);
}

TEST_CASE("Wilson's interval stays inside 0..1") {
    CHECK_FALSE(wilson(0, 0).has_value());
    CHECK(wilson(5, 10)->low == Approx(0.236593).epsilon(1e-5));
    CHECK(wilson(5, 10)->high == Approx(0.763407).epsilon(1e-5));
    CHECK(wilson(0, 10)->low == Approx(0));
    CHECK(wilson(0, 10)->high == Approx(0.277533).epsilon(1e-5));
    CHECK(wilson(10, 10)->high == Approx(1));
    CHECK(wilson(90, 100)->low == Approx(0.825635).epsilon(1e-5));
}

TEST_CASE("Elo's scale") {
    CHECK(elo(0.5) == Approx(0));
    CHECK(elo(0.75) == Approx(190.848).epsilon(1e-5));
    CHECK(elo(0.25) == Approx(-190.848).epsilon(1e-5));
    CHECK(std::isinf(elo(1)));
    CHECK(elo(0) < 0);
}
