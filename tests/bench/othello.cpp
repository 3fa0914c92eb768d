// Othello, 8 by 8: one word per player, a1 in the lowest bit, eight bits per row. All eight directions are filled at
// once, four to a vector, by parallel prefix (as the move generators of R. Delorme's Edax do).

#include "tests/bench/bits.hpp"
#include "tests/bench/perft.hpp"
#include "tests/bench/programs.hpp"

namespace zug::by_hand {
namespace {

constexpr Set inner = 0x7E7E7E7E7E7E7E7E; // without the outer columns: a disc there isn't enclosed along a row
constexpr Four distances = {1, 7, 8, 9};
constexpr Four enclosable = {inner, inner, ~Set{0}, inner};

// The discs of `foe` in unbroken rows that begin beside `from`; at most six can be enclosed.
constexpr Four fill_up(Four from, Four foe) {
    Four filled = foe & (from << distances);
    filled |= foe & (filled << distances);
    const Four pairs = foe & (foe << distances);
    filled |= pairs & (filled << (distances + distances));
    filled |= pairs & (filled << (distances + distances));
    return filled;
}
constexpr Four fill_down(Four from, Four foe) {
    Four filled = foe & (from >> distances);
    filled |= foe & (filled >> distances);
    const Four pairs = foe & (foe >> distances);
    filled |= pairs & (filled >> (distances + distances));
    filled |= pairs & (filled >> (distances + distances));
    return filled;
}

struct Discs {
    Set mine = Set{1} << 28 | Set{1} << 35, theirs = Set{1} << 27 | Set{1} << 36; // of the player to move; the other's

    Discs passed() const { return {theirs, mine}; }
    Set placements() const {
        const Four foe = all_four(theirs) & enclosable, from = all_four(mine);
        return any_of_four((fill_up(from, foe) << distances) | (fill_down(from, foe) >> distances)) & ~(mine | theirs);
    }
    Discs after(Set cell) const {
        const Four foe = all_four(theirs) & enclosable, own = all_four(mine), from = all_four(cell);
        const Four up = fill_up(from, foe), down = fill_down(from, foe);
        // Discs are turned only where one of the mover's own stands at the other end. A comparison gives all bits or
        // none.
        const Four up_held = reinterpret_cast<Four>(((up << distances) & own) != 0);
        const Four down_held = reinterpret_cast<Four>(((down >> distances) & own) != 0);
        const Set turned = any_of_four((up & up_held) | (down & down_held));
        return {theirs ^ turned, mine ^ turned ^ cell};
    }
    // A player without a move passes, unless neither player has one.
    std::uint64_t move_count() const {
        const Set found = placements();
        return found != 0 ? count(found) : passed().placements() != 0 ? 1 : 0;
    }
    template <class F>
    void each_next(F&& f) const {
        const Set found = placements();
        if (found == 0 && passed().placements() != 0) return f(passed());
        each(found, [&](Set cell) { f(after(cell)); });
    }
};

Playout play_othello(Random& random) {
    Discs at;
    bool first = true;
    for (std::uint32_t plies = 0;; ++plies, first = !first) {
        Set found = at.placements();
        if (found == 0) {
            at = at.passed();
            found = at.placements();
            if (found == 0) {
                // `at` is seen by the other player now.
                const int ahead = static_cast<int>(count(at.theirs)) - static_cast<int>(count(at.mine));
                return {plies, first ? ahead : -ahead};
            }
            ++plies;
            first = !first;
        }
        at = at.after(nth(found, random.below(count(found))));
    }
}

} // namespace

const Program othello{"othello", {}, play_othello, perft<Discs>, perft_of_leaves<Discs>};

} // namespace zug::by_hand
