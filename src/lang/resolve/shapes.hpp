#pragma once
// Board geometry without syntax: names of sites, compass directions, maps between sites. Internal to src/lang.

#include "ir/board.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace zug::lang {

struct Compass {
    std::string_view name;
    std::int64_t dx, dy;
    bool axis; // one of each pair of opposites
    bool ortho;
};
std::span<const Compass> grid_compass(); // N NE E SE S SW W NW
std::span<const Compass> hex_compass();  // axial coordinates: E NE NW W SW SE
inline constexpr std::string_view ring_directions[] = {"on", "back"};

// `a1`: letters for x in bijective base 26, digits for y.
std::string site_name(std::int64_t x, std::int64_t y);
std::optional<std::pair<std::int64_t, std::int64_t>> site_coordinates(std::string_view name);

// The map that shifts by (dx, dy).
ir::StepMap coordinate_step(const ir::Board& board, std::string name, std::int64_t dx, std::int64_t dy);
// Fills the directions and their named sets; grids have ortho and diagonals, and `adj` is ortho there.
void add_compass(ir::Board& board, std::span<const Compass> compass, bool grid);
// The groups tip0 to tip5 of a star, clockwise from the bottom.
void add_tips(ir::Board& board);
// Whether no two sites lead to the same one.
bool is_injective(const ir::StepMap& map);
// Whether every step along a direction can be undone along some other direction.
bool covers_converses(const ir::Board& board);

} // namespace zug::lang
