#pragma once
// How a file wants boards, tracks, pieces and values drawn in pictures: `look`. Play does not depend on it.

#include "base/bits.hpp"
#include "ir/types.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace zug::ir {

enum class StateId : std::uint32_t;

// Where the places of a map from players and places are in a picture of rows: `look` of the map.
struct PlaceLook {
    StateId state{};
    bool triangles = false; // what all players share are triangles, of two rows
    std::int32_t width = 0, height = 0;
    std::vector<std::vector<std::int32_t>>
        cells;                       // by player and ordinal of the place: row * width + column; -1: nowhere
    std::vector<std::size_t> marked; // ordinals of places
};

enum class Surface : std::uint8_t { Cells, Points, Holes };

// What is drawn of a board beyond what its shape and the rules say: `look` of the board.
struct BoardLook {
    BoardId board{};
    std::optional<Surface> surface = {};
    std::optional<bool> checkered = {};
    Bits shaded = {}, marked = {};                                   // sites, or empty
    std::vector<std::pair<std::uint32_t, Bits>> sides = {};          // players, and the sites whose edges are theirs
    std::vector<std::pair<std::uint32_t, std::uint32_t>> loops = {}; // sites joined by a line outside the board
    std::vector<std::pair<std::int32_t, std::int32_t>> cells = {};   // by site: column, and row from the top; or empty
};

enum class Shape : std::uint8_t {
#define SHAPE(name, word, use) name,
#include "ir/shapes.def"
#undef SHAPE
};

// The shape in which a member or a player is drawn: `look` of it.
struct PieceLook {
    TypeId type{}; // not optional
    std::int64_t value = 0;
    Shape shape{};
    bool lettered = false; // with its glyph
};

// The same of the values of a variable.
struct StateLook {
    StateId state{};
    Shape shape{};
};

// At most one of each thing.
struct Looks {
    std::vector<PlaceLook> places;
    std::vector<BoardLook> boards;
    std::vector<PieceLook> pieces;
    std::vector<StateLook> states;

    bool empty() const { return places.empty() && boards.empty() && pieces.empty() && states.empty(); }
};

} // namespace zug::ir
