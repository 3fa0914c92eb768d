#pragma once
// The combinations of values that groups of variables take. If numbering every combination would take more than 63
// bits, only those that occur are numbered: usually few do (a bar of chomp is bitten off row by row).
//
// They are found like a potential function (tier_potential.hpp): those of random games are the first guess, and when
// the enumeration meets another one it starts again with that one added. In the end they are exactly the combinations
// of reachable positions, whatever was guessed first.

#include "game/game.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

// Slots with more than one value, one after the other, whose combinations are numbered together.
struct DigitGroup {
    static constexpr std::uint64_t most = 4096; // combinations, unless one slot has more values

    struct Digit {
        std::uint32_t slot = 0;
        std::uint64_t radix = 1, weight = 1; // in the number of a combination; the first slot is the lowest digit
    };
    std::vector<Digit> digits;
    std::uint64_t size = 1;

    std::uint32_t number(std::span<const std::uint32_t> slots) const {
        std::uint64_t number = 0;
        for (const Digit& digit : digits) number += slots[digit.slot] * digit.weight;
        return static_cast<std::uint32_t>(number);
    }
};
std::vector<DigitGroup> digit_groups(const ir::Program& program);

class Combinations {
public:
    // Of no group: all combinations count.
    Combinations() = default;
    // None yet.
    explicit Combinations(const ir::Program& program);
    // As numbers() gave them. Empty: they are not of this program.
    static std::optional<Combinations> of(const ir::Program& program, std::vector<std::vector<std::uint32_t>> numbers);
    // Those of some thousands of positions of random games.
    static Combinations of_random_games(game::Game& game, const game::State& start);

    bool all() const { return numbers_.empty(); }
    void add(std::span<const std::uint32_t> slots); // those of a position
    void add(const Combinations& others);
    // By group, ascending.
    const std::vector<std::vector<std::uint32_t>>& numbers() const { return numbers_; }

private:
    void add(std::size_t group, std::uint32_t number);

    std::vector<DigitGroup> groups_;
    std::vector<std::vector<std::uint32_t>> numbers_;
};

} // namespace zug::solve
