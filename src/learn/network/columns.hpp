#pragma once
// The inputs of a network: what each slot of a position holds. A value above the first of its slot has a column of
// weights, one for each hidden unit; a hidden unit adds up those of the values that the position holds, so that a move
// changes the sums by the columns of a few slots only (Y. Nasu, Efficiently Updatable Neural-Network-based Evaluation
// Functions for Computer Shogi, 28th World Computer Shogi Championship Appeal Document, 2018).

#include "game/game.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::learn {

struct Columns {
    std::vector<std::uint32_t> first;  // by slot: the column of its value 1; and the end
    std::vector<std::uint8_t> shifts;  // by slot: a value v counts as v >> shift
    std::vector<std::uint8_t> numbers; // by slot: 1 where values are numbers, which are alike if they are close

    std::size_t slots() const { return shifts.size(); }
    std::uint32_t count() const { return first.back(); }
    std::uint32_t values(std::size_t slot) const { return first[slot + 1] - first[slot]; } // but for the first

    friend bool operator==(const Columns&, const Columns&) = default;
};

// Of all variables that rules change, but for counters of the history, by which positions are not told apart.
Columns find_columns(const game::Game& game);

// Slots that hold the same things, as the squares of a board do. What a value means in one of them, it means in part in
// the others, so what is learned of it for one is learned in part for all.
struct Family {
    std::uint32_t first_slot = 0, slots = 0;
};
// Of each variable whose values are not numbers, those of one player where its first index is a player.
std::vector<Family> find_families(const game::Game& game);

// Whether every value that a slot can have has its column.
bool fits(const Columns& columns, const game::Game& game);

// The sums of the hidden units, kept from position to position.
template <class Number>
class Sums {
public:
    Sums(const Columns& columns, std::uint32_t units) : columns_(columns), slots_(columns.slots()), sums_(units) {}

    // Weights may have changed.
    void forget() { known_ = false; }
    // `weights`: by column, then unit; `bias`: by unit.
    std::span<const Number> update(std::span<const std::uint32_t> slots, const Number* weights, const Number* bias) {
        if (!known_) {
            std::ranges::fill(slots_, 0U);
            std::copy_n(bias, sums_.size(), sums_.begin());
            known_ = true;
        }
        for (std::size_t s = 0; s < slots_.size(); ++s) {
            if (slots[s] == slots_[s]) continue;
            const std::uint32_t after = slots[s] >> columns_.shifts[s], before = slots_[s] >> columns_.shifts[s];
            slots_[s] = slots[s];
            if (after == before || columns_.values(s) == 0) continue;
            const Number* const column = weights + std::size_t{columns_.first[s]} * sums_.size();
            if (before > 0) subtract(column + (before - 1) * sums_.size());
            if (after > 0) add(column + (after - 1) * sums_.size());
        }
        return sums_;
    }

private:
    void add(const Number* column) {
        for (std::size_t u = 0; u < sums_.size(); ++u) sums_[u] = static_cast<Number>(sums_[u] + column[u]);
    }
    void subtract(const Number* column) {
        for (std::size_t u = 0; u < sums_.size(); ++u) sums_[u] = static_cast<Number>(sums_[u] - column[u]);
    }

    const Columns& columns_;
    std::vector<std::uint32_t> slots_; // of the last position
    std::vector<Number> sums_;
    bool known_ = false;
};

} // namespace zug::learn
