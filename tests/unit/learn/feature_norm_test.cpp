#include "learn/tuples/feature_norm.hpp"

#include <doctest/doctest.h>

#include <vector>

using zug::learn::FeatureNorm;

TEST_CASE("a weight that n patterns select counts n times n, whatever was counted before") {
    FeatureNorm norm(6);
    const auto squared = [&](const std::vector<std::uint32_t>& weights) { return norm.squared(weights); };
    CHECK(squared({1, 2, 3, 4, 5, 6}) == 6);
    CHECK(squared({7, 7, 7, 7, 7, 7}) == 36);
    CHECK(squared({7, 0, 7, 0, 7, 3}) == 9 + 4 + 1);
    CHECK(squared({}) == 0);
    CHECK(squared({0, 4'294'967'295, 0, 16, 32, 48}) == 4 + 4);
    CHECK(squared({1, 2, 3, 4, 5, 6}) == 6);
}
