#pragma once
// The arrays that the methods for tiers with moves inside share. Internal to cyclic_tier.cpp.

#include "solve/retrograde/cyclic_tier.hpp"
#include "solve/tiers/bucket_queue.hpp"

#include <atomic>

namespace zug::solve {

class TierMethod {
public:
    TierMethod(const TierMoves& moves, const TierWork& work, Array<Result>& results,
               const std::function<bool()>& at_safepoint)
        : moves_(moves), pool_(work.pool), outcomes_(work.outcomes), results_(results),
          flags_(work.scratch.of_positions<std::uint8_t>(moves.size())),
          open_(work.scratch.of_positions<std::uint32_t>(moves.size())),
          queue_(moves.before(), work.pool, work.scratch, at_safepoint) {}

    // The state at a safepoint, for checkpoints (array_file.hpp).
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(results_);
        arrays(flags_);
        arrays(open_);
        queue_.visit(arrays);
    }
    CyclicTierState::Progress progress() const { return {done_, too_long_}; }
    void restored(const CyclicTierState::Progress& progress) {
        done_ = progress.done;
        too_long_ = progress.too_long;
        queue_.restored();
        is_queued_ = true;
    }

protected:
    const TierMoves& moves_;
    WalkerPool& pool_;
    const Outcomes& outcomes_;
    Array<Result>& results_;
    Array<std::uint8_t> flags_;
    Array<std::uint32_t> open_; // successors, inside or outside the tier, whose results are still missing
    BucketQueue<std::uint16_t> queue_;
    std::atomic<std::uint64_t> done_ = 0; // goals or positions
    std::atomic<bool> too_long_ = false;  // some remoteness does not fit into a result
    bool is_queued_ = false;              // the queue holds what is to be taken already
};

} // namespace zug::solve
