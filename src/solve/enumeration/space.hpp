#pragma once
// The positions reachable from a start position: forward enumeration, tier by tier, on all threads.
//
// Symmetries are checked on the way: the successors of a position's images must be the images of its successors. All
// images are checked in small tiers, a sample chosen by their keys in large ones (symmetry_check.hpp).
//
// Memory at the peak, if it suffices: 8 bytes / 0.75 a position in the tiers being enumerated, two or three bytes a
// position in finished ones. Else keys go into files (frontier.hpp).

#include "solve/encoding/outcomes.hpp"
#include "solve/parallel/walker_pool.hpp"
#include "solve/storage/memory_budget.hpp"
#include "solve/storage/packed_keys.hpp"

#include <functional>
#include <set>

namespace zug::solve {

// Progress, for display.
struct Stage {
    enum class Work : std::uint8_t { Enumerating, Solving, Checking } work = Work::Enumerating;
    std::uint64_t positions = 0; // done so far
    std::uint64_t of = 0;        // 0: not known yet
};
// Polled some times a second; true ends the work.
using Stop = std::function<bool(const Stage&)>;

struct Tier {
    std::uint32_t number = 0; // the potential, counted from the least that a position can have
    PackedKeys keys;
    std::uint64_t inner = 0; // moves that stay in the tier
};

struct SpaceFigures {
    std::uint64_t tier_count = 0;               // of all
    std::uint64_t inner = 0;                    // moves that stay in a tier
    std::uint32_t longest_jump = 0;             // from the tier of a position to that of a successor
    bool chance = false;                        // there is a chance node
    std::uint64_t positions = 0;                // representatives of their images under symmetries
    std::uint64_t all_positions = 0, moves = 0; // with all the images
};

struct Space : SpaceFigures {
    std::vector<Tier> tiers; // ascending; solved tiers are removed
    std::set<Payoffs> ends;

    bool cycles() const { return inner != 0; } // a necessary condition only
    // The number of positions in removed tiers.
    std::uint64_t solved() const {
        std::uint64_t solved = positions;
        for (const Tier& tier : tiers) solved -= tier.keys.size();
        return solved;
    }
};

// The space in a checkpoint; all keys are in files.
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
    bool rises = false; // every move raises the potential, so a tier's set is not needed while it is expanded
    std::uint64_t most_positions = UINT64_MAX;
    Stop stop;
};

inline constexpr std::string_view stopped = "stopped";
// The error of resuming from a checkpoint that is not well-formed.
inline constexpr std::string_view unreadable = "the checkpoint can't be read";
// The error of an enumeration in which a move lowers the potential, or fails to raise one that `rises`.
inline constexpr std::string_view potential_fails = "the potential function doesn't hold";

// The error of an enumeration that met a position that differs from its image.
inline constexpr std::string_view symmetry_fails = "a symmetry doesn't hold";

// The error of an enumeration that met combinations of values without a number; the walkers hold positions with them.
inline constexpr std::string_view combination_fails = "a combination of values was not known";

// The error of a game with more positions than Limits::most_positions.
std::string too_many_positions(std::uint64_t most);

// Memory, files and checkpoints of a solution.
struct Resources {
    Budget budget;
    Work& work;
    std::function<void(archive::Bytes)> save; // writes a checkpoint that holds these bytes
};

struct EnumerationTask {
    WalkerPool& pool;
    const PositionCode& code;
    Key start;
    Limits limits;
    const Resources& resources;
    const archive::Bytes* resume = nullptr; // the bytes of a checkpoint, or null
};

// Errors: a rule's fault, too many positions, `stopped`, `potential_fails`, `symmetry_fails`, `combination_fails`, or
// an I/O error. With a folder, `stopped` leaves a checkpoint.
tl::expected<Space, Error> enumerate(const EnumerationTask& task);

} // namespace zug::solve
