#include "bytecode/byte_rows.hpp"

#include <doctest/doctest.h>

using namespace zug;

TEST_CASE("bytes that are greater than a bound") {
    for (int bound = -400; bound <= 400; ++bound)
        for (int value = -128; value < 128; ++value) {
            std::uint64_t word = 0;
            for (int k = 0; k < 8; ++k) run::set_byte(&word, static_cast<std::uint64_t>(k), value + k - 3);
            std::uint64_t expected = 0;
            for (int k = 0; k < 8; ++k) {
                const std::int64_t byte = run::byte_at(&word, static_cast<std::uint64_t>(k));
                if (value + k - 3 >= -128 && value + k - 3 < 128) REQUIRE(byte == value + k - 3);
                expected |= std::uint64_t{byte > bound} << k;
            }
            REQUIRE(run::bytes_above(word, bound) == expected);
        }
}
