#pragma once
// Positions as numbers: the slots of a position (ir/program.hpp) that rules can change are the digits of a number of
// mixed radix, each with as many values as its type has. Above them stands the position's measure (measure.hpp), so
// that the positions of a tier are neighbours. The number depends on the program and the measure alone and not on what
// executes it, which is why databases are keyed by it.
//
// Both ways go through tables made by asking the executor where it keeps which value. A slot's values must lie in bits
// of a state that no other slot uses, and either add up bit by bit or lie close together (every layout of src/run is
// so); then a number is a sum with one term for each byte of a state, and a state is an `or` with one term for each
// group of digits.

#include "game/game.hpp"
#include "solve/measure.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::solve {

// Below 2^63: the greatest numbers are free to stand for nothing.
using Key = std::uint64_t;
inline constexpr Key no_key = UINT64_MAX;

class PositionCode {
public:
    // An error: a position takes more than 63 bits, or the executor's states are of another kind.
    static tl::expected<PositionCode, game::Error> of(game::Game& game, const Measure& measure);

    Key encode(const game::State& state) const {
        Key key = offset_;
        for (const Window& window : windows_)
            key += tables_[window.table + (state.words[window.word] >> window.shift & window.mask)];
        return key;
    }
    // A state without a past.
    void decode(Key key, game::State& state) const;

    std::uint32_t tier(Key key) const { return static_cast<std::uint32_t>(key >> tier_shift_); }
    // What a key is without its tier: a number below size().
    std::uint64_t rank(Key key) const { return key & ((Key{1} << tier_shift_) - 1); }
    std::uint64_t size() const { return size_; }

private:
    // A slot as the code sees it: where each of its values lies in the words of a state.
    struct Digit {
        std::uint32_t slot = 0;
        std::uint64_t radix = 1, weight = 1;
    };
    // Bits of a state that are looked up together.
    struct Window {
        std::uint16_t word, shift, mask;
        std::uint32_t table;
    };
    // Digits next to each other that are read together.
    struct Group {
        std::uint64_t radix = 1;
        std::uint32_t first = 0; // into patterns_
        std::uint16_t width = 0; // words a pattern sets
        std::uint32_t words = 0; // into group_words_: which
    };

    using Words = std::vector<std::uint64_t>;

    bool find_digits(const ir::Program& program, const Measure& measure, std::string& why);
    bool find_patterns(game::Game& game, const Measure& measure);
    void find_base(game::Game& game, std::vector<std::uint32_t>& slots);
    bool add_bits(const std::vector<Words>& patterns, const std::vector<Key>& terms, std::vector<Key>& weights) const;
    bool add_window(const std::vector<Words>& patterns, const std::vector<Key>& terms);
    void add_bytes(const Words& used, const std::vector<Key>& weights);
    void make_groups(const std::vector<std::vector<Words>>& patterns);

    std::vector<Digit> digits_; // least significant first
    std::uint64_t size_ = 1;
    std::uint32_t tier_shift_ = 0;
    Key offset_ = 0;
    std::vector<Window> windows_;
    std::vector<Key> tables_;
    std::vector<Group> groups_;
    std::vector<std::uint16_t> group_words_;
    std::vector<std::uint64_t> patterns_;
    std::vector<std::uint64_t> base_; // the words where every slot has the value that sets the fewest bits
};

} // namespace zug::solve
