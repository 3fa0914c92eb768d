#pragma once
// Positions as numbers: the slots of a position (ir/program.hpp) that rules can change are the digits of a number of
// mixed radix, each with as many values as its type has. Above them stands the position's measure (measure.hpp), so
// that the positions of a tier are neighbours. The number depends on the program and the measure alone and not on what
// executes it, which is why databases are keyed by it.
//
// With symmetries (symmetry.hpp) the number that stands for a position is the least of those of its images. An image's
// number is the same sum with other terms; the terms of the images lie side by side, so that one look-up serves a lane
// of up to 32 of them.
//
// Both ways go through tables made by asking the executor where it keeps which value. A slot's values must lie in bits
// of a state that no other slot uses, and either add up bit by bit or lie close together (every layout of src/run is
// so); then a number is a sum with one term for each byte of a state, and a state is an `or` with one term for each
// group of digits.

#include "game/game.hpp"
#include "solve/combinations.hpp"
#include "solve/measure.hpp"
#include "solve/symmetry.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace zug::solve {

// Below 2^63: the greatest numbers are free to stand for nothing.
using Key = std::uint64_t;
inline constexpr Key no_key = UINT64_MAX;

// The error of a code that would take more bits.
inline constexpr std::string_view too_wide = "a position takes more than 63 bits: the game is too large to be solved";

class PositionCode {
public:
    // Of all combinations, or of those that are given; there must be no symmetries then. An error: `too_wide`, or the
    // executor's states are of another kind.
    static tl::expected<PositionCode, game::Error> of(game::Game& game, const Measure& measure,
                                                      const SymmetryGroup& symmetries,
                                                      const Combinations& combinations = {});

    // What stands for the position: the least of its images. no_key: some combination of it is not among those given.
    Key encode(const game::State& state) const {
        if (!numbers_.empty()) return encode_combinations(state);
        return by_width([&]<std::size_t Width>(Lanes<Width>) {
            Key least = no_key;
            for (std::size_t lane = 0; lane < lanes_; ++lane)
                for (const Key key : sums<Width>(state, lane)) least = std::min(least, key);
            return least;
        });
    }
    // The number of the position itself.
    Key own(const game::State& state) const;
    // The numbers of all its images, itself among them, each once, ascending.
    void images(const game::State& state, std::vector<Key>& out) const;
    // How many these are: 1 without symmetries.
    std::uint32_t orbit(const game::State& state) const {
        if (symmetries_ == 1) return 1;
        const std::uint64_t images = by_width([&]<std::size_t Width>(Lanes<Width>) {
            const Key key = own(state);
            std::size_t same = symmetries_ - lanes_ * Width; // the same number for each of the images
            for (std::size_t lane = 0; lane < lanes_; ++lane)
                for (const Key image : sums<Width>(state, lane)) same += image == key ? 1 : 0;
            return symmetries_ / same;
        });
        return static_cast<std::uint32_t>(images);
    }
    std::size_t symmetries() const { return symmetries_; }

    // A state without a past.
    void decode(Key key, game::State& state) const;

    std::uint32_t tier(Key key) const { return static_cast<std::uint32_t>(key >> tier_shift_); }
    // What a key is without its tier: a number below size().
    std::uint64_t rank(Key key) const { return key & ((Key{1} << tier_shift_) - 1); }
    std::uint64_t size() const { return size_; }

private:
    // A slot as the code sees it.
    struct Digit {
        std::uint32_t slot = 0;
        std::uint64_t radix = 1, weight = 1; // in the key; of combinations: in the number of its group's
        std::uint32_t group = 0;
    };
    // Bits of a state that are looked up together.
    struct Window {
        std::uint16_t word, shift, mask;
        std::uint32_t first; // row of the tables
    };
    // Digits next to each other that are read together.
    struct Group {
        std::uint64_t radix = 1;
        std::uint32_t first = 0; // into patterns_
        std::uint16_t width = 0; // words a pattern sets
        std::uint32_t words = 0; // into group_words_: which
    };

