// Breakthrough, 8 by 8: one word per player, a1 in the lowest bit, eight bits per row.

#include "tests/bench/bits.hpp"
#include "tests/bench/perft.hpp"
#include "tests/bench/programs.hpp"

#include <array>

namespace zug::by_hand {
namespace {

constexpr Set left_column = 0x0101010101010101, right_column = left_column << 7, bottom_row = 0xFF;
constexpr int up = 8, side = 1;

// The sets of cells that White's (or Black's) men can reach by going left, straight and right, as seen by White.
struct Targets {
    std::array<Set, 3> sets;
    std::uint32_t total() const { return count(sets[0]) + count(sets[1]) + count(sets[2]); }
};

template <bool white>
struct Break {
    static constexpr int ahead = white ? up : -up;
    static constexpr std::array<int, 3> steps = {ahead - side, ahead, ahead + side};
    static constexpr Set goal = white ? bottom_row << 56 : bottom_row;

    Set mine = bottom_row | bottom_row << 8,
        theirs = bottom_row << 48 | bottom_row << 56; // of the player to move, and of the other

    bool over() const { return mine == 0 || (theirs & Break<!white>::goal) != 0; }
    Targets targets() const {
        return {{shift<steps[0]>(mine & ~left_column) & ~mine, shift<steps[1]>(mine) & ~(mine | theirs),
                 shift<steps[2]>(mine & ~right_column) & ~mine}};
    }
    template <std::size_t direction>
    Break<!white> after(Set to) const {
        return {theirs & ~to, mine ^ to ^ shift<-steps[direction]>(to)};
    }
    std::uint64_t move_count() const { return over() ? 0 : targets().total(); }
    template <class F>
    void each_next(F&& f) const {
        if (over()) return;
        const Targets found = targets();
        each(found.sets[0], [&](Set to) { f(after<0>(to)); });
        each(found.sets[1], [&](Set to) { f(after<1>(to)); });
        each(found.sets[2], [&](Set to) { f(after<2>(to)); });
    }
    // A move drawn uniformly, without a branch, since which set it comes from is unpredictable: nth() gives the empty
    // set for a number outside its set, also for one that wraps below 0.
    Break<!white> random_next(Random& random) const {
        const auto [sets] = targets();
        const std::uint32_t first = count(sets[0]), second = first + count(sets[1]);
        const std::uint32_t n = random.below(second + count(sets[2]));
        const Set left = nth(sets[0], n), straight = nth(sets[1], n - first), right = nth(sets[2], n - second);
        const Set from = shift<-steps[0]>(left) | shift<-steps[1]>(straight) | shift<-steps[2]>(right);
        const Set to = left | straight | right;
        return {theirs & ~to, mine ^ to ^ from};
    }
};

Playout play_breakthrough(Random& random) {
    Break<true> white;
    for (std::uint32_t plies = 1;; plies += 2) {
        const Break<false> black = white.random_next(random);
        if (black.over()) return {plies, 1};
        white = black.random_next(random);
        if (white.over()) return {plies + 1, -1};
    }
}

} // namespace

const Program breakthrough{"breakthrough", {}, play_breakthrough, perft<Break<true>>, perft_of_leaves<Break<true>>};

} // namespace zug::by_hand
