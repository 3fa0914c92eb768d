#include "solve/expectation/tier_values.hpp"

#include <algorithm>

namespace zug::solve {

TierValues::TierValues(WalkerPool& pool, const PositionCode& code, const ExpectedValues& expected,
                       const std::vector<SolvedTiers<double>>& solved_tiers)
    : pool_(pool), code_(code), expected_(expected), solved_tiers_(solved_tiers), buffers_(pool.size()) {}

void TierValues::begin(Scratch& scratch, std::size_t size) {
    scratch_ = &scratch;
    for (std::uint32_t w = 0; w < expected_.width(); ++w) values_.push_back(scratch.of_positions<double>(size));
}

bool TierValues::expand(std::size_t thread, Key key, std::span<const PositionIndex> inner) {
    Buffer& buffer = buffers_[thread];
    Walker& walker = pool_.walker(thread);
    buffer.successors.clear();
    walker.expand(key, buffer.successors);
    if (walker.kind() == game::NodeKind::Fault) return error_.note(walker.error()), false;
    buffer.payoffs.resize(expected_.players());
    if (walker.kind() == game::NodeKind::Terminal && !walker.payoffs(buffer.payoffs))
        return error_.note(walker.error()), false;
    buffer.probabilities.clear();
    if (is_chance(thread)) {
        for (std::size_t i = 0; i < buffer.successors.size(); ++i)
            buffer.probabilities.push_back(walker.probability(i));
        buffer.most_outcomes = std::max<std::uint64_t>(buffer.most_outcomes, buffer.successors.size());
    }
    buffer.values.resize(expected_.width());
    const std::uint32_t tier = code_.tier(key);
    buffer.leaving.clear();
    std::ranges::copy_if(buffer.successors, std::back_inserter(buffer.leaving),
                         [&](Key to) { return code_.tier(to) != tier; });
    for (std::uint32_t w = 0; w < expected_.width(); ++w) {
        solved_tiers_[w].find(buffer.leaving, buffer.found, buffer.solved_tiers);
        buffer.values[w].clear();
        auto found = buffer.found.begin();
        auto next = inner.begin();
        for (const Key to : buffer.successors)
            buffer.values[w].push_back(code_.tier(to) == tier ? values_[w][*next++] : *found++);
    }
    return true;
}

void TierValues::solve(std::size_t thread, Key key, PositionIndex index, std::span<const PositionIndex> inner) {
    if (!expand(thread, key, inner)) return;
    Buffer& buffer = buffers_[thread];
    const Walker& walker = pool_.walker(thread);
    buffer.out.resize(expected_.width());
    if (walker.kind() == game::NodeKind::Terminal)
        std::copy_n(buffer.payoffs.begin(), expected_.width(), buffer.out.begin());
    else if (is_chance(thread))
        expected_.mean(buffer.probabilities, buffer.values, buffer.out);
    else
        expected_.choose(walker.mover(), buffer.values, buffer.out, buffer.chosen);
    for (std::uint32_t w = 0; w < expected_.width(); ++w) values_[w][index] = buffer.out[w];
    if (is_chance(thread))
        buffer.counts.chance += walker.orbit();
    else
        buffer.counts.add(expected_, expected_.of(walker.mover(), buffer.out), walker.orbit());
}

std::uint64_t TierValues::most_outcomes() const {
    std::uint64_t most = 0;
    for (const Buffer& buffer : buffers_) most = std::max(most, buffer.most_outcomes);
    return most;
}

double TierValues::rounding() {
    const std::uint64_t most = most_outcomes();
    for (Buffer& buffer : buffers_) buffer.most_outcomes = 0;
    return most == 0 ? 0 : expected_.rounding(most);
}

ValueCounts TierValues::counts() const {
    ValueCounts counts;
    for (const Buffer& buffer : buffers_) counts.add(buffer.counts);
    return counts;
}

ValueCounts TierValues::take_counts() {
    const ValueCounts taken = counts();
    for (Buffer& buffer : buffers_) buffer.counts = {};
    return taken;
}

} // namespace zug::solve
