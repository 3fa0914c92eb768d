#pragma once
// The combinations of values that groups of variables take. If numbering every combination would take more than 63
// bits, only those that occur are numbered: usually few do (in Chomp each row is at most as long as the one below it).
// First those of each group; if even their numbers are too many together, those of blocks of 4 groups, of 8, and so on,
// up to one block of all groups, whose combinations are the positions themselves. So every game has a numbering.
//
// They are found like a potential function (tier_potential.hpp): those of random games are the first guess, and when
// the enumeration meets another one, it is added and the enumeration starts again. In the end they are exactly the
// combinations of reachable positions, whatever was guessed first, and blocks are as small as they can be.

#include "game/game.hpp"
#include "solve/encoding/tuple_set.hpp"

#include <cstdint>
#include <optional>
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

// The numbers of a position's combinations, group by group, as fields of 64-bit words.
namespace fields {

inline constexpr std::uint32_t per_word = 4, bits = 16;
constexpr std::size_t words(std::size_t groups) { return (groups + per_word - 1) / per_word; }
constexpr unsigned shift(std::size_t group) { return static_cast<unsigned>(group % per_word) * bits; }
inline std::uint32_t get(const std::uint64_t* words, std::size_t group) {
    return static_cast<std::uint32_t>(words[group / per_word] >> shift(group) & ((1U << bits) - 1));
}

} // namespace fields

class Combinations {
public:
    // Groups `first` to `first + groups - 1`, and which tuples of their fields occur.
    struct Block {
        std::uint32_t first = 0, groups = 0;
        TupleSet tuples;
    };

    // Every combination has a number.
    Combinations() = default;
    // The spans to try, from the first, 0, on: 1, 4, 8, 16, and so on.
    static constexpr std::uint32_t wider(std::uint32_t span) {
        return span == 0 ? 1 : span == 1 ? fields::per_word : 2 * span;
    }
    // The blocks of the program, of so many groups each, with no combination yet.
    Combinations(const ir::Program& program, std::uint32_t span);
    // What the words of blocks were, as Block::tuples gives them. Empty: they do not fit the program or don't ascend,
    // or the span is none to try.
    static std::optional<Combinations> of(const ir::Program& program, std::uint32_t span,
                                          std::span<const std::vector<std::uint64_t>> words);
    // Blocks of so many groups with the combinations of these positions, which are given by their words of fields, or
    // of the first of them until there are too_many(). Sorted.
    static Combinations of_positions(const ir::Program& program, std::uint32_t span, const TupleSet& positions);

    bool all() const { return blocks_.empty(); }
    std::uint32_t span() const { return span_; } // groups a block; 0: all() of them have a number
    std::uint32_t wider() const { return wider(span_); }
    bool one_block() const { return blocks_.size() == 1; }
    const std::vector<Block>& blocks() const { return blocks_; }
    std::size_t bytes() const;
    bool has_room() const; // for another combination

    bool too_many() const;                   // numbers of all that they make together would take more than 63 bits
    void add(const std::uint64_t* position); // its combinations, from its words of fields
    void sort();                             // so that numbers do not depend on what was added first

private:
    void add_to(Block& block, const std::uint64_t* position);

    std::uint32_t span_ = 0;
    std::vector<Block> blocks_;
};

// The words of fields of a position with these slots.
std::vector<std::uint64_t> fields_of(std::span<const DigitGroup> groups, std::span<const std::uint32_t> slots);
// Those of the positions of some hundred random games.
TupleSet positions_of_random_games(game::Game& game, const game::State& start);

} // namespace zug::solve
