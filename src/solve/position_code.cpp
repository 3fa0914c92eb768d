#include "solve/position_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace zug::solve {

namespace {
constexpr std::uint64_t largest_group = 4096; // of digits that are read together; their table stays in a near cache
}

bool PositionCode::find_digits(const ir::Program& program, const Measure& measure, std::string& why) {
    const auto sizes = slot_sizes(program);
    unsigned bits = 0;
    for (std::uint32_t slot = 0; slot < sizes.size(); ++slot) {
        if (sizes[slot] <= 1) continue;
        if (sizes[slot] > largest_group) {
            why = fmt::format("a variable has {} values; at most {} can be solved so far", sizes[slot], largest_group);
            return false;
        }
        __extension__ using Wide = unsigned __int128;
        const Wide next = static_cast<Wide>(size_) * sizes[slot];
        if (next >> 63 != 0) {
            why = "a position takes more than 63 bits: the game is too large to be solved";
            return false;
        }
        digits_.push_back({slot, sizes[slot], size_});
        size_ = static_cast<std::uint64_t>(next);
    }
    const auto range = static_cast<std::uint64_t>(measure.greatest - measure.least);
    bits = static_cast<unsigned>(std::bit_width(size_ - 1) + std::bit_width(range));
    if (bits > 63) {
        why = "a position takes more than 63 bits: the game is too large to be solved";
        return false;
    }
    tier_shift_ = static_cast<std::uint32_t>(std::bit_width(size_ - 1));
    return true;
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

bool PositionCode::find_patterns(game::Game& game, const Measure& measure) {
    std::vector<std::uint32_t> slots;
    find_base(game, slots);
    const auto measured = [&](std::uint32_t slot, std::uint32_t value) {
        if (measure.constant()) return Key{0};
        return static_cast<Key>(static_cast<std::int64_t>(measure.weights[slot][value])) << tier_shift_;
    };
    offset_ = Key{0} - (static_cast<Key>(static_cast<std::int64_t>(measure.least)) << tier_shift_);

    game::State state;
    std::vector<std::vector<Words>> patterns(digits_.size()); // by digit and value: the bits that it sets
    std::vector<Key> weights(base_.size() * 64, 0);           // what each bit of a state adds to the number
    Words used(base_.size(), 0), summed(base_.size(), 0);
    for (std::size_t d = 0; d < digits_.size(); ++d) {
        const Digit& digit = digits_[d];
        const std::uint32_t least = slots[digit.slot];
        offset_ += least * digit.weight + measured(digit.slot, least);
        Words own(base_.size(), 0);
        std::vector<Key> terms;
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
            terms.push_back(value * digit.weight + measured(digit.slot, value) - least * digit.weight -
                            measured(digit.slot, least));
        }
        slots[digit.slot] = least;
        const bool sums = add_bits(patterns[d], terms, weights);
        if (!sums && !add_window(patterns[d], terms)) return false;
        for (std::size_t w = 0; w < base_.size(); ++w) {
            used[w] |= own[w];
            if (sums) summed[w] |= own[w];
        }
    }
    add_bytes(summed, weights);
    make_groups(patterns);
    return true;
}

// Weights for the bits of a digit, so that the bits of each of its values sum up to its term; those of few bits first.
// Of bits that no value has alone (as in a negative number) one takes all.
bool PositionCode::add_bits(const std::vector<Words>& patterns, const std::vector<Key>& terms,
                            std::vector<Key>& weights) const {
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t value = 0; value < patterns.size(); ++value) {
        int bits = 0;
        for (const std::uint64_t word : patterns[value]) bits += std::popcount(word);
        order.emplace_back(bits, value);
    }
    std::ranges::sort(order);
    Words known(base_.size(), 0);
    const std::vector<Key> before = weights;
    for (const auto& [bits, value] : order) {
        Key sum = 0;
        std::optional<std::size_t> unknown;
        for (std::size_t w = 0; w < base_.size(); ++w) {
            for (std::uint64_t rest = patterns[value][w]; rest != 0; rest &= rest - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
                if ((known[w] >> bit & 1) == 0 && !unknown) unknown = w * 64 + bit;
                sum += weights[w * 64 + bit];
            }
            known[w] |= patterns[value][w];
        }
        if (unknown) {
            weights[*unknown] = terms[value] - sum;
        } else if (sum != terms[value]) {
            weights = before;
            return false;
        }
    }
    return true;
}

// A table of its own for a digit whose bits lie close together in a word.
bool PositionCode::add_window(const std::vector<Words>& patterns, const std::vector<Key>& terms) {
    Words own(base_.size(), 0);
    for (const Words& pattern : patterns)
        for (std::size_t w = 0; w < base_.size(); ++w) own[w] |= pattern[w];
    const auto at = std::ranges::find_if(own, [](std::uint64_t word) { return word != 0; });
    if (at == own.end() || std::any_of(at + 1, own.end(), [](std::uint64_t word) { return word != 0; })) return false;
    const int shift = std::countr_zero(*at);
    const std::uint64_t mask = *at >> shift;
    if (mask >= largest_group) return false;
    const auto word = static_cast<std::uint16_t>(at - own.begin());
    windows_.push_back({word, static_cast<std::uint16_t>(shift), static_cast<std::uint16_t>(mask),
                        static_cast<std::uint32_t>(tables_.size())});
    std::vector<Key> table(mask + 1, 0);
    for (std::size_t value = 0; value < patterns.size(); ++value) table[patterns[value][word] >> shift] = terms[value];
    tables_.insert(tables_.end(), table.begin(), table.end());
    return true;
}

// A table for each byte with bits that are summed up.
void PositionCode::add_bytes(const Words& used, const std::vector<Key>& weights) {
    for (std::uint16_t w = 0; w < base_.size(); ++w)
        for (std::uint16_t shift = 0; shift < 64; shift = static_cast<std::uint16_t>(shift + 8)) {
            if ((used[w] >> shift & 0xFF) == 0) continue;
            windows_.push_back({w, shift, 0xFF, static_cast<std::uint32_t>(tables_.size())});
            for (std::uint32_t value = 0; value < 256; ++value) {
                Key sum = 0;
                for (std::uint32_t bit = 0; bit < 8; ++bit)
                    if ((value >> bit & 1) != 0) sum += weights[w * std::size_t{64} + shift + bit];
                tables_.push_back(sum);
            }
        }
}

void PositionCode::make_groups(const std::vector<std::vector<Words>>& patterns) {
    std::vector<Words> table(1, Words(base_.size(), 0)); // of the group being made
    const auto close = [&] {
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
        if (table.size() * digits_[d].radix > largest_group) close();
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

tl::expected<PositionCode, game::Error> PositionCode::of(game::Game& game, const Measure& measure) {
    PositionCode code;
    std::string why;
    if (!code.find_digits(game.program(), measure, why)) return tl::unexpected(game::Error{std::move(why)});
    if (!code.find_patterns(game, measure))
        return tl::unexpected(game::Error{"the executor's states can't be numbered"});
    return code;
}

} // namespace zug::solve
