#pragma once
// A board: sites, and partial maps between them. Directions are the named maps that a `dir` value can be; offsets and
// the edges of a graph are further maps that only paths use.

#include "base/bits.hpp"
#include "base/id.hpp"
#include "ir/types.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace zug::ir {

enum class StepId : std::uint32_t {}; // a partial map of one board

struct Site {
    std::string name;          // a1, or the name given in a listed board
    std::int32_t x = 0, y = 0; // from 1; (number, 1) on a ring; (0, 0) on listed boards without compass directions
    std::string text = {};     // as moves and positions write it; empty: its name
};

struct StepMap {
    std::string name;             // N, on, (1, 2), out1
    std::vector<std::int32_t> to; // per site the site it leads to, or -1
    bool injective = true;        // then its converse is a partial map too
};

struct SiteGroup {
    std::string name;
    Bits sites;
};

enum class BoardShape : std::uint8_t { Grid, Rhombus, Hexagon, Ring, Lines, Graph };

struct Board {
    std::string name; // the name of its site type
    BoardShape shape = BoardShape::Grid;
    std::int32_t width = 0, height = 0; // bounding box of the coordinates; ring: (n, 1); listed: 0 unless compass lines
    std::vector<Site> sites;
    IdVector<StepId, StepMap> steps; // the first dir_count of them are the directions, in order of their Dir value
    std::uint32_t dir_count = 0;
    std::vector<SiteGroup> groups;
    // Named sets of directions as the language knows them. `adjacent` is what `adj` means; `axes` has one of each
    // opposite pair. ortho, diagonals: grids only; on other boards compass = all directions.
    Bits compass, ortho, diagonals, axes, adjacent; // over directions
    std::vector<StepId> edges;                      // Graph: the maps whose union is `out`
};

} // namespace zug::ir