    using Words = std::vector<std::uint64_t>;

    // The sums of a lane.
    template <std::size_t Width>
    std::array<Key, Width> sums(const game::State& state, std::size_t lane) const {
        // Said in vectors, since compilers make vectors of several windows instead.
        constexpr std::size_t part = std::min<std::size_t>(Width, 4);
        typedef Key Part __attribute__((vector_size(part * sizeof(Key))));
        Part sums[Width / part];
        std::memcpy(sums, offsets_.data() + lane * Width, sizeof sums);
        const Key* tables = tables_.data() + lane * rows_ * Width;
        for (const Window& window : windows_) {
            const std::size_t row = window.first + (state.words[window.word] >> window.shift & window.mask);
            for (std::size_t i = 0; i < Width / part; ++i) {
                Part terms;
                std::memcpy(&terms, tables + row * Width + i * part, sizeof terms);
                sums[i] += terms;
            }
        }
        std::array<Key, Width> keys;
        std::memcpy(keys.data(), sums, sizeof keys);
        return keys;
    }
    // Calls of(Lanes<width>).
    template <std::size_t Width>
    struct Lanes {};
    template <class Of>
    std::uint64_t by_width(Of&& of) const {
        switch (width_) {
        case 1: return of(Lanes<1>{});
        case 2: return of(Lanes<2>{});
        case 4: return of(Lanes<4>{});
        case 8: return of(Lanes<8>{});
        case 16: return of(Lanes<16>{});
        default: return of(Lanes<32>{});
        }
    }

    // Of a digit, by value and image.
    struct Terms {
        std::size_t images = 1;
        std::vector<Key> of;
        Key* operator[](std::size_t value) { return of.data() + value * images; }
        const Key* operator[](std::size_t value) const { return of.data() + value * images; }
    };

    // Numbers of combinations are summed up in the fields of some words, as if these were further images; the first is
    // the measure's.
    static constexpr std::uint32_t fields = 4, field_bits = 16;

    bool find_digits(const ir::Program& program, const Measure& measure, const Combinations& combinations,
                     std::string& why);
    std::size_t sums_of_combinations() const { return 1 + (first_number_.size() + fields - 2) / fields; }
    void number_combinations(const Combinations& combinations, std::span<const std::uint64_t> weights);
    Key encode_combinations(const game::State& state) const;
    Terms find_combination_terms(const Digit& digit, const Measure& measure) const;
    bool find_patterns(game::Game& game, const Measure& measure, const SymmetryGroup& symmetries,
                       const Combinations& combinations);
    void find_base(game::Game& game, std::vector<std::uint32_t>& slots);
    Terms find_terms(const Digit& digit, const Measure& measure, const SymmetryGroup& symmetries) const;
    bool add_bits(const std::vector<Words>& patterns, const Terms& terms, Terms& weights) const;
    bool add_window(const std::vector<Words>& patterns, const Terms& terms, Terms& rows);
    void add_windows(const Words& used, const Terms& weights, Terms& rows);
    void lay_out(const Terms& rows, const std::vector<Key>& offsets);
    void make_groups(const std::vector<std::vector<Words>>& patterns, const Combinations& combinations);

    std::vector<Digit> digits_; // least significant first
    std::vector<Key> numbers_;  // what each combination adds to a key, group by group; empty: there are all
    std::vector<std::uint32_t> first_number_;
    std::uint64_t size_ = 1;
    std::uint32_t tier_shift_ = 0;
    std::size_t symmetries_ = 1;
    std::size_t width_ = 1, lanes_ = 1; // images a lane; what is left of the last lane repeats the position itself
    std::size_t rows_ = 0;
    std::vector<Window> windows_;
    std::vector<Key> tables_;  // by lane, row and image
    std::vector<Key> offsets_; // by lane and image
    std::vector<Group> groups_;
    std::vector<std::uint16_t> group_words_;
    std::vector<std::uint64_t> patterns_;
    std::vector<std::uint64_t> base_; // the words where every slot has the value that sets the fewest bits
};

} // namespace zug::solve
