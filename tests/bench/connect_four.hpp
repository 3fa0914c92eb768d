#pragma once
// Connect Four, 7 by 6: seven bits per column, of which the seventh is always free so that lines don't run from one
// column into the next (J. Tromp's Fhourstones).

#include "tests/bench/bits.hpp"

#include <optional>

namespace zug::by_hand {

struct Connect {
    static constexpr int columns = 7, rows = 6, stride = rows + 1;
    static constexpr Set bottom = [] {
        Set set = 0;
        for (int column = 0; column < columns; ++column) set |= Set{1} << column * stride;
        return set;
    }();
    static constexpr Set board = bottom * ((Set{1} << rows) - 1);

    Set mine = 0, theirs = 0; // of the player to move, and of the one who has just moved

    static bool lined(Set set) {
        constexpr Four steps = {1, stride - 1, stride, stride + 1};
        const Four all = all_four(set), pairs = all & all >> steps;
        return any_of_four(pairs & pairs >> (steps + steps)) != 0;
    }
    // The lowest free cell of each column. Adding to the lowest bits carries through the discs above them.
    Set drops() const { return ((mine | theirs) + bottom) & board; }
    // The lowest free cell of one column.
    Set drop(std::uint32_t column) const {
        const Set lowest = Set{1} << column * stride;
        return ((mine | theirs) + lowest) & lowest * ((Set{1} << rows) - 1);
    }
    bool lost() const { return lined(theirs); }
    Set moves() const { return lost() ? 0 : drops(); }
    std::uint64_t move_count() const { return count(moves()); }
    Connect after(Set cell) const { return {theirs, mine | cell}; }
    template <class F>
    void each_next(F&& f) const {
        each(moves(), [&](Set cell) { f(after(cell)); });
    }
    std::optional<int> outcome() const {
        if (lost()) return -1;
        return drops() == 0 ? std::optional(0) : std::nullopt;
    }
    template <class F>
    void after_each(F&& f) const {
        for (Set left = drops(); left != 0; left &= left - 1)
            if (f(after(left & (0 - left)))) return;
    }
};

} // namespace zug::by_hand
