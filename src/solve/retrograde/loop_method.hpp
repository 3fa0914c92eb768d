#pragma once
// What the methods that solve a tier with moves inside it keep of its positions while they work. Internal to loops.cpp.

#include "solve/retrograde/cyclic_tier.hpp"
#include "solve/tiers/bucket_queue.hpp"

#include <atomic>

namespace zug::solve {

class LoopMethod {
public:
    LoopMethod(const TierMoves& moves, const TierWork& work, Array<Result>& results, const std::function<bool()>& rests)
        : moves_(moves), pool_(work.pool), outcomes_(work.outcomes), results_(results),
          flags_(work.scratch.of_positions<std::uint8_t>(moves.size())),
          open_(work.scratch.of_positions<std::uint32_t>(moves.size())),
          queue_(moves.before(), work.pool, work.scratch, rests) {}

    // The state at a point of rest, for checkpoints (array_file.hpp), and going on from there.
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(results_);
        arrays(flags_);
        arrays(open_);
        queue_.visit(arrays);
    }
    LoopState::Progress progress() const { return {done_, too_long_}; }
    void restored(const LoopState::Progress& progress) {
        done_ = progress.done;
        too_long_ = progress.too_long;
        queue_.restored();
        is_listed_ = true;
    }

protected:
    const TierMoves& moves_;
    WalkerPool& pool_;
    const Outcomes& outcomes_;
    Array<Result>& results_;
    Array<std::uint8_t> flags_;
    Array<std::uint32_t> open_; // successors in or out of the tier that the method still waits for
    BucketQueue<std::uint16_t> queue_;
    std::atomic<std::uint64_t> done_ = 0; // goals or positions
    std::atomic<bool> too_long_ = false;  // some result has no room for its plies
    bool is_listed_ = false;              // who is to be taken is in the agenda already
};

} // namespace zug::solve
