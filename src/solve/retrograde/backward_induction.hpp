#pragma once
// From the positions of a game to their results: backward induction, last tier first. Successors are generated a second
// time from the rules instead of being stored, which takes a fraction of the memory and less time than reading them.
//
// A tier without moves inside it takes one pass (R. Bellman, Dynamic Programming, 1957). In a game that may have cycles
// each tier is solved by retrograde analysis; in other games, tiers with moves inside are solved in topological order
// (cyclic_tier.hpp).
//
// Memory at the peak, above the packed keys, if it suffices: 15 bytes a position in the successor tiers of the current
// tier, and 2 in the current one; for tiers with moves inside see cyclic_tier.hpp. Else the results of successor tiers
// are in files (solved_tiers.hpp).

#include "solve/enumeration/space.hpp"
#include "solve/tiers/solved_tiers.hpp"
#include "solve/tiers/tier_task.hpp"

#include <array>
#include <functional>

namespace zug::solve {

// The number of positions by result and player to move; each position counts with its images under symmetries.
class Histogram {
public:
    struct Count {
        std::uint32_t mover = 0;
        Result result = 0;
        std::uint64_t positions = 0;
    };

    explicit Histogram(std::uint32_t players) : counts_(players) {
        for (auto& counts : counts_) counts.assign(std::size_t{1} << 16, 0);
    }
    void add(std::uint32_t mover, Result result, std::uint64_t positions) { counts_[mover][result] += positions; }
    void add(const Count& count) { add(count.mover, count.result, count.positions); }
    std::uint64_t count(std::uint32_t mover, Result result) const { return counts_[mover][result]; }
    std::vector<Count> counts() const; // that are not 0
    std::uint32_t players() const { return static_cast<std::uint32_t>(counts_.size()); }

private:
    std::vector<std::vector<std::uint64_t>> counts_;
};

// Receives a tier's results in the order of its keys, from block `first_block` on. An error ends the work.
using Sink = std::function<tl::expected<void, Error>(const Tier& tier, std::size_t first_block,
                                                     std::span<const Result> results)>;

struct InductionResult {
    Histogram histogram;
    Result start; // of the first position
};

// Errors: those of enumerate() and of the sink, or that play lasts longer than a result can express. Checkpoints are
// written between tiers and parts of tiers, and, in a tier with moves inside, at safepoints: once its moves are found,
// between plies and inside long ones (bucket_queue.hpp). With a folder, `stopped` leaves a checkpoint.
tl::expected<InductionResult, Error> backward_induction(const SpaceTask& task, const Outcomes& outcomes,
                                                        const Sink& sink);

// Restores the space from the bytes of such a checkpoint, which begin with it. False: it can't be read.
bool restore_space(Space& space, const Work& work, const archive::Bytes& bytes);

} // namespace zug::solve
