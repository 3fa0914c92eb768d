// How much expansion changes a leaf, as best-first searches learn it.

#include "base/random.hpp"
#include "search/best_first/change_model.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace zug;
using namespace zug::search;

TEST_CASE("what expansion changes is learned for each kind of leaf, and for unknown kinds from all") {
    ChangeModel model(2);
    const auto calm = model.kind_of(0.002), wild = model.kind_of(0.5);
    CHECK(calm < wild);
    CHECK(model.of(calm).deviation == doctest::Approx(0.1)); // a twentieth of the range
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        model.learn(calm, 0.01 + 0.002 * (random.unit() - 0.5));
        model.learn(wild, -0.3 + 1.2 * (random.unit() - 0.5));
    }
    CHECK(model.of(calm).mean == doctest::Approx(0.01).epsilon(0.1));
    CHECK(model.of(wild).mean == doctest::Approx(-0.3).epsilon(0.1));
    CHECK(model.of(wild).deviation == doctest::Approx(1.2 / std::sqrt(12)).epsilon(0.1));
    CHECK(model.of(calm).deviation < model.of(wild).deviation / 10);
    const auto unseen = model.kind_of(0.03);
    CHECK(model.of(unseen).deviation > model.of(calm).deviation);
    model.forget();
    CHECK(model.of(wild).mean == 0);
}
