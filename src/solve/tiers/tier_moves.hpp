#pragma once
// The moves of a tier that has moves inside it: the reverse edges inside the tier, and the results of the moves that
// leave it. In memory if it suffices, else in files (scratch.hpp).
//
// Bytes: 7 a position, 4 a move inside the tier, 6 a position and 2 a result for the moves that leave; while they are
// being found, 18 a position if that is in memory, and 8 a move.

#include "solve/enumeration/space.hpp"
#include "solve/parallel/walker_pool.hpp"
#include "solve/tiers/position_index.hpp"
#include "solve/tiers/solved_tiers.hpp"
#include "solve/tiers/tier_task.hpp"

namespace zug::solve {

struct TierWork : TierTask {
    const Outcomes& outcomes;
    const SolvedTiers<Result>& solved_tiers;
};

class TierMoves {
public:
    // The memory that the moves and solving the tier take.
    static Scratch::Need need(const Tier& tier);
    // An error: a rule's fault, files, or `stopped`.
    static tl::expected<TierMoves, Error> of(const TierWork& work, const Tier& tier);

    // The files that hold the moves, for a checkpoint.
    struct State {
        ColumnState exits;
        std::string file; // holds everything else
        std::uint64_t offset = 0, entries = 0;
    };
    // Written on the first call; the files live as long as the moves.
    State save();
    // An error: files, or `unreadable`.
    static tl::expected<TierMoves, Error> restore(const TierWork& work, const Tier& tier, const State& state);

    std::size_t size() const { return movers_.size(); }
    std::uint8_t mover(PositionIndex index) const { return movers_[index]; }
    // The number of positions that it represents.
    std::uint16_t orbit(PositionIndex index) const { return orbits_[index]; }
    // The predecessors of each position inside the tier, once for each move.
    const AdjacencyLists& before() const { return before_; }

    // The moves of a position.
    struct Exits {
        bool is_end = false;
        Result ended = 0;                // of a terminal position
        std::uint32_t inner = 0;         // moves that stay in the tier
        std::span<const Result> results; // of the other moves, each result once
    };
    // Calls each(index, exits) for every position, on all threads: those of a block of position indices (block_keys) in
    // turn on one.
    template <class Each>
    void scan(WorkerPool& threads, Each&& each) const;

private:
    friend class MoveFinder;

    static constexpr std::uint16_t end_mark = UINT16_MAX;
    static constexpr std::size_t scan_blocks = 16;        // that are read together
    static constexpr std::uint64_t bytes_of_a_visit = 16; // in arrays by position index, roughly

    void prepare(Scratch& scratch, const Tier& tier);
    // For checkpoints (array_file.hpp).
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(movers_);
        arrays(orbits_);
        arrays(exits_end_);
        before_.visit(arrays);
    }

    Scratch* scratch_ = nullptr;
    Array<std::uint8_t> movers_;
    Array<std::uint16_t> orbits_;
    AdjacencyLists before_;
    Section saved_;                        // in a file
    ColumnFile<std::uint16_t> exits_;      // end_mark, result; or the number of results, inner (low, high), results
    std::vector<std::uint64_t> exits_end_; // of each block
};

template <class Each>
void TierMoves::scan(WorkerPool& threads, Each&& each) const {
    std::vector<std::vector<std::uint16_t>> buffers(threads.size());
    const std::size_t blocks = exits_end_.size();
    threads.share((blocks + scan_blocks - 1) / scan_blocks, [&](std::size_t thread, std::size_t i) {
        const std::size_t first = i * scan_blocks, end = std::min(first + scan_blocks, blocks);
        const std::uint64_t from = first == 0 ? 0 : exits_end_[first - 1];
        std::span<const std::uint16_t> rest = exits_.read(from, exits_end_[end - 1] - from, buffers[thread]);
        const auto past = static_cast<PositionIndex>(std::min(end * block_keys, size()));
        for (auto index = static_cast<PositionIndex>(first * block_keys); index < past; ++index) {
            const bool is_end = rest.front() == end_mark;
            const std::size_t length = is_end ? 2 : 3 + std::size_t{rest.front()};
            if (length > rest.size()) return; // only after an I/O error
            if (is_end)
                each(index, Exits{.is_end = true, .ended = rest[1], .inner = 0, .results = {}});
            else
                each(index, Exits{.is_end = false,
                                  .ended = 0,
                                  .inner = rest[1] | std::uint32_t{rest[2]} << 16,
                                  .results = rest.subspan(3, length - 3)});
            rest = rest.subspan(length);
        }
        scratch_->look(Scratch::pages(bytes_of_a_visit * scan_blocks * block_keys));
    });
}

} // namespace zug::solve
