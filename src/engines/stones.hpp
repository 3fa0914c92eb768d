#pragma once
// Positions of games in which stones are placed, as the stones that lie on the board: what records begin with, and
// handicaps are.

#include "engines/vertices.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <vector>

namespace zug::engines {

struct Stone {
    Point point;
    std::uint32_t player = 0;
};

// Whether no stone lies on the board. The error: the game has no one map from points to players.
tl::expected<bool, Error> is_empty(game::Game& game, const Vertices& vertices, const game::State& state);
// The initial position with these stones. The error: as above.
tl::expected<game::State, Error> position_with(game::Game& game, const Vertices& vertices,
                                               const std::vector<Stone>& stones, std::uint32_t to_move);
// The stones that a position has and the initial one lacks. The error: it has more than these.
tl::expected<std::vector<Stone>, Error> stones_of(game::Game& game, const Vertices& vertices, const game::State& state);

} // namespace zug::engines
