#include "solve/position_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace zug::solve {

namespace {
constexpr std::size_t widest_lane = 32;
constexpr std::size_t near_bytes = 1 << 18; // of the tables by which positions are numbered, if bits can be split so
} // namespace

bool PositionCode::find_digits(const ir::Program& program, const Measure& measure, const Combinations& combinations,
                               std::string& why) {
    const auto groups = digit_groups(program);
    std::vector<std::uint64_t> weights; // of the groups
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        if (groups[g].size > DigitGroup::most) {
            why = fmt::format("a variable has {} values; at most {} can be solved so far", groups[g].size,
                              DigitGroup::most);
            return false;
        }
        const std::uint64_t size = combinations.all() ? groups[g].size : combinations.numbers()[g].size();
        for (const auto& digit : groups[g].digits)
            digits_.push_back({digit.slot, digit.radix, (combinations.all() ? size_ : 1) * digit.weight, g});
        weights.push_back(size_);
        __extension__ using Wide = unsigned __int128;
        const Wide next = static_cast<Wide>(size_) * size;
        if (next >> 63 != 0) return why = too_wide, false;
        size_ = static_cast<std::uint64_t>(next);
    }
    const auto range = static_cast<std::uint64_t>(measure.greatest - measure.least);
    if (std::bit_width(size_ - 1) + std::bit_width(range) > 63) return why = too_wide, false;
    tier_shift_ = static_cast<std::uint32_t>(std::bit_width(size_ - 1));
    if (!combinations.all()) number_combinations(combinations, weights);
    return true;
}

void PositionCode::number_combinations(const Combinations& combinations, std::span<const std::uint64_t> weights) {
    for (std::size_t g = 0; g < weights.size(); ++g) {
        const auto& occurring = combinations.numbers()[g];
        first_number_.push_back(static_cast<std::uint32_t>(numbers_.size()));
        numbers_.resize(numbers_.size() + occurring.back() + 1, no_key);
        for (std::size_t i = 0; i < occurring.size(); ++i) numbers_[first_number_[g] + occurring[i]] = i * weights[g];
    }
    first_number_.push_back(static_cast<std::uint32_t>(numbers_.size()));
}

Key PositionCode::encode_combinations(const game::State& state) const {
    return by_width([&]<std::size_t Width>(Lanes<Width>) {
        const std::array<Key, Width> words = sums<Width>(state, 0);
        Key key = words[0];
        for (std::size_t g = 0; g + 1 < first_number_.size(); ++g) {
            const Key word = words[(1 + g / fields) % Width];
            const std::size_t at = first_number_[g] + (word >> g % fields * field_bits & ((1U << field_bits) - 1));
            if (at >= first_number_[g + 1] || numbers_[at] == no_key) return no_key;
            key += numbers_[at];
        }
        return key;
    });
}

// Of each slot the value that sets the fewest bits, and the state that has them all. The first two values will do: what
// `none` is kept as may set a bit that the others don't.
void PositionCode::find_base(game::Game& game, std::vector<std::uint32_t>& slots) {
    run::Executor& executor = game.executor();
    executor.store(game.initial(), slots);
    for (const Digit& digit : digits_) slots[digit.slot] = 0;
    game::State state;
    const auto bits = [&] {
        executor.load(slots, state);
        int total = 0;
        for (const std::uint64_t word : state.words) total += std::popcount(word);
        return total;
    };
    for (const Digit& digit : digits_) {
        const int first = bits();
        slots[digit.slot] = 1;
        if (bits() >= first) slots[digit.slot] = 0;
    }
    executor.load(slots, state);
    base_.assign(state.words.begin(), state.words.end());
}

// What each value adds to the number of each image, which has that value's image at another digit's slot.
PositionCode::Terms PositionCode::find_terms(const Digit& digit, const Measure& measure,
                                             const SymmetryGroup& symmetries) const {
    Terms terms{symmetries.size(), std::vector<Key>(digit.radix * symmetries.size())};
    for (std::size_t i = 0; i < symmetries.size(); ++i) {
        const Symmetry& symmetry = symmetries.elements[i];
        const std::uint32_t slot = symmetry.to[digit.slot];
        const auto there = std::ranges::lower_bound(digits_, slot, {}, &Digit::slot);
        for (std::uint32_t value = 0; value < digit.radix; ++value) {
            const std::uint32_t image = symmetry.value(digit.slot, value);
            const std::int64_t measured = measure.constant() ? 0 : measure.weights[slot][image];
            terms[value][i] = image * there->weight + (static_cast<Key>(measured) << tier_shift_);
        }
    }
    return terms;
}

