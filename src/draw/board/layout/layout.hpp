#pragma once
// Where the sites of a board are, and how they look. In units of the distance between neighbouring sites, y downwards.
//
// A board whose `look` has rows lies as these say. Grids and hexagonal boards lie as the language says; boards listed
// by sites named a1, b2, ... as these say; trees with the root on top; other graphs so that distances on the page are
// like those along edges; rings round, or in two rows like the pits of a mancala board. Hexagonal boards whose letters
// run from the top down are turned so that they run from left to right.
//
// The same each time. Cost: linear in the sites of most boards, quadratic for points of a grid, and for graphs that are
// no trees 20 to 300 rounds over all pairs of sites (of more than 1,500 sites: none, they stand in a ring).

#include "draw/board/layout/travel.hpp"
#include "draw/board/pieces/canvas.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zug::draw::board {

// Pieces stand in cells that touch each other; on points, where lines meet; in holes apart from each other; or on a
// plain ground.
enum class Surface : std::uint8_t { Cells, Points, Holes, Bare };

enum class Shade : std::uint8_t { Light, Dark, Middle };

struct SiteShape {
    Point centre;
    std::vector<Point> outline; // of a cell
    Shade shade = Shade::Light;
    bool marked = false;
    std::optional<std::uint32_t> owner = {}; // the player whose side it belongs to, where no edge can say so
};

struct Segment {
    Point from, to;
};

// A part of the board's edge that belongs to a player.
struct SideEdge {
    Segment line;
    std::uint32_t player = 0;
};

// A text beside the board: a direction, of length 1, leads away from it.
struct EdgeLabel {
    Point at, away;
    std::string text;
};

struct Layout {
    Surface surface = Surface::Cells;
    double nodes = 0;             // radius of points, where lines also cross elsewhere
    double room = 1;              // the side of the square for a piece at a site
    double rim = 0;               // radius of the ground around each site, where it is no rectangle
    std::vector<SiteShape> sites; // by site
    std::vector<Segment> lines;   // between points
    std::vector<SideEdge> sides;
    std::vector<std::vector<Point>> loops; // curves outside the board
    std::vector<std::vector<Point>> voids; // cells of the other colour, where no site is
    std::vector<Point> stars;              // points that are marked to be found sooner
    std::vector<EdgeLabel> labels;
    bool tray = false;  // a ring in two rows
    bool round = false; // a graph with cycles: texts of sites lead away from the middle
    bool named = false; // each site has its own text beside it
    Point low, high;    // the corners of all that is drawn, but for labels
};

struct LayoutRequest {
    bool flip = false;                            // seen from the other side
    bool bare = false;                            // without cells, points and holes
    bool trays = false;                           // a ring in two rows
    bool chess = false;                           // chessmen stand on it: cells are of two colours, or three
    const std::vector<Travel>* travels = nullptr; // on this board
    const ir::BoardLook* look = nullptr;          // what the file says; null: nothing
};

Layout layout_of(const ir::Board& board, const LayoutRequest& request);

// How sites look where the file does not say so, by the shape of the board and by what the file calls them: `point`,
// `node` and the like are points, `hole`, `pit` and the like are holes, others cells. Stars and rings have holes,
// listed boards points.
Surface surface_of(const ir::Board& board);

// Adds the texts at the edges, or says that each site has its own; of a layout that is otherwise complete.
void add_labels(Layout& layout, const ir::Board& board);

// Adds what a `look` has at and outside of the edges, sides and loops: outside.cpp.
void add_sides(Layout& layout, const ir::BoardLook& look);
void add_loops(Layout& layout, const ir::BoardLook& look);

// Where the sites of a board without coordinates are: listed.cpp.
std::vector<Point> listed_points(const ir::Board& board);
// Pairs of sites that a listed board joins, each once, the lesser number first.
std::vector<std::pair<std::size_t, std::size_t>> joined_sites(const ir::Board& board);

// The text of a site as moves write it.
const std::string& site_text(const ir::Site& site);
// What pictures and their readers call a site: `cell:a1`.
std::string site_key(const ir::Board& board, std::size_t site);
// The same of a cell of a track, by its number in the `look`.
std::string cell_key(const ir::Program& program, const ir::PlaceLook& look, std::int32_t cell);
// The letters that a text begins with and the digits that are the rest of it; both empty where it isn't such a text.
std::pair<std::string, std::string> letters_and_digits(const std::string& text);

} // namespace zug::draw::board
