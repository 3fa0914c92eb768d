#pragma once
// A line of play, ply by ply, in memory that is kept from visit to visit: what searches and counts walk trees on.
// Positions are made one from the other as fast as the executor can, moves that nobody looks at are not made, and
// nothing is allocated but where a line goes deeper than any before.
//
// Plies are numbered from 0, where start() puts the first position. What is asked of a ply is about the position that
// was put or made there last; making a move at a ply replaces the position of the next one.

#include "executor/position_buffer.hpp"
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

    void start(const State& state) { executor_.begin(state, at(0)); }
    const State& state(int ply) { return executor_.state(at(ply)); }
    // Positions as plain words, so many of them: see run::Executor::words.
    std::uint32_t words() const { return executor_.line_words(); }
    const std::uint64_t* words(int ply) { return executor_.words(at(ply)); }
    void start(std::span<const std::uint64_t> words, int ply = 0) {
        reach(ply);
        executor_.begin(words, at(ply));
    }
    std::uint32_t mover(int ply) const { return plies_[static_cast<std::size_t>(ply)]->mover; }

    // The first move's position, then the others' in the order of the list: see run::Executor::first.
    Next first(int ply) {
        reach(ply + 1);
        return executor_.first(at(ply), at(ply + 1));
    }
    // The same, but up to so many positions where the game surely goes on, and which the caller has no interest in, are
    // passed over. Takes those that were off `passes`.
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
    // All of the next positions, as first() and next() give them. None, or Fault.
    Next successors(int ply, Positions& out) {
        reach(ply + 1);
        return executor_.successors(at(ply), at(ply + 1), out);
    }
    // The sum of count() over the positions after each of the moves.
    std::uint64_t count_next(int ply) {
        reach(ply + 1);
        return executor_.count_next(at(ply), at(ply + 1));
    }
    // Whether moves are left; sure only where walks_by_id().
    bool more(int ply) { return executor_.more(at(ply)); }
    // Whether that order is the order of ids.
    bool walks_by_id() const { return executor_.walks_by_id(); }
    // The kind of node as first() or list() found it.
    NodeKind found(int ply) { return at(ply).kind; }

    // All moves as a list, and the position after one of them.
    NodeKind list(int ply) { return executor_.list(at(ply)); }
    const MoveList& moves(int ply) { return at(ply).moves; }
    Next make(int ply, std::size_t i) {
        reach(ply + 1);
        return executor_.make(at(ply), i, at(ply + 1));
    }
    // The id of the move that was made at this ply.
    std::uint64_t move_id(int ply) { return executor_.move_id(at(ply), at(ply + 1)); }

    NodeKind kind(int ply) { return executor_.kind(at(ply)); }
    std::uint64_t count(int ply) { return executor_.count(at(ply)); }
    void payoffs(int ply, std::span<double> out) { executor_.payoffs(at(ply), out); }
    void evaluate(int ply, std::span<double> out) { game_.evaluate(at(ply), out); }
    std::uint64_t hash(int ply) { return executor_.hash(at(ply)); }

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
