#pragma once
// A line of play, ply by ply: the stack on which searches and perft walk game trees. Its memory is reused, so nothing
// is allocated except where a line gets deeper than any before. Each position is derived from the one above it as fast
// as the executor can; move lists are made only on demand.
//
// Plies are numbered from 0, where start() puts the first position. Functions that take a ply are about the position
// that was last put or made there; making a move at a ply replaces the position at the next one.

#include "executor/position_buffer.hpp"
#include "game/facts/move_kinds.hpp"
#include "game/game.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace zug::game {

using run::Next;
using run::Positions;

class Line {
public:
    explicit Line(Game& game) : game_(game), executor_(game.executor()) { reach(0); }

    void start(const State& state, int ply = 0) {
        reach(ply);
        executor_.begin(state, at(ply));
    }
    const State& state(int ply) { return executor_.state(at(ply)); }
    // A position as words() plain 64-bit words: see run::Executor::words.
    std::uint32_t words() const { return executor_.line_words(); }
    const std::uint64_t* words(int ply) { return executor_.words(at(ply)); }
    void start(std::span<const std::uint64_t> words, int ply = 0) {
        reach(ply);
        executor_.begin(words, at(ply));
    }
    // The canonical slots of a position.
    void store(int ply, std::vector<std::uint32_t>& slots) { executor_.store(state(ply), slots); }
    std::uint32_t mover(int ply) const { return plies_[static_cast<std::size_t>(ply)]->mover; }

    // The first move's position, then the others' in the order of the list: see run::Executor::first.
    Next first(int ply) {
        reach(ply + 1);
        return executor_.first(at(ply), at(ply + 1));
    }
    // The same, but skips up to `passes` positions at which the game certainly continues, for callers that only count
    // those. Subtracts the number of skipped positions from `passes`.
    Next first(int ply, std::uint64_t& passes) {
        reach(ply + 1);
        at(ply).skips = passes;
        return passed(ply, executor_.first(at(ply), at(ply + 1)), passes);
    }
    Next next(int ply, std::uint64_t& passes) {
        at(ply).skips = passes;
        return passed(ply, executor_.next(at(ply), at(ply + 1)), passes);
    }
    Next next(int ply) { return executor_.next(at(ply), at(ply + 1)); }
    // All successors at once, as first() and next() would give them. Returns None, or Fault.
    Next successors(int ply, Positions& out) {
        reach(ply + 1);
        return executor_.successors(at(ply), at(ply + 1), out);
    }
    // The sum of count() over the positions after each of the moves.
    std::uint64_t count_next(int ply) {
        reach(ply + 1);
        return executor_.count_next(at(ply), at(ply + 1));
    }
    // Whether moves are left; reliable only if walks_by_id().
    bool more(int ply) { return executor_.more(at(ply)); }
    // Whether first() and next() go through the moves by ascending id.
    bool walks_by_id() const { return executor_.walks_by_id(); }
    // The kind of node that first() or list() determined.
    NodeKind found(int ply) { return at(ply).kind; }

    // The list of all moves, and the position after the i-th of the last list.
    NodeKind list(int ply) { return executor_.list(at(ply)); }
    // Only the moves that are loud (Traits::has_loud), for make(): see run::Executor::list_loud.
    NodeKind list_loud(int ply) { return executor_.list_loud(at(ply)); }
    const MoveList& moves(int ply) { return at(ply).moves; }
    Next make(int ply, std::size_t i) {
        reach(ply + 1);
        return executor_.make(at(ply), i, at(ply + 1));
    }
    // The id of the move that was made at this ply.
    std::uint64_t move_id(int ply) { return executor_.move_id(at(ply), at(ply + 1)); }

    NodeKind kind(int ply) { return executor_.kind(at(ply)); }
    std::uint64_t count(int ply) { return executor_.count(at(ply)); }
    [[nodiscard]] bool payoffs(int ply, std::span<double> out) { return executor_.payoffs(at(ply), out); }
    void evaluate(int ply, std::span<double> out) { game_.evaluate(at(ply), out); }
    Estimate estimate(int ply) { return game_.estimate(at(ply)); }
    std::uint64_t hash(int ply) { return executor_.hash(at(ply)); }
    void read_slots(int ply, std::span<std::uint32_t> out) { executor_.read_slots(at(ply), out); }
    // What stands on the sites that moves are about.
    void read(int ply, const MoveKinds& kinds, std::vector<std::uint32_t>& out) {
        out.resize(kinds.entries());
        for (const MoveKinds::Map& map : kinds.maps())
            executor_.read_map(at(ply), map.state, std::span(out).subspan(map.first, map.sites));
    }

private:
    Next passed(int ply, Next next, std::uint64_t& passes) {
        passes = std::exchange(at(ply).skips, 0);
        return next;
    }
    run::PositionBuffer& at(int ply) { return *plies_[static_cast<std::size_t>(ply)]; }
    void reach(int ply) {
        while (static_cast<int>(plies_.size()) <= ply) plies_.push_back(std::make_unique<run::PositionBuffer>());
    }

    Game& game_;
    run::Executor& executor_;
    std::vector<std::unique_ptr<run::PositionBuffer>> plies_;
};

} // namespace zug::game
