#pragma once
// A bucket queue of a tier's positions, keyed by ply, and the parallel sweep over it: ply by ply, from the positions
// taken to those whose moves lead to them. All threads work on one ply, in two alternating phases:
//
// - take: each thread takes due positions, a unit of neighbouring indices at a time, and records which predecessors it
//   reaches from them;
// - reach: the recorded predecessors are partitioned into ranges of position indices, and each range is handled by one
//   thread.
//
// So no two threads ever write to the same position, and arrays by position index are traversed almost in order, which
// files need and caches prefer. The order in which a ply's positions are taken and reached depends on thread timing;
// the caller's results must not. Small amounts of work are done by the calling thread alone.
//
// Bytes: 2 or 4 a position in the tier's scratch memory; and in memory twice what each thread records, at most 2^18
// position indices with what is passed on to them, or an eighth of the scratch memory for all threads together.

#include "solve/parallel/groups.hpp"
#include "solve/parallel/worker_pool.hpp"
#include "solve/tiers/position_index.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace zug::solve {

// Ply: an unsigned number.
template <class Ply>
class BucketQueue {
public:
    // `before`: the predecessors of each position. `at_safepoint` is polled at safepoints, true stops the sweep. At a
    // safepoint everything taken has reached its predecessors, so the queue and the caller's arrays are the complete
    // state.
    BucketQueue(const AdjacencyLists& before, WorkerPool& threads, Scratch& scratch,
                const std::function<bool()>& at_safepoint)
        : before_(before), threads_(threads), scratch_(scratch), at_safepoint_(at_safepoint),
          due_(scratch.of_positions<Ply>(before.size())), soonest_((before.size() + segment - 1) / segment, never) {
        while ((before.size() >> range_bits_) >= most_ranges) ++range_bits_;
        ranges_ = (before.size() >> range_bits_) + 1;
    }

    // Empties the queue.
    void clear() {
        threads_.share(units(), [&](std::size_t, std::size_t u) {
            std::ranges::fill(due_.slice(u * unit, unit), never);
            scratch_.look();
        });
        std::ranges::fill(soonest_, never);
    }
    // The queue's arrays, for checkpoints (array_file.hpp); call restored() after they were read.
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(due_);
    }
    void restored() {
        for (std::size_t r = 0; r < soonest_.size(); ++r) {
            soonest_[r] = std::ranges::min(due_.slice(r * segment, segment));
            scratch_.look();
        }
    }
    // If the position is queued already, the smaller ply counts. Plies beyond the largest representable one count as
    // that one. Thread-safe as long as each thread adds to other blocks of position indices (block_keys).
    void add(std::uint32_t ply, PositionIndex index) {
        const auto own = static_cast<Ply>(std::min<std::uint32_t>(ply, never - 1));
        if (due_[index] <= own) return;
        due_[index] = own;
        Ply& soonest = soonest_[index / segment];
        soonest = std::min(soonest, own);
    }
    // Takes all positions in the order of plies, including those that are added for a later ply meanwhile, until the
    // queue is empty:
    //   take(thread, ply, indices): some positions of a ply, ascending, all in one block of position indices;
    //   pass(index): the value handed to their predecessors, called by the same thread afterwards;
    //   reach(ply, index, value): for each reverse edge from a taken position to `index`, before the next ply begins;
    //   by
    //     any thread, but by one thread for a block of position indices, and never while positions are being taken;
    //   end(ply): all positions of the ply have been taken, and all their predecessors reached; by the calling thread.
    // False: stopped at a safepoint.
    template <class Take, class Pass, class Reach, class End>
    bool run(Take&& take, Pass&& pass, Reach&& reach, End&& end) {
        using Passed = std::invoke_result_t<Pass, PositionIndex>;
        std::vector<Buffer<Passed>> buffers(threads_.size());
        const std::uint64_t bytes = scratch_.free() / 8 / threads_.size();
        const std::size_t most = std::clamp<std::size_t>(bytes / (2 * sizeof(Reached<Passed>)), 1 << 9, 1 << 18);
        for (Ply ply = next(); !stops_at_safepoint(buffers); ply = next()) {
            if (ply == never) return true;
            find_units(ply);
            const auto turn = [&](bool goes_on) {
                const auto part = [&](std::size_t thread, std::size_t steps) {
                    Limits limits{most, steps, goes_on};
                    gather(
                        buffers[thread], limits, [&](const auto& indices) { take(thread, ply, indices); }, pass);
                };
                part(0, few_steps);
                if (has_open(buffers) || (goes_on && has_units()))
                    threads_.run([&](std::size_t thread) { part(thread, SIZE_MAX); });
                deliver(buffers, [&](const Reached<Passed>& reached) { reach(ply, reached.index, reached.passed); });
            };
            while (has_units() || has_open(buffers)) {
                turn(true);
                if (steps_since_safepoint(buffers) < turns_between_safepoints * most * buffers.size()) continue;
                while (has_open(buffers)) turn(false);
                if (has_units() && stops_at_safepoint(buffers)) return false;
            }
            end(ply);
        }
        return false;
    }

