#include "solve/encoding/position_code.hpp"

#include "game/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace zug::solve {

namespace {

// What a position's words are summed up to where combinations are numbered: its potential and its fields.
constexpr std::size_t sums_of_combinations(std::size_t groups) { return 1 + fields::words(groups); }

// The table for blocks of one group each.
void number_combinations(Numbering& numbering) {
    const auto& blocks = numbering.combinations->blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const auto& occurring = blocks[b].tuples.words();
        const std::size_t first = numbering.numbers.size();
        numbering.first_number.push_back(static_cast<std::uint32_t>(first));
        numbering.numbers.resize(first + occurring.back() + 1, no_key);
        for (std::size_t i = 0; i < occurring.size(); ++i)
            numbering.numbers[first + occurring[i]] = i * numbering.weights[b];
    }
    numbering.first_number.push_back(static_cast<std::uint32_t>(numbering.numbers.size()));
}

} // namespace

bool PositionCode::multiply_size(std::uint64_t by) {
    __extension__ using Wide = unsigned __int128;
    const Wide next = static_cast<Wide>(size_) * by;
    if (next >> 63 != 0) return false;
    size_ = static_cast<std::uint64_t>(next);
    return true;
}

std::string PositionCode::refusal(const ir::Program& program) {
    const auto groups = digit_groups(program);
    PositionCode code;
    bool fits = true;
    for (const DigitGroup& group : groups) {
        if (group.size > DigitGroup::most)
            return fmt::format("a variable has {} values; at most {} can be solved so far", group.size,
                               DigitGroup::most);
        fits = fits && code.multiply_size(group.size);
    }
    return fits || sums_of_combinations(groups.size()) <= Numbering::most_sums
               ? ""
               : "a position has too many variables to be solved";
}

bool PositionCode::find_digits(const ir::Program& program, const TierPotential& potential, Numbering& numbering) {
    const auto groups = digit_groups(program);
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        for (const auto& digit : groups[g].digits)
            numbering.digits.push_back({digit.slot, digit.radix, (numbering.all() ? size_ : 1) * digit.weight, g});
        if (numbering.all() && !multiply_size(groups[g].size)) return false;
    }
    if (!numbering.all()) {
        for (const auto& block : numbering.combinations->blocks()) {
            numbering.weights.push_back(size_);
            if (!multiply_size(block.tuples.size())) return false;
        }
        if (numbering.combinations->span() == 1) number_combinations(numbering);
    }
    const auto range = static_cast<std::uint64_t>(potential.greatest - potential.least);
    tier_shift_ = static_cast<std::uint32_t>(std::bit_width(size_ - 1));
    return tier_shift_ + static_cast<std::uint32_t>(std::bit_width(range)) <= 63;
}

// What each value of a digit adds to the number of each image: the image of the value, at the image of the slot.
Terms PositionCode::terms_of_images(const Numbering& numbering, const Numbering::Digit& digit,
                                    const TierPotential& potential, const game::SymmetryGroup& symmetries) const {
    Terms terms{symmetries.size(), std::vector<Key>(digit.radix * symmetries.size())};
    for (std::size_t i = 0; i < symmetries.size(); ++i) {
        const game::Symmetry& symmetry = symmetries.elements[i];
        const std::uint32_t slot = symmetry.to[digit.slot];
        const auto there = std::ranges::lower_bound(numbering.digits, slot, {}, &Numbering::Digit::slot);
        for (std::uint32_t value = 0; value < digit.radix; ++value) {
            const std::uint32_t image = symmetry.value(digit.slot, value);
            const std::int64_t weight = potential.constant() ? 0 : potential.weights[slot][image];
            terms[value][i] = image * there->weight + (static_cast<Key>(weight) << tier_shift_);
        }
    }
    return terms;
}

// The same where combinations are numbered: what it adds to the potential and to the field of its group.
Terms PositionCode::terms_of_combinations(std::size_t sums, const Numbering::Digit& digit,
                                          const TierPotential& potential) const {
    Terms terms{sums, std::vector<Key>(digit.radix * sums)};
    for (std::uint32_t value = 0; value < digit.radix; ++value) {
        if (!potential.constant())
            terms[value][0] = static_cast<Key>(std::int64_t{potential.weights[digit.slot][value]}) << tier_shift_;
        terms[value][1 + digit.group / fields::per_word] = value * digit.weight << fields::shift(digit.group);
    }
    return terms;
}

void PositionCode::find_terms(Numbering& numbering, const TierPotential& potential,
                              const game::SymmetryGroup& symmetries) const {
    const std::size_t sums =
        numbering.all() ? symmetries.size() : sums_of_combinations(std::size_t{numbering.digits.back().group} + 1);
    for (const auto& digit : numbering.digits)
        numbering.terms.push_back(numbering.all() ? terms_of_images(numbering, digit, potential, symmetries)
                                                  : terms_of_combinations(sums, digit, potential));
    const Key lowest = Key{0} - (static_cast<Key>(static_cast<std::int64_t>(potential.least)) << tier_shift_);
    numbering.offsets.assign(sums, numbering.all() ? lowest : 0);
    numbering.offsets.front() = lowest;
}

void PositionCode::decode(Key key, game::State& state) const {
    state.words.resize(states_->words());
    states_->decode(rank(key), state.words.data());
    state.history.reset();
}

tl::expected<PositionCode, Error> PositionCode::of(game::Game& game, const TierPotential& potential,
                                                   const game::SymmetryGroup& symmetries,
                                                   std::shared_ptr<const Combinations> combinations) {
    if (std::string why = refusal(game.program()); !why.empty()) return failure(std::move(why));
    PositionCode code;
    const auto numbering = std::make_shared<Numbering>();
    if (combinations && !combinations->all()) numbering->combinations = std::move(combinations);
    if (!code.find_digits(game.program(), potential, *numbering)) return failure(std::string(too_wide));
    code.find_terms(*numbering, potential, symmetries);
    game.executor().store(game.initial(), numbering->initial);
    game::State state;
    game::Line line(game);
    code.states_ = WordCode::of(numbering, [&](std::span<const std::uint32_t> slots, WordCode::Words& words) {
        game.executor().load(slots, state);
        words.assign(state.words.begin(), state.words.end());
    });
    code.lines_ = WordCode::of(numbering, [&](std::span<const std::uint32_t> slots, WordCode::Words& words) {
        game.executor().load(slots, state);
        line.start(state);
        words.assign(line.words(0), line.words(0) + line.words());
    });
    if (!code.states_ || !code.lines_) return failure("the executor's states can't be numbered");
    numbering->terms.clear(); // the tables hold them now
    return code;
}

} // namespace zug::solve