// The same of combinations: the measure, and the fields of the groups.
PositionCode::Terms PositionCode::find_combination_terms(const Digit& digit, const Measure& measure) const {
    const std::size_t sums = sums_of_combinations();
    Terms terms{sums, std::vector<Key>(digit.radix * sums)};
    for (std::uint32_t value = 0; value < digit.radix; ++value) {
        if (!measure.constant())
            terms[value][0] = static_cast<Key>(std::int64_t{measure.weights[digit.slot][value]}) << tier_shift_;
        terms[value][1 + digit.group / fields] = value * digit.weight << digit.group % fields * field_bits;
    }
    return terms;
}

bool PositionCode::find_patterns(game::Game& game, const Measure& measure, const SymmetryGroup& symmetries,
                                 const Combinations& combinations) {
    std::vector<std::uint32_t> slots;
    find_base(game, slots);
    const auto terms_of = [&](const Digit& digit) {
        return combinations.all() ? find_terms(digit, measure, symmetries) : find_combination_terms(digit, measure);
    };
    const std::size_t images = combinations.all() ? symmetries.size() : sums_of_combinations();
    const Key lowest = Key{0} - (static_cast<Key>(static_cast<std::int64_t>(measure.least)) << tier_shift_);
    std::vector<Key> offsets(images, combinations.all() ? lowest : 0);
    offsets.front() = lowest;
    game::State state;
    std::vector<std::vector<Words>> patterns(digits_.size());               // by digit and value: the bits that it sets
    Terms weights{images, std::vector<Key>(base_.size() * 64 * images, 0)}; // what each bit of a state adds
    Terms rows{images, {}};
    Words used(base_.size(), 0), summed(base_.size(), 0);
    for (std::size_t d = 0; d < digits_.size(); ++d) {
        const Digit& digit = digits_[d];
        const std::uint32_t least = slots[digit.slot];
        Words own(base_.size(), 0);
        for (std::uint32_t value = 0; value < digit.radix; ++value) {
            slots[digit.slot] = value;
            game.executor().load(slots, state);
            Words pattern(base_.size());
            for (std::size_t w = 0; w < base_.size(); ++w) {
                pattern[w] = state.words[w] ^ base_[w];
                if ((pattern[w] & (base_[w] | used[w])) != 0) return false;
                own[w] |= pattern[w];
            }
            patterns[d].push_back(std::move(pattern));
        }
        slots[digit.slot] = least;
        Terms terms = terms_of(digit);
        for (std::size_t i = 0; i < images; ++i) {
            const Key base = terms[least][i];
            offsets[i] += base;
            for (std::uint32_t value = 0; value < digit.radix; ++value) terms[value][i] -= base;
        }
        const bool sums = add_bits(patterns[d], terms, weights);
        if (!sums && !add_window(patterns[d], terms, rows)) return false;
        for (std::size_t w = 0; w < base_.size(); ++w) {
            used[w] |= own[w];
            if (sums) summed[w] |= own[w];
        }
    }
    add_windows(summed, weights, rows);
    lay_out(rows, offsets);
    if (!combinations.all()) symmetries_ = 1; // what is summed up is no image
    make_groups(patterns, combinations);
    return true;
}

