#pragma once
// The moves of a tier in which moves can stay: those that do, the other way about, and the results of those that leave.
// In memory where there is enough, else in files (scratch.hpp).
//
// Bytes: 7 a position, 4 a move inside the tier, and 6 a position and 2 a result for the moves that leave; while they
// are found, 18 a position where that is in memory, and 8 a move.

#include "solve/later.hpp"
#include "solve/places.hpp"
#include "solve/space.hpp"

namespace zug::solve {

struct TierWork {
    Crew& crew;
    const PositionCode& code;
    const Outcomes& outcomes;
    const Later<Result>& later;
    const Means& means;
    Scratch& scratch;
    std::function<bool()> stops; // asked now and then; true ends the work
};

class TierMoves {
public:
    // What this and solving the tier take.
    static Scratch::Need need(const Tier& tier);
    // An error: a rule's fault, files, or `stopped`.
    static tl::expected<TierMoves, game::Error> of(const TierWork& work, const Tier& tier);

    // Where they are in files, for a checkpoint.
    struct State {
        RowState exits;
        std::string file; // of all else,
        std::uint64_t offset = 0, entries = 0;
    };
    // Writes them when it is called first; the files stay as long as the moves.
    State save();
    // An error: files, or `unreadable`.
    static tl::expected<TierMoves, game::Error> restore(const TierWork& work, const Tier& tier, const State& state);

    std::size_t size() const { return movers_.size(); }
    std::uint8_t mover(Place place) const { return movers_[place]; }
    std::uint16_t orbit(Place place) const { return orbits_[place]; } // positions that it stands for
    // Who leads to each, in the tier: each move once.
    const PlaceLists& before() const { return before_; }

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

    void prepare(Scratch& scratch, const Tier& tier);
    // For checkpoints (array_file.hpp).
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(movers_);
        arrays(orbits_);
        before_.visit(arrays);
    }

    Scratch* scratch_ = nullptr;
    Array<std::uint8_t> movers_;
    Array<std::uint16_t> orbits_;
    PlaceLists before_;
    Section saved_;            // in a file
    Row<std::uint16_t> exits_; // end_mark, result; or the number of results, inner (low, high), results
};

} // namespace zug::solve
