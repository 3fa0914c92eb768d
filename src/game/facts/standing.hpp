#pragma once
// What stands on a board by variables that say where: pieces whose sites they hold, sets of sites, and piles. Boards
// show it where no map says what is on each site.

#include "ir/program.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace zug::game {

// A variable that holds a site or none, or a map to such from players, members or a few numbers.
struct StandingPiece {
    ir::StateId state{};
    std::vector<std::string> glyphs; // by entry
};

// A set of sites, or a map from them to truths.
struct StandingMark {
    ir::StateId state{};
    std::string glyph; // that nothing else on the board has, as long as there are characters left
};

struct Standing {
    std::vector<StandingMark> marks;
    std::vector<ir::StateId> piles; // maps from sites and a few levels, the lowest first, to what may be none
    std::vector<StandingPiece> pieces;

    bool empty() const { return marks.empty() && piles.empty() && pieces.empty(); }
    std::vector<ir::StateId> states() const; // all of them, in this order
};

// Marks and pieces only of a board without a map over its sites that changes; where pieces are in maps, there may be
// such to numbers, and to truths, which are marks. Of piles not those that continue a map downwards, with values of the
// same type. Nothing that is local.
Standing standing_on(const ir::Program& program, ir::BoardId board);

// What is on a site, by the place in the list of its kind.
struct Thing {
    enum class Kind : std::uint8_t { Mark, Pile, Piece };
    Kind kind{};
    std::size_t number = 0;
    std::size_t entry = 0; // of a map: of the pile's variable, or the piece's
};

// From the ground up. `slots`: in canonical form (ir/program.hpp).
std::vector<Thing> things_on(const ir::Program& program, std::span<const std::uint32_t> slots, const Standing& standing,
                             std::size_t site);

} // namespace zug::game