// Weights for the bits of a digit, so that the bits of each of its values sum up to its terms; those of few bits first.
// Of bits that no value has alone (as in a negative number) one takes all.
bool PositionCode::add_bits(const std::vector<Words>& patterns, const Terms& terms, Terms& weights) const {
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t value = 0; value < patterns.size(); ++value) {
        int bits = 0;
        for (const std::uint64_t word : patterns[value]) bits += std::popcount(word);
        order.emplace_back(bits, value);
    }
    std::ranges::sort(order);
    Words known(base_.size(), 0);
    std::vector<Key> rest(terms.images);
    for (const auto& [bits, value] : order) {
        std::copy_n(terms[value], terms.images, rest.begin());
        std::optional<std::size_t> unknown;
        for (std::size_t w = 0; w < base_.size(); ++w) {
            for (std::uint64_t left = patterns[value][w]; left != 0; left &= left - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                if ((known[w] >> bit & 1) == 0 && !unknown) unknown = w * 64 + bit;
                for (std::size_t i = 0; i < terms.images; ++i) rest[i] -= weights[w * 64 + bit][i];
            }
            known[w] |= patterns[value][w];
        }
        if (unknown) {
            std::ranges::copy(rest, weights[*unknown]);
        } else if (std::ranges::any_of(rest, [](Key left) { return left != 0; })) {
            for (std::size_t w = 0; w < base_.size(); ++w)
                for (std::uint64_t left = known[w]; left != 0; left &= left - 1)
                    std::fill_n(weights[w * 64 + static_cast<std::size_t>(std::countr_zero(left))], terms.images, 0);
            return false;
        }
    }
    return true;
}

// Rows of its own for a digit whose bits lie close together in a word.
bool PositionCode::add_window(const std::vector<Words>& patterns, const Terms& terms, Terms& rows) {
    Words own(base_.size(), 0);
    for (const Words& pattern : patterns)
        for (std::size_t w = 0; w < base_.size(); ++w) own[w] |= pattern[w];
    const auto at = std::ranges::find_if(own, [](std::uint64_t word) { return word != 0; });
    if (at == own.end() || std::any_of(at + 1, own.end(), [](std::uint64_t word) { return word != 0; })) return false;
    const int shift = std::countr_zero(*at);
    const std::uint64_t mask = *at >> shift;
    if (mask >= DigitGroup::most) return false;
    const auto word = static_cast<std::uint16_t>(at - own.begin());
    const std::size_t first = rows_;
    windows_.push_back(
        {word, static_cast<std::uint16_t>(shift), static_cast<std::uint16_t>(mask), static_cast<std::uint32_t>(first)});
    rows_ += mask + 1;
    rows.of.resize(rows_ * rows.images, 0);
    for (std::size_t value = 0; value < patterns.size(); ++value)
        std::copy_n(terms[value], terms.images, rows[first + (patterns[value][word] >> shift)]);
    return true;
}

// Rows for the bits that are summed up, of each word a few that lie close together at a time: with many images fewer.
void PositionCode::add_windows(const Words& used, const Terms& weights, Terms& rows) {
    std::size_t bits = 0;
    for (const std::uint64_t word : used) bits += static_cast<std::size_t>(std::popcount(word));
    unsigned width = 8;
    while (width > 2 && (bits / width << width) * rows.images * sizeof(Key) > near_bytes) --width;
    for (std::uint16_t w = 0; w < base_.size(); ++w)
        for (std::uint64_t left = used[w]; left != 0;) {
            const auto shift = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t mask = left >> shift & ((1U << width) - 1);
            const auto size = std::bit_ceil(mask + 1);
            left &= ~((size - 1) << shift);
            windows_.push_back({w, static_cast<std::uint16_t>(shift), static_cast<std::uint16_t>(size - 1),
                                static_cast<std::uint32_t>(rows_)});
            rows.of.resize((rows_ + size) * rows.images, 0);
            for (std::uint32_t value = 0; value < size; ++value, ++rows_)
                for (std::uint64_t rest = value & mask; rest != 0; rest &= rest - 1)
                    for (std::size_t i = 0; i < rows.images; ++i)
                        rows[rows_][i] +=
                            weights[w * std::size_t{64} + shift + static_cast<unsigned>(std::countr_zero(rest))][i];
        }
}

