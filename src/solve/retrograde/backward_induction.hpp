#pragma once
// From the positions of a game to their results: backward induction, the last tier first. Successors are found a second
// time from the rules instead of being kept, which takes a fraction of the memory and less time than reading them back.
//
// A tier without moves inside it takes one pass (R. Bellman, Dynamic Programming, 1957). In a game that may have cycles
// each tier is solved by retrograde analysis, in others those with moves inside in topological order (loops.hpp).
//
// Memory at the peak, above the packed keys, where there is enough: 15 bytes a position in the tiers that the present
// one leads to, and 2 in the present one; in a game with cycles in a tier see loops.hpp. Else results of later tiers
// are in files (later.hpp).

#include "solve/enumeration/space.hpp"
#include "solve/tiers/solved_tiers.hpp"

#include <array>
#include <functional>

namespace zug::solve {

// How many positions there are of each result and player to move; each counts with its images under symmetries.
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

// Takes a tier's results, in the order of its keys, those from one of its blocks on. An error ends the work.
using Sink = std::function<tl::expected<void, Error>(const Tier& tier, std::size_t first_block,
                                                     std::span<const Result> results)>;

struct Induced {
    Histogram histogram;
    Result start; // of the first position
};

// Frees the keys of each tier when it is done. The errors of enumerate(), a sink's, or that play lasts longer than a
// result can say. `resume`: the bytes of a checkpoint, which hold the space, too; or null. With a folder `stopped`
// leaves a checkpoint. They are made between tiers and parts of them, and where a tier is solved at once at points of
// rest: when its moves are found, between plies, and inside long ones (agenda.hpp).
tl::expected<Induced, Error> backward_induction(WalkerPool& pool, const PositionCode& code, Space& space, Key start,
                                                const Outcomes& outcomes, const Sink& sink, const Stop& stop,
                                                const Resources& resources, const archive::Bytes* resume = nullptr);

// The space in the bytes of such a checkpoint, which begin with it. False: it can't be read.
bool restore_space(Space& space, const Work& work, const archive::Bytes& bytes);

} // namespace zug::solve
