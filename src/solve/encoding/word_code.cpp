#include "solve/encoding/word_code.hpp"

#include "base/copy_words.hpp"

#include <bit>

namespace zug::solve {

namespace {

constexpr std::size_t near_bytes = 1 << 18; // of tables, so that they stay in a near cache; smaller windows if more

int count(const WordCode::Words& words) {
    int bits = 0;
    for (const std::uint64_t word : words) bits += std::popcount(word);
    return bits;
}

template <class Each>
void each_bit(const WordCode::Words& words, Each&& each) {
    for (std::size_t w = 0; w < words.size(); ++w)
        for (std::uint64_t left = words[w]; left != 0; left &= left - 1)
            each(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
}

bool has(const WordCode::Words& words, std::size_t bit) { return (words[bit / 64] >> bit % 64 & 1) != 0; }

} // namespace

// Finds for each slot the value that sets the fewest bits, and the position that has all of these. The first two values
// suffice: only `none`, the first, may set a bit that the others do not.
void WordCode::find_base(std::vector<std::uint32_t>& slots, const Load& load) {
    for (const auto& digit : numbering_->digits) slots[digit.slot] = 0;
    const auto bits = [&] {
        load(slots, base_);
        return count(base_);
    };
    for (const auto& digit : numbering_->digits) {
        const int first = bits();
        slots[digit.slot] = 1;
        if (bits() >= first) slots[digit.slot] = 0;
    }
    load(slots, base_);
}

// The union of the patterns' bits.
WordCode::Words WordCode::bits_of(const std::vector<Words>& patterns, std::size_t words) {
    Words bits(words, 0);
    for (const Words& pattern : patterns)
        for (std::size_t w = 0; w < words; ++w) bits[w] |= pattern[w];
    return bits;
}

bool WordCode::find_patterns(const Load& load) {
    std::vector<std::uint32_t> slots = numbering_->initial;
    find_base(slots, load);
    const std::size_t sums = numbering_->offsets.size();
    std::vector<Key> offsets = numbering_->offsets;
    Words words;
    std::vector<std::vector<Words>> patterns(numbering_->digits.size()); // by digit and value: bits that differ
    Terms weights{sums, std::vector<Key>(base_.size() * 64 * sums, 0)};  // what each bit adds
    Terms rows{sums, {}};
    Words used(base_.size(), 0);
    for (std::size_t d = 0; d < patterns.size(); ++d) {
        const Numbering::Digit& digit = numbering_->digits[d];
        const std::uint32_t least = slots[digit.slot];
        for (std::uint32_t value = 0; value < digit.radix; ++value) {
            slots[digit.slot] = value;
            load(slots, words);
            for (std::size_t w = 0; w < base_.size(); ++w) words[w] ^= base_[w];
            patterns[d].push_back(words);
        }
        slots[digit.slot] = least;
        const Words own = bits_of(patterns[d], base_.size());
        for (std::size_t w = 0; w < base_.size(); ++w) {
            if ((own[w] & used[w]) != 0) return false;
            used[w] |= own[w];
        }
        Terms terms = numbering_->terms[d];
        for (std::size_t i = 0; i < sums; ++i) {
            const Key base = terms[least][i];
            offsets[i] += base;
            for (std::uint32_t value = 0; value < digit.radix; ++value) terms[value][i] -= base;
        }
        if (!add_bits(patterns[d], terms, weights) && !add_window(patterns[d], terms, rows, weights)) return false;
    }
    add_windows(weights, rows);
    lay_out(rows, offsets);
    make_groups(patterns);
    return true;
}

// Finds weights for the bits of a digit such that the set bits of each value add up to its terms, values with few bits
// first. Of several new bits that only occur together (as in a negative number), one gets all the weight. False: there
// are no such weights.
bool WordCode::add_bits(const std::vector<Words>& patterns, const Terms& terms, Terms& weights) const {
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t value = 0; value < patterns.size(); ++value) order.emplace_back(count(patterns[value]), value);
    std::ranges::sort(order);
    Words known(base_.size(), 0);
    std::vector<Key> rest(terms.sums);
    for (const auto& [bits, value] : order) {
        std::copy_n(terms[value], terms.sums, rest.begin());
        std::optional<std::size_t> unknown;
        each_bit(patterns[value], [&](std::size_t bit) {
            if (!has(known, bit) && !unknown) unknown = bit;
            for (std::size_t i = 0; i < terms.sums; ++i) rest[i] -= weights[bit][i];
        });
        for (std::size_t w = 0; w < base_.size(); ++w) known[w] |= patterns[value][w];
        if (unknown) {
            std::ranges::copy(rest, weights[*unknown]);
        } else if (std::ranges::any_of(rest, [](Key left) { return left != 0; })) {
            each_bit(known, [&](std::size_t bit) { std::fill_n(weights[bit], terms.sums, 0); });
            return false;
        }
    }
    return true;
}

// Adds a window for a digit whose bits lie close together in a word. One value (as `none` is kept) may have bits
// elsewhere; one of these bits tells it from the others. False: the bits are spread further.
bool WordCode::add_window(const std::vector<Words>& patterns, const Terms& terms, Terms& rows, Terms& weights) {
    constexpr std::uint64_t close = std::bit_ceil(DigitGroup::most) - 1;
    const Words own = bits_of(patterns, base_.size());
    const auto at = std::ranges::find_if(own, [](std::uint64_t word) { return word != 0; });
    const auto w = static_cast<std::size_t>(at - own.begin());
    const auto shift = static_cast<unsigned>(std::countr_zero(*at));
    const std::uint64_t mask = *at >> shift & close;
    const Window window{static_cast<std::uint16_t>(w), static_cast<std::uint16_t>(shift),
                        static_cast<std::uint16_t>(mask), static_cast<std::uint32_t>(rows_)};
    windows_.push_back(window);
    rows_ += mask + 1;
    rows.of.resize(rows_ * rows.sums, 0);
    const auto row = [&](const Words& pattern) {
        return rows[window.first + ((pattern[w] ^ base_[w]) >> shift & mask)];
    };
    const auto elsewhere = [&](Words pattern) {
        pattern[w] &= ~(mask << shift);
        return pattern;
    };
    std::optional<std::size_t> apart;
    for (std::size_t value = 0; value < patterns.size(); ++value) {
        if (count(elsewhere(patterns[value])) == 0) {
            std::copy_n(terms[value], terms.sums, row(patterns[value]));
        } else {
            if (apart) return false;
            apart = value;
        }
    }
    if (!apart) return true;
    std::size_t mark = 0;
    each_bit(elsewhere(patterns[*apart]), [&](std::size_t bit) { mark = bit; });
    for (std::size_t i = 0; i < terms.sums; ++i) weights[mark][i] = terms[*apart][i] - row(patterns[*apart])[i];
    return true;
}

// Adds windows for the bits that have weights, each of a few bits that lie close together in a word: fewer if there are
// many sums.
void WordCode::add_windows(const Terms& weights, Terms& rows) {
    Words used(base_.size(), 0);
    for (std::size_t bit = 0; bit < used.size() * 64; ++bit)
        if (std::any_of(weights[bit], weights[bit] + weights.sums, [](Key weight) { return weight != 0; }))
            used[bit / 64] |= std::uint64_t{1} << bit % 64;
    const auto bits = static_cast<std::size_t>(count(used));
    unsigned width = 8;
    while (width > 2 && (bits / width << width) * rows.sums * sizeof(Key) > near_bytes) --width;
    for (std::size_t w = 0; w < base_.size(); ++w)
        for (std::uint64_t left = used[w]; left != 0;) {
            const auto shift = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t mask = left >> shift & ((1U << width) - 1);
            const auto size = std::bit_ceil(mask + 1);
            left &= ~((size - 1) << shift);
            windows_.push_back({static_cast<std::uint16_t>(w), static_cast<std::uint16_t>(shift),
                                static_cast<std::uint16_t>(size - 1), static_cast<std::uint32_t>(rows_)});
            rows.of.resize((rows_ + size) * rows.sums, 0);
            for (std::uint64_t value = 0; value < size; ++value, ++rows_)
                for (std::uint64_t rest = (value ^ base_[w] >> shift) & mask; rest != 0; rest &= rest - 1)
                    for (std::size_t i = 0; i < rows.sums; ++i)
                        rows[rows_][i] += weights[w * 64 + shift + static_cast<unsigned>(std::countr_zero(rest))][i];
        }
}

void WordCode::lay_out(const Terms& rows, const std::vector<Key>& offsets) {
    width_ = std::min(std::bit_ceil(rows.sums), widest_lane);
    lanes_ = (rows.sums + width_ - 1) / width_;
    const auto image = [&](std::size_t i) { return i < rows.sums ? i : 0; };
    for (std::size_t i = 0; i < lanes_ * width_; ++i) offsets_.push_back(offsets[image(i)]);
    for (std::size_t lane = 0; lane < lanes_; ++lane)
        for (std::size_t row = 0; row < rows_; ++row)
            for (std::size_t i = 0; i < width_; ++i) tables_.push_back(rows[row][image(lane * width_ + i)]);
    if (numbering_->all()) symmetries_ = rows.sums; // else the sums are not those of images
}

void WordCode::make_groups(const std::vector<std::vector<Words>>& patterns) {
    std::vector<Words> table(1, Words(base_.size(), 0)); // the patterns of the current group, by number
    const auto close = [&] {
        if (!numbering_->all() && numbering_->combinations->span() == 1) {
            std::vector<Words> occurring;
            for (const std::uint64_t number : numbering_->combinations->blocks()[groups_.size()].tuples.words())
                occurring.push_back(std::move(table[number]));
            table = std::move(occurring);
        }
        Group group{.radix = Divisor(table.size()),
                    .first = static_cast<std::uint32_t>(patterns_.size()),
                    .width = 0,
                    .words = static_cast<std::uint32_t>(group_words_.size())};
        for (std::size_t w = 0; w < base_.size(); ++w)
            if (std::ranges::any_of(table, [&](const Words& words) { return words[w] != 0; })) {
                group_words_.push_back(static_cast<std::uint16_t>(w));
                ++group.width;
            }
        for (const Words& words : table)
            for (std::uint16_t i = 0; i < group.width; ++i) patterns_.push_back(words[group_words_[group.words + i]]);
        groups_.push_back(group);
        table.assign(1, Words(base_.size(), 0));
    };
    const auto& digits = numbering_->digits;
    for (std::size_t d = 0; d < digits.size(); ++d) {
        if (d > 0 && digits[d].group != digits[d - 1].group) close();
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

void WordCode::decode(std::uint64_t rank, std::uint64_t* words) const {
    copy_words(base_.data(), base_.size(), words);
    if (!blocks_.empty()) return decode_blocks(rank, words);
    for (const Group& group : groups_) put_pattern(group, group.radix.divide(rank), words);
}

void WordCode::decode_blocks(std::uint64_t rank, std::uint64_t* words) const {
    const auto& blocks = numbering_->combinations->blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const std::uint64_t* tuple = blocks[b].tuples[static_cast<std::uint32_t>(blocks_[b].divide(rank))];
        for (std::uint32_t i = 0; i < blocks[b].groups; ++i)
            put_pattern(groups_[blocks[b].first + i], fields::get(tuple, i), words);
    }
}

Key WordCode::own(const std::uint64_t* words) const {
    if (!numbering_->all()) return encode_combinations(words);
    Key key = offsets_.front();
    for (const Window& window : windows_) key += tables_[row_of(window, words) * width_];
    return key;
}

void WordCode::images(const std::uint64_t* words, std::vector<Key>& out) const {
    if (!numbering_->all()) return out.assign(1, encode_combinations(words));
    out.assign(offsets_.begin(), offsets_.end());
    for (const Window& window : windows_) {
        const std::size_t row = row_of(window, words);
        for (std::size_t lane = 0; lane < lanes_; ++lane)
            for (std::size_t i = 0; i < width_; ++i)
                out[lane * width_ + i] += tables_[(lane * rows_ + row) * width_ + i];
    }
    std::ranges::sort(out);
    const auto repeated = std::ranges::unique(out);
    out.erase(repeated.begin(), repeated.end());
}

void WordCode::all_sums(const std::uint64_t* words, AllSums& out) const {
    by_width([&]<std::size_t Width>(Lanes<Width>) {
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            const auto found = sums<Width>(words, lane);
            std::memcpy(out.data() + lane * Width, found.of, sizeof found.of);
        }
        return lanes_;
    });
}

Key WordCode::encode_combinations(const std::uint64_t* words) const {
    AllSums sums;
    all_sums(words, sums);
    const std::uint64_t* const position = sums.data() + 1;
    Key key = sums[0];
    if (blocks_.empty()) {
        const auto& first = numbering_->first_number;
        for (std::size_t g = 0; g + 1 < first.size(); ++g) {
            const std::size_t at = first[g] + fields::get(position, g);
            if (at >= first[g + 1] || numbering_->numbers[at] == no_key) return no_key;
            key += numbering_->numbers[at];
        }
        return key;
    }
    const auto& blocks = numbering_->combinations->blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const std::uint32_t number = blocks[b].tuples.find(position + blocks[b].first / fields::per_word);
        if (number == TupleSet::none) return no_key;
        key += number * numbering_->weights[b];
    }
    return key;
}

void WordCode::add_to(Combinations& combinations, const std::uint64_t* words) const {
    AllSums sums;
    all_sums(words, sums);
    combinations.add(sums.data() + 1);
}

std::optional<WordCode> WordCode::of(std::shared_ptr<const Numbering> numbering, const Load& load) {
    WordCode code;
    code.numbering_ = std::move(numbering);
    if (!code.find_patterns(load)) return std::nullopt;
    if (!code.numbering_->all() && code.numbering_->combinations->span() > 1)
        for (const auto& block : code.numbering_->combinations->blocks())
            code.blocks_.emplace_back(block.tuples.size());
    return code;
}

} // namespace zug::solve