void PositionCode::lay_out(const Terms& rows, const std::vector<Key>& offsets) {
    symmetries_ = rows.images;
    width_ = std::min(std::bit_ceil(symmetries_), widest_lane);
    lanes_ = (symmetries_ + width_ - 1) / width_;
    const auto image = [&](std::size_t i) { return i < symmetries_ ? i : 0; };
    for (std::size_t i = 0; i < lanes_ * width_; ++i) offsets_.push_back(offsets[image(i)]);
    for (std::size_t lane = 0; lane < lanes_; ++lane)
        for (std::size_t row = 0; row < rows_; ++row)
            for (std::size_t i = 0; i < width_; ++i) tables_.push_back(rows[row][image(lane * width_ + i)]);
}

void PositionCode::make_groups(const std::vector<std::vector<Words>>& patterns, const Combinations& combinations) {
    std::vector<Words> table(1, Words(base_.size(), 0)); // of the group being made
    const auto close = [&] {
        if (!combinations.all()) {
            std::vector<Words> occurring;
            for (const std::uint32_t number : combinations.numbers()[groups_.size()])
                occurring.push_back(std::move(table[number]));
            table = std::move(occurring);
        }
        Group group{.radix = table.size(),
                    .first = static_cast<std::uint32_t>(patterns_.size()),
                    .width = 0,
                    .words = static_cast<std::uint32_t>(group_words_.size())};
        for (std::uint16_t w = 0; w < base_.size(); ++w)
            if (std::ranges::any_of(table, [&](const Words& words) { return words[w] != 0; })) {
                group_words_.push_back(w);
                ++group.width;
            }
        for (const Words& words : table)
            for (std::uint16_t i = 0; i < group.width; ++i) patterns_.push_back(words[group_words_[group.words + i]]);
        groups_.push_back(group);
        table.assign(1, Words(base_.size(), 0));
    };
    for (std::size_t d = 0; d < digits_.size(); ++d) {
        if (d > 0 && digits_[d].group != digits_[d - 1].group) close();
        std::vector<Words> next;
        for (const Words& high : patterns[d])
            for (const Words& low : table) {
                next.push_back(low);
                for (std::size_t w = 0; w < base_.size(); ++w) next.back()[w] |= high[w];
            }
        table = std::move(next);
    }
    close();
}

void PositionCode::decode(Key key, game::State& state) const {
    state.words.assign(base_.begin(), base_.end());
    std::uint64_t rest = rank(key);
    for (const Group& group : groups_) {
        const std::uint64_t value = rest % group.radix;
        rest /= group.radix;
        const std::uint64_t* pattern = patterns_.data() + group.first + value * group.width;
        for (std::uint16_t i = 0; i < group.width; ++i) state.words[group_words_[group.words + i]] |= pattern[i];
    }
    state.history.reset();
}

Key PositionCode::own(const game::State& state) const {
    if (!numbers_.empty()) return encode_combinations(state);
    Key key = offsets_.front();
    for (const Window& window : windows_)
        key += tables_[(window.first + (state.words[window.word] >> window.shift & window.mask)) * width_];
    return key;
}

void PositionCode::images(const game::State& state, std::vector<Key>& out) const {
    if (!numbers_.empty()) return out.assign(1, encode_combinations(state));
    out.assign(offsets_.begin(), offsets_.end());
    for (const Window& window : windows_) {
        const std::size_t row = window.first + (state.words[window.word] >> window.shift & window.mask);
        for (std::size_t lane = 0; lane < lanes_; ++lane)
            for (std::size_t i = 0; i < width_; ++i)
                out[lane * width_ + i] += tables_[(lane * rows_ + row) * width_ + i];
    }
    std::ranges::sort(out);
    const auto repeated = std::ranges::unique(out);
    out.erase(repeated.begin(), repeated.end());
}

tl::expected<PositionCode, game::Error> PositionCode::of(game::Game& game, const Measure& measure,
                                                         const SymmetryGroup& symmetries,
                                                         const Combinations& combinations) {
    PositionCode code;
    std::string why;
    if (!code.find_digits(game.program(), measure, combinations, why))
        return tl::unexpected(game::Error{std::move(why)});
    if (!combinations.all() && code.sums_of_combinations() > widest_lane)
        return tl::unexpected(game::Error{std::string(too_wide)});
    if (!code.find_patterns(game, measure, symmetries, combinations))
        return tl::unexpected(game::Error{"the executor's states can't be numbered"});
    return code;
}

} // namespace zug::solve
