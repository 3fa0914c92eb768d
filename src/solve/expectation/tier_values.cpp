#include "solve/expectation/tier_values.hpp"

#include <algorithm>

namespace zug::solve {

TierValues::TierValues(WalkerPool& pool, const PositionCode& code, const ExpectedValues& expected,
                       const std::vector<SolvedTiers<double>>& solved_tiers)
    : pool_(pool), code_(code), expected_(expected), solved_tiers_(solved_tiers), rooms_(pool.size()) {}

void TierValues::begin(Scratch& scratch, std::size_t size) {
    scratch_ = &scratch;
    for (std::uint32_t w = 0; w < expected_.width(); ++w) values_.push_back(scratch.of_positions<double>(size));
}

bool TierValues::expand(std::size_t thread, Key key, std::span<const Place> inner) {
    Room& room = rooms_[thread];
    Walker& walker = pool_.walker(thread);
    room.successors.clear();
    walker.expand(key, room.successors);
    if (walker.kind() == game::NodeKind::Fault) return fail(walker.error()), false;
    room.payoffs.resize(expected_.players());
    if (walker.kind() == game::NodeKind::Terminal) walker.payoffs(room.payoffs);
    room.probabilities.clear();
    if (is_chance(thread)) {
        for (std::size_t i = 0; i < room.successors.size(); ++i) room.probabilities.push_back(walker.probability(i));
        room.most_outcomes = std::max<std::uint64_t>(room.most_outcomes, room.successors.size());
    }
    room.values.resize(expected_.width());
    const std::uint32_t tier = code_.tier(key);
    room.leaving.clear();
    std::ranges::copy_if(room.successors, std::back_inserter(room.leaving),
                         [&](Key to) { return code_.tier(to) != tier; });
    for (std::uint32_t w = 0; w < expected_.width(); ++w) {
        solved_tiers_[w].find(room.leaving, room.found, room.solved_tiers);
        room.values[w].clear();
        auto found = room.found.begin();
        auto next = inner.begin();
        for (const Key to : room.successors)
            room.values[w].push_back(code_.tier(to) == tier ? values_[w][*next++] : *found++);
    }
    return true;
}

void TierValues::solve(std::size_t thread, Key key, Place place, std::span<const Place> inner) {
    if (!expand(thread, key, inner)) return;
    Room& room = rooms_[thread];
    const Walker& walker = pool_.walker(thread);
    room.out.resize(expected_.width());
    if (walker.kind() == game::NodeKind::Terminal)
        std::copy_n(room.payoffs.begin(), expected_.width(), room.out.begin());
    else if (is_chance(thread))
        expected_.mean(room.probabilities, room.values, room.out);
    else
        expected_.choose(walker.mover(), room.values, room.out, room.chosen);
    for (std::uint32_t w = 0; w < expected_.width(); ++w) values_[w][place] = room.out[w];
    if (is_chance(thread))
        room.counts.chance += walker.orbit();
    else
        room.counts.add(expected_, expected_.of(walker.mover(), room.out), walker.orbit());
}

std::uint64_t TierValues::most_outcomes() const {
    std::uint64_t most = 0;
    for (const Room& room : rooms_) most = std::max(most, room.most_outcomes);
    return most;
}

double TierValues::rounding() {
    const std::uint64_t most = most_outcomes();
    for (Room& room : rooms_) room.most_outcomes = 0;
    return most == 0 ? 0 : expected_.rounding(most);
}

ValueCounts TierValues::counts() const {
    ValueCounts counts;
    for (const Room& room : rooms_) counts.add(room.counts);
    return counts;
}

ValueCounts TierValues::take_counts() {
    const ValueCounts taken = counts();
    for (Room& room : rooms_) room.counts = {};
    return taken;
}

} // namespace zug::solve
