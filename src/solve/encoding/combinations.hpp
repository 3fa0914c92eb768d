#pragma once
// The combinations of values that groups of variables take. If numbering every combination would take more than 63
// bits, only those that occur are numbered: usually few do (in Chomp each row is at most as long as the one below it).
//
// They are found like a potential function (tier_potential.hpp): those of random games are the first guess, and when
// the enumeration meets another one, it is added and the enumeration starts again. In the end they are exactly the
// combinations of reachable positions, whatever was guessed first.

#include "game/game.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

// Consecutive slots with more than one value each, whose combinations of values are numbered together.
struct DigitGroup {
    static constexpr std::uint64_t most = 4096; // combinations, unless a single slot has more values

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
    // No groups: every combination has a number.
    Combinations() = default;
    // The groups of the program, with no combination yet.
    explicit Combinations(const ir::Program& program);
    // From what numbers() returned. Empty: the numbers do not fit the program.
    static std::optional<Combinations> of(const ir::Program& program, std::vector<std::vector<std::uint32_t>> numbers);
    // The combinations in the positions of a thousand random games, or as soon as they are too many to be numbered.
    static Combinations of_random_games(game::Game& game, const game::State& start);

    bool all() const { return numbers_.empty(); }
    bool too_many() const; // numbers of all that they make together would take more than 63 bits
    void add(std::span<const std::uint32_t> slots); // the combinations of one position
    void add(const Combinations& others);
    // By group, ascending.
    const std::vector<std::vector<std::uint32_t>>& numbers() const { return numbers_; }

private:
    void add(std::size_t group, std::uint32_t number);

    std::vector<DigitGroup> groups_;
    std::vector<std::vector<std::uint32_t>> numbers_;
};

} // namespace zug::solve
