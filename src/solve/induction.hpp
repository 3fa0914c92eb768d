#pragma once
// From the positions of a game to their results: backward induction, the last tier first. Successors are found a second
// time from the rules instead of being kept, which takes a fraction of the memory and less time than reading them back.
//
// A tier without moves inside it takes one pass (R. Bellman, Dynamic Programming, 1957). In a game that may have cycles
// each tier is solved by retrograde analysis, in others those with moves inside in topological order (loops.hpp).
//
// Memory at the peak, above the packed keys: 15 bytes a position in the tiers that the present one leads to, and 2 in
// the present one; in a game with cycles in a tier see loops.hpp.

#include "solve/space.hpp"

#include <array>
#include <functional>

namespace zug::solve {

// How many positions there are of each result and player to move; each counts with its images under symmetries.
class Histogram {
public:
    explicit Histogram(std::uint32_t players) : counts_(players) {
        for (auto& counts : counts_) counts.assign(std::size_t{1} << 16, 0);
    }
    void add(std::uint32_t mover, Result result, std::uint64_t positions) { counts_[mover][result] += positions; }
    void add(const Histogram& other);
    std::uint64_t count(std::uint32_t mover, Result result) const { return counts_[mover][result]; }
    std::uint32_t players() const { return static_cast<std::uint32_t>(counts_.size()); }

private:
    std::vector<std::vector<std::uint64_t>> counts_;
};

// Takes a tier's results, in the order of its keys. An error ends the work.
using Sink = std::function<tl::expected<void, game::Error>(const Tier& tier, std::span<const Result> results)>;

// Frees the keys of each tier when it is done. The errors of enumerate(), a sink's, or that play lasts longer than a
// result can say.
tl::expected<Histogram, game::Error> induce(Crew& crew, const PositionCode& code, Space& space,
                                            const Outcomes& outcomes, const Sink& sink, const Stop& stop);

} // namespace zug::solve
