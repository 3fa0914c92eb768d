#include "solve/encoding/tier_potential.hpp"

#include "game/selfplay/random_games.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::uint64_t games_for_potential = 300;
constexpr std::int32_t largest_range = 100'000;

// A candidate term: the number of slots of a variable that hold one value, the number that hold any but the first, or
// the sum of all ordinals.
struct Feature {
    std::uint32_t first = 0, count = 0; // slots
    enum class Kind : std::uint8_t { Equal, NotFirst, Sum } kind = Kind::Sum;
    std::uint32_t value = 0;
    std::int32_t sign = 1;
    bool falls = false, rises = false, stays = false; // at some move of the random games

    std::int32_t weight(std::uint32_t ordinal) const {
        switch (kind) {
        case Kind::Equal: return ordinal == value ? sign : 0;
        case Kind::NotFirst: return ordinal != 0 ? sign : 0;
        case Kind::Sum: break;
        }
        return sign * static_cast<std::int32_t>(ordinal);
    }
    std::int32_t of(std::span<const std::uint32_t> slots) const {
        std::int32_t sum = 0;
        for (const std::uint32_t ordinal : slots.subspan(first, count)) sum += weight(ordinal);
        return sum;
    }
};

std::vector<Feature> features_of(const ir::Program& program, const std::vector<std::uint64_t>& sizes) {
    std::vector<Feature> features;
    for (const auto& state : program.states) {
        if (!state.assigned) continue;
        Feature feature;
        feature.first = state.first_slot;
        feature.count = static_cast<std::uint32_t>(state.initial.size());
        const std::uint64_t radix = sizes[state.first_slot];
        if (feature.count > 1) {
            feature.kind = Feature::Kind::NotFirst;
            features.push_back(feature);
        }
        constexpr std::uint64_t many = 16; // at most so many values are counted one by one
        feature.kind = Feature::Kind::Equal;
        for (feature.value = 1; radix > 2 && radix <= many && feature.value < radix; ++feature.value)
            if (feature.count > 1) features.push_back(feature);
        feature.kind = Feature::Kind::Sum;
        if (feature.count == 1 || radix > 2) features.push_back(feature);
    }
    return features;
}

void compare(std::vector<Feature>& features, std::span<const std::uint32_t> before,
             std::span<const std::uint32_t> after) {
    for (Feature& feature : features) {
        const std::int32_t change = feature.of(after) - feature.of(before);
        (change < 0 ? feature.falls : change > 0 ? feature.rises : feature.stays) = true;
    }
}

// Compares the features before and after each move of random games.
void observe(game::Game& game, const game::State& start, std::vector<Feature>& features) {
    std::vector<std::uint32_t> before, after;
    game::play_random_games(game, start, games_for_potential, [&](const game::State& state, std::uint32_t ply) {
        game.executor().store(state, after);
        if (ply > 0) compare(features, before, after);
        std::swap(before, after);
        return true;
    });
}

TierPotential sum_of(const std::vector<Feature>& features, const std::vector<std::uint64_t>& sizes) {
    TierPotential potential;
    if (features.empty()) return potential;
    potential.weights.resize(sizes.size());
    for (std::size_t slot = 0; slot < sizes.size(); ++slot) potential.weights[slot].assign(sizes[slot], 0);
    for (const Feature& feature : features)
        for (std::uint32_t slot = feature.first; slot < feature.first + feature.count; ++slot)
            for (std::uint32_t ordinal = 0; ordinal < sizes[slot]; ++ordinal)
                potential.weights[slot][ordinal] += feature.weight(ordinal);
    potential.find_range();
    return potential.greatest - potential.least > largest_range ? TierPotential{} : potential;
}

} // namespace

bool TierPotential::fits(std::span<const std::uint64_t> sizes) const {
    if (constant()) return true;
    std::int64_t low = 0, high = 0;
    for (std::size_t slot = 0; slot < weights.size(); ++slot) {
        if (weights.size() != sizes.size() || weights[slot].size() != sizes[slot]) return false;
        low += std::ranges::min(weights[slot]);
        high += std::ranges::max(weights[slot]);
    }
    constexpr std::int64_t most = std::int64_t{1} << 30;
    return low > -most && high < most;
}

void TierPotential::find_range() {
    least = greatest = 0;
    for (const auto& values : weights) {
        const auto [low, high] = std::ranges::minmax(values);
        least += low;
        greatest += high;
    }
}

TierPotential guess_potential(game::Game& game, const game::State& start) {
    const auto sizes = ir::slot_sizes(game.program());
    // A slot with a great many values is not worth a table of weights.
    constexpr std::uint64_t most_values = 4096;
    if (std::ranges::any_of(sizes, [](std::uint64_t size) { return size > most_values; })) return {};
    std::vector<Feature> features = features_of(game.program(), sizes);
    observe(game, start, features);
    std::vector<Feature> monotone;
    for (Feature& feature : features) {
        if (feature.falls == feature.rises) continue; // both, or never changed
        if (feature.falls) feature.sign = -1;
        if (!feature.stays) {
            TierPotential potential = sum_of({feature}, sizes);
            potential.rises = !potential.constant();
            return potential;
        }
        monotone.push_back(feature);
    }
    return sum_of(monotone, sizes);
}

} // namespace zug::solve
