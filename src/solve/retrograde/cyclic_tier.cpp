#include "solve/retrograde/cyclic_tier.hpp"

#include "solve/retrograde/retrograde.hpp"
#include "solve/retrograde/topological.hpp"
#include "solve/storage/array_file.hpp"
#include "solve/tiers/tier_graph.hpp"

#include <fmt/format.h>

namespace zug::solve {

std::string too_long(const Outcomes& outcomes) {
    return fmt::format("best play lasts longer than {} plies, the most that a result has room for beside {} outcomes",
                       outcomes.most_remoteness(), outcomes.size());
}

namespace {

// The error of a tier that has cycles: names a position on one.
std::string on_cycle(const TierWork& work, const Tier& tier) {
    auto graph = TierGraph::of(work, tier);
    if (!graph) return graph.error().text;
    TierOrder order(*graph, work.pool, work.scratch, work.stops);
    if (work.resources.work.io_error().any()) return work.resources.work.io_error().text();
    order.begin();
    if (!order.run([](std::size_t, std::uint32_t, std::span<const PositionIndex>) {}, end_nothing))
        return std::string(stopped);
    const auto cycle = graph->on_cycle();
    if (!cycle) return work.resources.work.io_error().text();
    std::array<Key, block_keys> buffer;
    std::vector<Key> successors;
    work.pool.walker(0).expand(tier.keys.block(*cycle / block_keys, buffer)[*cycle % block_keys], successors);
    return fmt::format("play can come back to the position {}: games with such cycles are solved only for one player, "
                       "or for two whose utilities are known to add up to zero",
                       work.pool.walker(0).text());
}

// Called at a safepoint: writes a checkpoint if one is due, and returns whether to stop.
template <class Method>
bool safepoint(const CyclicTierWork& work, TierMoves& moves, Method& method) {
    const bool stops = work.tier.stops();
    Work& files = work.tier.resources.work;
    if (files.is_due(stops)) {
        const auto file = files.create();
        ArrayWriter arrays(*file, work.tier.scratch);
        method.visit(arrays);
        work.save({moves.save(), file->name(), method.progress()});
    }
    return stops || files.io_error().any();
}

// False: the checkpoint has no such state.
template <class Method>
bool restore(const CyclicTierWork& work, Method& method) {
    ArrayReader arrays(work.tier.resources.work.file(work.resume->arrays), 0, work.tier.scratch);
    method.visit(arrays);
    if (!arrays.done()) return false;
    method.restored(work.resume->progress);
    return true;
}

void count(const CyclicTierWork& work, const TierMoves& moves, const Array<Result>& results) {
    work.tier.pool.share((results.size() + block_keys - 1) / block_keys, [&](std::size_t thread, std::size_t block) {
        auto index = static_cast<PositionIndex>(block * block_keys);
        for (const Result result : results.slice(index, block_keys)) {
            work.histograms[thread].add(moves.mover(index), result, moves.orbit(index));
            ++index;
        }
        work.tier.scratch.look();
    });
}

template <class Method>
tl::expected<void, Error> solve_by(const CyclicTierWork& work, const Tier& tier, Array<Result>& results) {
    auto moves = work.resume != nullptr ? TierMoves::restore(work.tier, tier, work.resume->moves)
                                        : TierMoves::of(work.tier, tier);
    if (!moves) return tl::unexpected(moves.error());
    if (work.tier.scratch.moves_in_files()) return_memory();
    const IoError& io_error = work.tier.resources.work.io_error();
    std::optional<Method> method;
    const std::function<bool()> at_safepoint = [&] { return safepoint(work, *moves, *method); };
    method.emplace(*moves, work.tier, results, at_safepoint);
    if (io_error.any()) return failure(io_error.text());
    if (work.resume != nullptr && !restore(work, *method)) return failure(std::string(unreadable));
    auto why = method->run();
    if (io_error.any()) return failure(io_error.text());
    if (!why.empty()) return failure(why == cycle_found ? on_cycle(work.tier, tier) : std::move(why));
    count(work, *moves, results);
    return {};
}

} // namespace

tl::expected<void, Error> solve_acyclic_tier(const CyclicTierWork& work, const Tier& tier, Array<Result>& results) {
    return solve_by<TopologicalOrder>(work, tier, results);
}

tl::expected<void, Error> solve_cyclic_tier(const CyclicTierWork& work, const Tier& tier, Array<Result>& results) {
    return solve_by<Retrograde>(work, tier, results);
}

} // namespace zug::solve
