#pragma once
// The moves of a tier in which moves can stay: those that do, the other way about, and the results of those that leave.
// In memory where there is enough, else in files.
//
// Memory: 7 bytes a position; where they are not in files also 4 a move inside the tier and 6 a position, and 18 a
// position and 9 a move while they are found.

#include "solve/later.hpp"
#include "solve/space.hpp"
#include "solve/tier_graph.hpp"

namespace zug::solve {

struct TierWork {
    Crew& crew;
    const PositionCode& code;
    const Outcomes& outcomes;
    const Later<Result>& later;
    const Means& means;
    std::function<bool()> stops; // asked now and then; true ends the work
};

// That so many positions of a tier hang together and memory has no room for that.
std::string too_large(std::uint64_t positions, std::uint64_t needed, std::uint64_t free);

class TierMoves {
public:
    // What this and solving the tier take at least.
    static std::uint64_t least_bytes(std::uint64_t positions) { return 26 * positions; }
    // An error: a rule's fault, too little memory, or `stopped`.
    static tl::expected<TierMoves, game::Error> of(const TierWork& work, const Tier& tier);

    std::size_t size() const { return movers_.size(); }
    std::uint8_t mover(Place place) const { return movers_[place]; }
    std::uint16_t orbit(Place place) const { return orbits_[place]; } // positions that it stands for
    // Who leads here, in the tier: each move once. The room is for what is in files.
    std::span<const Place> leading_to(Place place, std::vector<Place>& room) const;

    // Where a position's moves go.
    struct Exits {
        bool is_end = false;
        Result ended = 0;                // of an end
        std::uint32_t inner = 0;         // moves that stay in the tier
        std::span<const Result> results; // of the other moves, each result once
    };
    // Calls each(place, exits) for every position in turn.
    void scan(const std::function<void(Place, const Exits&)>& each) const;

private:
    friend class MoveFinder;

    std::vector<std::uint8_t> movers_;
    std::vector<std::uint16_t> orbits_;
    std::vector<std::uint64_t> first_of_block_; // into before_, of each block's positions
    std::vector<std::uint32_t> first_;          // of each position, from its block's first
    Row<Place> before_;
    Row<std::uint16_t> exits_; // end_mark, result; or the number of results, inner (low, high), results
};

} // namespace zug::solve
