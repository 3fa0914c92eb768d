#pragma once
// Converts the words of an executor's states or lines of play to position numbers (position_code.hpp) and back, by
// tables.
//
// The tables are made by asking the executor where it keeps which value. The bits in which a slot's values differ must
// belong to that slot alone. The values' terms must either be sums over these bits, or the bits must lie close together
// in one word, except for one value. Every layout of bytecode/state_layout.hpp and of the reference evaluator is of
// this kind. A number is then a sum with one table entry for each window of some bits, and words are made by combining
// one bit pattern for each group of digits.

#include "solve/encoding/combinations.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace zug::solve {

// Keys are below 2^63, which leaves the greatest numbers for special values.
using Key = std::uint64_t;
inline constexpr Key no_key = UINT64_MAX;

// Divides by multiplication.
struct Divisor {
    std::uint64_t by = 1, inverse = UINT64_MAX; // 2^64 / by, rounded down

    Divisor() = default;
    explicit Divisor(std::uint64_t divisor) : by(divisor), inverse(UINT64_MAX / divisor) {}
    // Replaces `number` by its quotient and returns the remainder. The product with the inverse is the quotient or one
    // less.
    std::uint64_t divide(std::uint64_t& number) const {
        __extension__ using Wide = unsigned __int128;
        auto quotient = static_cast<std::uint64_t>(static_cast<Wide>(number) * inverse >> 64);
        std::uint64_t rest = number - quotient * by;
        if (rest >= by) {
            rest -= by;
            ++quotient;
        }
        number = quotient;
        return rest;
    }
};

// What each value of a digit adds to each of several sums.
struct Terms {
    std::size_t sums = 1;
    std::vector<Key> of; // by value, then by sum
    Key* operator[](std::size_t value) { return of.data() + value * sums; }
    const Key* operator[](std::size_t value) const { return of.data() + value * sums; }
};

// What a number consists of, independent of the words that hold a position.
struct Numbering {
    // A slot as a digit of the number.
    struct Digit {
        std::uint32_t slot = 0;
        std::uint64_t radix = 1, weight = 1; // weight: in the key, or in the number of its group's combination
        std::uint32_t group = 0;
    };
    std::vector<Digit> digits; // least significant first
    // The sums are the numbers of a position's images; if only some combinations are numbered, the potential and the
    // words of fields (combinations.hpp).
    std::vector<Terms> terms;           // by digit
    std::vector<Key> offsets;           // by sum
    std::vector<std::uint32_t> initial; // the slots of some position
    // If only some combinations are numbered: which, sorted, and what the first number of each block adds to a key.
    std::shared_ptr<const Combinations> combinations;
    std::vector<Key> weights;
    // For blocks of one group each: what each number of a combination adds to a key, group by group, or no_key.
    std::vector<Key> numbers;
    std::vector<std::uint32_t> first_number;

    static constexpr std::size_t most_sums = 128; // where only some combinations are numbered

    bool all() const { return combinations == nullptr; } // whether all combinations are numbered
};

class WordCode {
public:
    using Words = std::vector<std::uint64_t>;
    // Stores the words of the position with these slots.
    using Load = std::function<void(std::span<const std::uint32_t> slots, Words& words)>;

    static constexpr std::size_t widest_lane = 32; // sums
    // Empty: the words do not meet the conditions above.
    static std::optional<WordCode> of(std::shared_ptr<const Numbering> numbering, const Load& load);

    std::size_t words() const { return base_.size(); }
    std::size_t symmetries() const { return symmetries_; }

    // The key that represents the position: the least number of its images. no_key: it has a combination without a
    // number.
    Key encode(const std::uint64_t* words) const {
        if (!numbering_->all()) return encode_combinations(words);
        return by_width([&]<std::size_t Width>(Lanes<Width>) {
            Key least = no_key;
            for (std::size_t lane = 0; lane < lanes_; ++lane) least = std::min(least, sums<Width>(words, lane).least());
            return least;
        });
    }
    // The number of the position itself.
    Key own(const std::uint64_t* words) const;
    // The distinct numbers of all its images, the position itself included, ascending.
    void images(const std::uint64_t* words, std::vector<Key>& out) const;
    // The number of distinct images: 1 without symmetries.
    std::uint32_t orbit(const std::uint64_t* words) const {
        if (symmetries_ == 1) return 1;
        const std::uint64_t images = by_width([&]<std::size_t Width>(Lanes<Width>) {
            const Key key = own(words);
            // Every image's number occurs equally often. The sums that fill up the last lane, which repeat the position
            // itself, are discounted by unsigned wrap-around.
            std::size_t same = symmetries_ - lanes_ * Width;
            for (std::size_t lane = 0; lane < lanes_; ++lane) same += sums<Width>(words, lane).count(key);
            return symmetries_ / same;
        });
        return static_cast<std::uint32_t>(images);
    }
    // The words of the position with this rank: its number without its potential.
    void decode(std::uint64_t rank, std::uint64_t* words) const;
    // Adds the position's combinations to `combinations`, which must be of the same program. Only if not all are
    // numbered.
    void add_to(Combinations& combinations, const std::uint64_t* words) const;

private:
    // Bits of a word that are looked up together.
    struct Window {
        std::uint16_t word, shift, mask;
        std::uint32_t first; // its first row in the tables
    };
    // Adjacent digits that are decoded together: in patterns of all their combinations, or in those that occur if each
    // group's are numbered by themselves.
    struct Group {
        Divisor radix;
        std::uint32_t first = 0; // into patterns_
        std::uint16_t width = 0; // words a pattern sets
        std::uint32_t words = 0; // into group_words_: which
    };

