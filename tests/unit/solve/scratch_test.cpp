// Arrays that memory has no room for.

#include "solve/storage/scratch.hpp"

#include <doctest/doctest.h>

namespace zug::solve {

TEST_CASE("arrays in files keep what is put there, and little of them stays in memory") {
    constexpr std::size_t size = 4 << 20, page = 512; // numbers
    constexpr std::uint64_t free = 4 << 20;           // bytes, of 32 MB
    Work work({});
    Scratch scratch(work, free, {.all = UINT64_MAX, .positions = UINT64_MAX});
    CHECK(scratch.positions_in_files());
    const std::uint64_t before = resident_memory();
    auto numbers = scratch.of_positions<std::uint64_t>(size);
    REQUIRE(!work.io_error().any());
    std::uint64_t most = 0, wrong = 0;
    for (std::size_t i = 0; i < size; ++i) {
        wrong += numbers[i]; // all are 0 at first
        numbers[i] = i * i;
        if (i % page != 0) continue;
        scratch.look();
        most = std::max(most, resident_memory());
    }
    for (std::size_t i = size; i-- > 0;) {
        wrong += numbers[i] == i * i ? 0 : 1;
        if (i % page != 0) continue;
        scratch.look();
        most = std::max(most, resident_memory());
    }
    CHECK(wrong == 0);
    CHECK(most < before + 4 * free);
}

TEST_CASE("arrays lie in memory where there is room, those of moves in files before those of positions") {
    Work work({});
    constexpr Scratch::Need need{.all = 1000, .positions = 100};
    for (const auto& [free, positions, moves] :
         {std::tuple(1000, false, false), {999, false, true}, {100, false, true}, {99, true, true}}) {
        const Scratch scratch(work, static_cast<std::uint64_t>(free), need);
        CHECK(scratch.positions_in_files() == positions);
        CHECK(scratch.moves_in_files() == moves);
    }
}

} // namespace zug::solve
