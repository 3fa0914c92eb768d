#pragma once
// What of its past a position's value can depend on, in games with draws by repetition: so that two lines to the same
// position are the same to an exact search where nothing of either can come again (the treatment of graph history
// interaction by what can't be undone; A. Kishimoto, M. Mueller, A General Solution to the Graph History Interaction
// Problem, 2004, on why a table needs one).
//
// A position can come again only after one whose measure (one_way.hpp) is not greater. So as long as no move lowers the
// measure, the records (executor/state.hpp) of earlier positions with a lesser measure say nothing. Moves that have
// been searched are watched: below a node where one does, results hold for this line alone, and is_closed() is false.
//
// For games where equal keys of `earlier` mean equal positions (History, in game/facts/history.hpp); only variables
// that are whole in every key are measured.

#include "game/line.hpp"
#include "game/selfplay/one_way.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace zug::game {

class RelevantPast {
public:
    // Null if the game has no draws by repetition, or nothing goes one way.
    static std::unique_ptr<RelevantPast> of(Game& game);

    // The search has come to the position at `ply`, and to those before it in their turn.
    void enter(Line& line, int ply);
    // It goes back to the position before that.
    void leave(int ply);
    // Whether no position below this one has had a lesser measure since enter().
    bool is_closed(int ply) const { return at(ply).least >= at(ply).measure; }
    // A hash of the position and of what matters of its past. Equal ones have equal values at equal depth, as far as
    // they are closed, within the searches of one root.
    std::uint64_t key(Line& line, int ply) const;

private:
    struct Entry {
        std::int64_t measure = 0;
        std::int64_t greatest = 0; // up to here
        std::int64_t least = 0;    // from here on
        std::uint64_t records = 0; // all up to here
    };
    explicit RelevantPast(OneWayMeasure measure) : measure_(std::move(measure)) {}
    const Entry& at(int ply) const { return entries_[static_cast<std::size_t>(ply)]; }

    OneWayMeasure measure_;
    std::vector<Entry> entries_;       // by ply
    std::vector<std::uint32_t> slots_; // scratch
    std::uint64_t before_root_ = 0;    // the records before the one of the root
};

} // namespace zug::game
