#include "solve/encoding/position_code.hpp"

#include "game/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace zug::solve {

namespace {

void number_combinations(const Combinations& combinations, std::span<const std::uint64_t> weights,
                         Numbering& numbering) {
    numbering.occurring = combinations.numbers();
    for (std::size_t g = 0; g < weights.size(); ++g) {
        const auto& occurring = numbering.occurring[g];
        const std::size_t first = numbering.numbers.size();
        numbering.first_number.push_back(static_cast<std::uint32_t>(first));
        numbering.numbers.resize(first + occurring.back() + 1, no_key);
        for (std::size_t i = 0; i < occurring.size(); ++i) numbering.numbers[first + occurring[i]] = i * weights[g];
    }
    numbering.first_number.push_back(static_cast<std::uint32_t>(numbering.numbers.size()));
}

} // namespace

bool PositionCode::find_digits(const ir::Program& program, const TierPotential& potential,
                               const Combinations& combinations, Numbering& numbering, std::string& why) {
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
            numbering.digits.push_back({digit.slot, digit.radix, (combinations.all() ? size_ : 1) * digit.weight, g});
        weights.push_back(size_);
        __extension__ using Wide = unsigned __int128;
        const Wide next = static_cast<Wide>(size_) * size;
        if (next >> 63 != 0) return why = too_wide, false;
        size_ = static_cast<std::uint64_t>(next);
    }
    const auto range = static_cast<std::uint64_t>(potential.greatest - potential.least);
    if (std::bit_width(size_ - 1) + std::bit_width(range) > 63) return why = too_wide, false;
    tier_shift_ = static_cast<std::uint32_t>(std::bit_width(size_ - 1));
    if (!combinations.all()) number_combinations(combinations, weights, numbering);
    return true;
}

// What each value of a digit adds to the number of each image: the image of the value, at the image of the slot.
Terms PositionCode::terms_of_images(const Numbering& numbering, const Numbering::Digit& digit,
                                    const TierPotential& potential, const SymmetryGroup& symmetries) const {
    Terms terms{symmetries.size(), std::vector<Key>(digit.radix * symmetries.size())};
    for (std::size_t i = 0; i < symmetries.size(); ++i) {
        const Symmetry& symmetry = symmetries.elements[i];
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
    constexpr std::uint32_t fields = Numbering::fields;
    Terms terms{sums, std::vector<Key>(digit.radix * sums)};
    for (std::uint32_t value = 0; value < digit.radix; ++value) {
        if (!potential.constant())
            terms[value][0] = static_cast<Key>(std::int64_t{potential.weights[digit.slot][value]}) << tier_shift_;
        terms[value][1 + digit.group / fields] = value * digit.weight << digit.group % fields * Numbering::field_bits;
    }
    return terms;
}

void PositionCode::find_terms(Numbering& numbering, const TierPotential& potential,
                              const SymmetryGroup& symmetries) const {
    const std::size_t groups = numbering.occurring.size();
    const std::size_t sums =
        numbering.all() ? symmetries.size() : 1 + (groups + Numbering::fields - 1) / Numbering::fields;
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
                                                   const SymmetryGroup& symmetries, const Combinations& combinations) {
    PositionCode code;
    std::string why;
    const auto numbering = std::make_shared<Numbering>();
    if (!code.find_digits(game.program(), potential, combinations, *numbering, why)) return failure(std::move(why));
    code.find_terms(*numbering, potential, symmetries);
    if (!combinations.all() && numbering->offsets.size() > WordCode::widest_lane) return failure(std::string(too_wide));
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
