#pragma once
// What of a game's state is drawn where: on which board, as what; in tables; as text; or not at all.

#include "game/facts/standing.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace zug::draw::board {

// How a map over the sites of a board is drawn.
enum class Layer : std::uint8_t {
    Ground,  // the colour of the site
    Storeys, // small numbers, squares one inside the other
    Pieces,  // a piece or a stone
    Counts,  // a number, which is all that the site has
    Column,  // a map over sites and numbers: what lies below the piece, downwards
    Badge,   // a text in the corner
};

struct BoardMap {
    ir::StateId state{};
    Layer layer{};
};

struct BoardRole {
    ir::BoardId board{};
    std::vector<BoardMap> maps; // in the order in which they are drawn
    game::Standing standing;    // what no map says
    // The board's sites are where four sites of this other grid meet, and it is drawn with that.
    std::optional<ir::BoardId> corners_of = {};
};

struct Roles {
    std::vector<BoardRole> boards;
    std::vector<ir::StateId> tables; // maps over two things that are no sites, tracks among them
    std::vector<ir::StateId> ties;   // such maps over two things of one kind, to players
    std::vector<ir::StateId> texts;
};

// Texts are: numbers and maps to them, except those that only count towards a draw; players, members, tuples, and sets
// of them, and maps to directions; what is local only where it has another value than at the start, which the caller
// looks at. Neither truths, nor sites and sets of them, nor what no rule changes. With `all` they are everything that a
// rule can change and that isn't drawn otherwise.
Roles roles_of(const ir::Program& program, bool all);

// By StateId: what a position on a terminal is better without: what is none of the texts above, and single numbers that
// only count towards an end.
std::vector<bool> internal_states(const ir::Program& program);

} // namespace zug::draw::board
