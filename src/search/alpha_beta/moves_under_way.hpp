#pragma once
// Which moves the threads of one search are searching right now, so that each takes another one ("simplified ABDADA":
// Kerrigan, 2017; after Weill, "The ABDADA distributed minimax-search algorithm", 1996). A hint, and no more: moves
// whose slots collide hide each other.

#include "search/core/move_slot.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace zug::search {

class MovesUnderWay {
public:
    // A move of the position that the table has under this key, searched to a depth; never 0.
    static std::uint64_t work(std::uint64_t position, std::uint64_t move, int remaining) {
        constexpr std::uint64_t odd = 0x9E3779B97F4A7C15ULL;
        return ((position ^ (move + 1) * odd) + static_cast<std::uint64_t>(remaining)) * odd | 1;
    }
    bool contains(std::uint64_t work) const { return at(work).load(std::memory_order_relaxed) == work; }
    void enter(std::uint64_t work) { at(work).store(work, std::memory_order_relaxed); }
    void leave(std::uint64_t work) {
        if (contains(work)) at(work).store(0, std::memory_order_relaxed);
    }

private:
    static constexpr unsigned bits = 13;

    std::atomic<std::uint64_t>& at(std::uint64_t work) { return slots_[move_slot(work, bits)]; }
    const std::atomic<std::uint64_t>& at(std::uint64_t work) const { return slots_[move_slot(work, bits)]; }

    std::array<std::atomic<std::uint64_t>, std::size_t{1} << bits> slots_{};
};

} // namespace zug::search
