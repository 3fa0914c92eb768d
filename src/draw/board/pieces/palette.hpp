#pragma once
// Colours: of pieces by the words that files use, and of what is around them in two themes.

#include "ir/program.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace zug::draw::board {

// The colours of a piece: its body, the line around it, and what is drawn on it, which contrasts with the body.
struct Ink {
    std::string_view fill, stroke, detail;

    friend bool operator==(const Ink&, const Ink&) = default;
};

// The ink that a word stands for, such as `Black`, `pale` or `violet`, in capital or small letters.
std::optional<Ink> ink_named(std::string_view word);

// The inks of all players. A player whose name is a colour has that, another the colour of their glyph, else the first
// of white, black, red, blue, ... that nobody has. No two are equal, as long as there are enough.
std::vector<Ink> player_inks(const ir::Program& program);

// What belongs to nobody.
Ink plain_ink();

// Tiles with numbers, `rank` from 0 up: the greater, the warmer.
Ink tile_ink(std::uint64_t rank);

struct Theme {
    std::string_view paper, text, faint_text; // the background, and texts on it
    std::string_view light, dark, middle;     // cells
    std::string_view edge;                    // lines between cells, and around the board
    std::string_view wood, line;              // boards of points, and their lines
    std::string_view hole;                    // the empty sites of boards of holes
    std::string_view moved;                   // behind what the last move touched
    std::string_view ring;                    // the same, on a stone
    std::string_view target;                  // marks where a move can lead
    std::string_view panel, panel_edge;       // behind texts
    std::string_view tray;                    // behind pieces that are on no board
    std::string_view note_light, note_dark;   // small texts on cells
};

const Theme& theme(bool dark);

} // namespace zug::draw::board
