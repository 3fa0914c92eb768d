#pragma once
// The positions that can be reached from one of them, tier by tier: forward enumeration on all threads.
//
// With symmetries it is found out on the way whether images of positions have images of their successors: for all
// images in small tiers, in large ones for a few, chosen by their numbers.
//
// Memory at the peak, where there is enough: 8 bytes / 0.75 a position in the tiers under way, two or three bytes a
// position in those that are done. Else keys go into files (frontier.hpp).

#include "solve/encoding/outcomes.hpp"
#include "solve/parallel/walker_pool.hpp"
#include "solve/storage/memory_budget.hpp"
#include "solve/storage/packed_keys.hpp"

#include <functional>
#include <set>

namespace zug::solve {

// What is going on, for people who wait.
struct Stage {
    enum class Work : std::uint8_t { Enumerating, Solving, Checking } work = Work::Enumerating;
    std::uint64_t positions = 0; // done so far
    std::uint64_t of = 0;        // 0: nobody knows yet
};
// Asked some times a second; true ends the work.
using Stop = std::function<bool(const Stage&)>;

struct Tier {
    std::uint32_t number = 0; // the measure, from the least that a position can have
    PackedKeys keys;
    std::uint64_t inner = 0; // moves that stay in the tier
};

struct SpaceFigures {
    std::uint64_t tier_count = 0;               // of all
    std::uint64_t inner = 0;                    // moves that stay in a tier
    std::uint32_t longest_jump = 0;             // from the tier of a position to that of a successor
    bool chance = false;                        // there is a chance node
    std::uint64_t positions = 0;                // of which each stands for its images under symmetries
    std::uint64_t all_positions = 0, moves = 0; // with all the images
};

struct Space : SpaceFigures {
    std::vector<Tier> tiers; // ascending; those that are solved go
    std::set<Payoffs> ends;

    bool cycles() const { return inner != 0; } // as far as the tiers tell
    // Positions in tiers that are gone.
    std::uint64_t solved() const {
        std::uint64_t solved = positions;
        for (const Tier& tier : tiers) solved -= tier.keys.size();
        return solved;
    }
};

// The space for a checkpoint; all keys are in files.
struct SpaceState {
    struct TierState {
        std::uint32_t number = 0;
        std::uint64_t inner = 0;
        KeysState keys;
    };
    SpaceFigures figures;
    std::vector<TierState> tiers;
    std::vector<Payoffs> ends;
};
SpaceState state_of(const Space& space);
bool restore(Space& space, const Work& work, const SpaceState& state); // false: the files don't fit

struct Limits {
    bool rises = false; // the measure, at every move: a tier's set need not be kept while the tier is expanded
    std::uint64_t most_positions = UINT64_MAX;
    Stop stop;
};

inline constexpr std::string_view stopped = "stopped";
// The error of going on from a checkpoint that does not hold what it should.
inline constexpr std::string_view unreadable = "the checkpoint can't be read";
// The error of an enumeration whose measure a move lowers, or doesn't raise where it is said to.
inline constexpr std::string_view potential_fails = "the measure doesn't hold";

// The error of an enumeration that met a position unlike its image.
inline constexpr std::string_view symmetry_fails = "a symmetry doesn't hold";

// The error of an enumeration that met combinations of values which the code doesn't number; the walkers have them.
inline constexpr std::string_view combination_fails = "a combination of values was not known";

// What memory and files there are, and what a checkpoint needs besides what the caller of save() knows.
struct Resources {
    Budget budget;
    Work& work;
    std::function<void(archive::Bytes)> save; // makes a checkpoint that holds these bytes
};

// An error is a rule's fault, too many positions, `stopped`, `potential_fails`, `symmetry_fails`, `combination_fails`
// or what the files say. `resume`: the bytes of a checkpoint, or null. With a folder `stopped` leaves a checkpoint.
tl::expected<Space, Error> enumerate(WalkerPool& pool, const PositionCode& code, Key start, const Limits& limits,
                                     const Resources& resources, const archive::Bytes* resume = nullptr);

} // namespace zug::solve
