#pragma once
// The positions of a game that can be reached from one of them, as a graph in memory: forward enumeration, breadth
// first. Positions are compared as wholes, never by a hash alone. History is left out: what a position's past may mean
// is for the caller to judge (game/history.hpp).
//
// Memory: the words of a state and some 20 bytes a position, and 4 bytes a move.

#include "game/game.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace zug::solve {

enum class PositionId : std::uint32_t {};

// Asked from time to time with the number of positions found so far; true ends the enumeration.
using Stop = std::function<bool(std::uint64_t positions)>;

class Graph {
public:
    // An error is a rule's fault, a game with chance, more than `most` positions, or "stopped".
    static tl::expected<Graph, game::Error> of(game::Game& game, const game::State& start, std::uint64_t most,
                                               const Stop& stop);

    // The start is position 0; successors are numbered in the order in which they were found.
    std::uint32_t size() const { return static_cast<std::uint32_t>(to_move_.size()); }
    std::span<const PositionId> successors(PositionId id) const {
        const auto i = static_cast<std::size_t>(id);
        return {edges_.data() + first_edge_[i], first_edge_[i + 1] - first_edge_[i]};
    }
    // An end of the game has no successors, and a utility for the first player.
    bool is_end(PositionId id) const { return successors(id).empty(); }
    double utility(PositionId id) const { return utilities_[static_cast<std::size_t>(id)]; }
    std::uint8_t to_move(PositionId id) const { return to_move_[static_cast<std::size_t>(id)]; }
    std::uint64_t moves() const { return edges_.size(); }

private:
    friend class Enumeration;

    std::vector<std::uint64_t> first_edge_; // one more than positions
    std::vector<PositionId> edges_;
    std::vector<double> utilities_; // 0 where the game goes on
    std::vector<std::uint8_t> to_move_;
};

} // namespace zug::solve