    // Explicit vectors of sums: left to themselves, compilers vectorise over windows instead.
    typedef Key Two __attribute__((vector_size(2 * sizeof(Key))));
    typedef Key Four __attribute__((vector_size(4 * sizeof(Key))));
    template <std::size_t Width>
    struct Sums {
        static constexpr std::size_t part = std::min<std::size_t>(Width, 4), parts = Width / part;
        using Part = std::conditional_t<part == 1, Key, std::conditional_t<part == 2, Two, Four>>;

        static Key in(const Part& own, std::size_t i) {
            if constexpr (part == 1)
                return own;
            else
                return own[i];
        }
        Key operator[](std::size_t i) const { return in(of[i / part], i % part); }
        Key least() const {
            Part all = of[0];
            for (std::size_t p = 1; p < parts; ++p) all = of[p] < all ? of[p] : all;
            Key least = in(all, 0);
            for (std::size_t i = 1; i < part; ++i) least = std::min(least, in(all, i));
            return least;
        }
        std::size_t count(Key key) const {
            std::size_t count = 0;
            for (std::size_t i = 0; i < Width; ++i) count += (*this)[i] == key ? 1 : 0;
            return count;
        }

        Part of[parts];
    };
    // The sums of one lane.
    template <std::size_t Width>
    Sums<Width> sums(const std::uint64_t* words, std::size_t lane) const {
        using Part = typename Sums<Width>::Part;
        Sums<Width> sums;
        std::memcpy(sums.of, offsets_.data() + lane * Width, sizeof sums.of);
        const Key* tables = tables_.data() + lane * rows_ * Width;
        for (const Window& window : windows_) {
            const Key* row = tables + row_of(window, words) * Width;
            for (Part& sum : sums.of) {
                Part terms;
                std::memcpy(&terms, row, sizeof terms);
                sum += terms;
                row += Sums<Width>::part;
            }
        }
        return sums;
    }
    static std::size_t row_of(const Window& window, const std::uint64_t* words) {
        return window.first + (words[window.word] >> window.shift & window.mask);
    }
    // Calls of(Lanes<width_>).
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
    using AllSums = std::array<Key, Numbering::most_sums>;
    void all_sums(const std::uint64_t* words, AllSums& out) const;
    Key encode_combinations(const std::uint64_t* words) const;
    void put_pattern(const Group& group, std::uint64_t value, std::uint64_t* words) const {
        const std::uint64_t* pattern = patterns_.data() + group.first + value * group.width;
        for (std::uint16_t i = 0; i < group.width; ++i) words[group_words_[group.words + i]] ^= pattern[i];
    }
    void decode_blocks(std::uint64_t rank, std::uint64_t* words) const;

    void find_base(std::vector<std::uint32_t>& slots, const Load& load);
    bool find_patterns(const Load& load);
    static Words bits_of(const std::vector<Words>& patterns, std::size_t words);
    bool add_bits(const std::vector<Words>& patterns, const Terms& terms, Terms& weights) const;
    bool add_window(const std::vector<Words>& patterns, const Terms& terms, Terms& rows, Terms& weights);
    void add_windows(const Terms& weights, Terms& rows);
    void lay_out(const Terms& rows, const std::vector<Key>& offsets);
    void make_groups(const std::vector<std::vector<Words>>& patterns);

    std::shared_ptr<const Numbering> numbering_;
    std::size_t symmetries_ = 1;
    std::size_t width_ = 1, lanes_ = 1; // sums a lane; the last lane is filled up with the position itself
    std::size_t rows_ = 0;
    std::vector<Window> windows_;
    std::vector<Key> tables_;  // by lane, row and sum
    std::vector<Key> offsets_; // by lane and sum
    std::vector<Group> groups_;
    std::vector<std::uint16_t> group_words_;
    std::vector<Divisor> blocks_; // of the combinations, if they are longer than a group
    Words patterns_;
    // The words of the position in which every slot has the value that sets the fewest bits. Patterns are differences
    // from it (exclusive or).
    Words base_;
};

} // namespace zug::solve