private:
    template <class Passed>
    struct Reached {
        PositionIndex index;
        [[no_unique_address]] Passed passed;
    };
    // What a thread has taken, and the predecessors that it has reached.
    template <class Passed>
    struct Buffer {
        std::vector<PositionIndex> taken;
        std::size_t next = 0; // of these: the first whose predecessors are still to be reached
        std::vector<Reached<Passed>> reached;
        Groups<Reached<Passed>> by_range;
        std::size_t steps = 0; // since the last safepoint
    };

    static constexpr Ply never = std::numeric_limits<Ply>::max();
    static constexpr std::size_t segment = 256, unit = block_keys; // positions
    static constexpr std::size_t most_ranges = 1024;
    static constexpr std::size_t few_steps = 1 << 12; // fewer are done before other threads would have started
    static constexpr std::size_t steps_of_a_segment = 16;
    static constexpr std::size_t turns_between_safepoints = 4; // full ones
    static constexpr std::size_t together = 16;                // positions whose lists are read together
    static constexpr std::uint64_t bytes_of_a_reach = 16;      // in arrays by position index, roughly

    std::size_t units() const { return (due_.size() + unit - 1) / unit; }
    Ply next() const { return soonest_.empty() ? never : std::ranges::min(soonest_); }

    // Whether something is due at this ply.
    void find_units(Ply ply) {
        units_.clear();
        next_unit_ = 0;
        for (std::size_t r = 0; r < soonest_.size(); ++r)
            if (soonest_[r] == ply && (units_.empty() || units_.back() != r / (unit / segment)))
                units_.push_back(static_cast<std::uint32_t>(r / (unit / segment)));
        ply_ = ply;
    }

    bool has_units() const { return next_unit_ < units_.size(); }
    // Whether something was taken and has not reached all of its predecessors.
    template <class Passed>
    static bool has_open(const std::vector<Buffer<Passed>>& buffers) {
        return std::ranges::any_of(buffers, [](const auto& buffer) { return buffer.next < buffer.taken.size(); });
    }

    // A thread's turn ends after so many predecessors or steps. It takes further positions, or only continues with
    // those that it has taken.
    struct Limits {
        std::size_t reached, steps;
        bool takes;
    };
    template <class Passed, class Take, class Pass>
    void gather(Buffer<Passed>& buffer, const Limits& limits, Take&& take, Pass&& pass) {
        for (std::size_t done = 0;;) {
            for (; buffer.next < buffer.taken.size(); ++buffer.next) {
                if (buffer.reached.size() >= limits.reached || done >= limits.steps) return;
                if (buffer.next % together == 0) look_at_lists(std::span(buffer.taken).subspan(buffer.next));
                const PositionIndex index = buffer.taken[buffer.next];
                const std::span<const PositionIndex> before = before_.of(index);
                const Passed passed = pass(index);
                for (const PositionIndex from : before) buffer.reached.push_back({from, passed});
                done += before.size();
                buffer.steps += before.size();
            }
            buffer.taken.clear();
            buffer.next = 0;
            if (!limits.takes || done >= limits.steps) return;
            const std::size_t next = next_unit_++;
            if (next >= units_.size()) return;
            take_unit(units_[next], buffer.taken);
            take(std::span<const PositionIndex>(buffer.taken));
            done += buffer.taken.size() + steps_of_a_segment;
            buffer.steps += buffer.taken.size();
        }
    }

    void look_at_lists(std::span<const PositionIndex> indices) {
        if (!scratch_.moves_in_files()) return;
        const std::size_t count = std::min(together, indices.size());
        const auto bytes = before_.of(indices[count - 1]).end() - before_.of(indices.front()).begin();
        scratch_.look(
            std::min<std::uint64_t>(count, Scratch::pages(sizeof(PositionIndex) * static_cast<std::size_t>(bytes))));
    }

    // Removes the positions of a unit that are due at this ply, the smallest one queued there.
    void take_unit(std::size_t u, std::vector<PositionIndex>& taken) {
        for (std::size_t r = u * (unit / segment); r < std::min((u + 1) * (unit / segment), soonest_.size()); ++r)
            if (soonest_[r] == ply_) take_segment(r, taken);
        scratch_.look(2);
    }
    void take_segment(std::size_t r, std::vector<PositionIndex>& taken) {
        const std::span<Ply> dues = due_.slice(r * segment, segment);
        Ply soonest = never;
        for (const Ply due : dues) soonest = std::min(soonest, due == ply_ ? never : due);
        for (std::size_t i = 0; i < dues.size(); ++i) {
            if (dues[i] != ply_) continue;
            taken.push_back(static_cast<PositionIndex>(r * segment + i));
            dues[i] = never;
        }
        soonest_[r] = soonest;
    }

    // Calls reach(reached) for everything that the threads have recorded.
    template <class Passed, class Reach>
    void deliver(std::vector<Buffer<Passed>>& buffers, Reach&& reach) {
        std::size_t all = 0;
        for (const auto& buffer : buffers) all += buffer.reached.size();
        const std::size_t most = all < few_steps ? 1 : SIZE_MAX; // threads
        threads_.share(
            buffers.size(),
            [&](std::size_t, std::size_t i) {
                buffers[i].by_range.make(buffers[i].reached, ranges_,
                                         [&](const Reached<Passed>& r) { return r.index >> range_bits_; });
                buffers[i].reached.clear();
            },
            most);
        threads_.share(
            ranges_,
            [&](std::size_t, std::size_t range) {
                for (const auto& buffer : buffers) {
                    const auto own = buffer.by_range.of(range);
                    for (const Reached<Passed>& reached : own) reach(reached);
                    const std::uint64_t pages = Scratch::pages(bytes_of_a_reach << range_bits_);
                    scratch_.look(2 * std::min<std::uint64_t>(own.size(), pages));
                }
            },
            most);
    }

    template <class Passed>
    static std::size_t steps_since_safepoint(const std::vector<Buffer<Passed>>& buffers) {
        std::size_t steps = 0;
        for (const auto& buffer : buffers) steps += buffer.steps;
        return steps;
    }
    template <class Passed>
    bool stops_at_safepoint(std::vector<Buffer<Passed>>& buffers) {
        for (auto& buffer : buffers) buffer.steps = 0;
        return at_safepoint_();
    }

    const AdjacencyLists& before_;
    WorkerPool& threads_;
    Scratch& scratch_;
    const std::function<bool()>& at_safepoint_;
    Array<Ply> due_;
    std::vector<Ply> soonest_; // of each segment
    unsigned range_bits_ = 10; // a range has 2^range_bits_ positions: whole blocks
    std::size_t ranges_ = 0;
    Ply ply_ = never;                  // that is taken
    std::vector<std::uint32_t> units_; // of it
    std::atomic<std::size_t> next_unit_ = 0;
};

// For callers that pass no value on, or do nothing at the end of a ply.
struct Nothing {};
inline Nothing pass_nothing(PositionIndex) { return {}; }
inline void end_nothing(std::uint32_t) {}

} // namespace zug::solve
