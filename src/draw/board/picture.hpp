#pragma once
// A position as a picture in SVG, from the rules alone: its boards, its tables, and a panel of what else players look
// at. One file without scripts and without references to others.
//
// The elements of sites have an attribute data-site="board:site", and a title that says what is there; so a reader
// aloud and a program find them. Each site of a drawn board has one. Cells of a track have data-site="variable:cell".

#include "base/error.hpp"
#include "game/game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zug::draw::board {

struct LastMove {
    game::State before;
    std::vector<game::StepCode> steps;
    std::string text;
};

// What of a position is shown: all of it under the game's name; or, without background, for a page that puts them
// apart, its boards and tables, or the panel beside them.
enum class Part : std::uint8_t { All, Boards, Panel };

struct PictureOptions {
    Part part = Part::All;
    bool flip = false;    // seen from the other side
    bool dark = false;    // on a dark background
    bool targets = false; // marks the sites that legal moves name
    bool all = false;     // shows all of the state
    int size = 0;         // of the longer side in pixels; 0: as large as the board needs
    int width = 320;      // of a panel alone, in pixels
};

// Errors: a fault of the rules. Costs a few hundred moves of random play, which tell where pieces go.
tl::expected<std::string, Error> picture_of(game::Game& game, const game::State& state,
                                            const std::optional<LastMove>& last, const PictureOptions& options);

// The last of a line of moves, given by their ids; none: the line is empty.
std::optional<LastMove> last_move(game::Game& game, const game::State& start, const std::vector<std::uint64_t>& ids);

} // namespace zug::draw::board
