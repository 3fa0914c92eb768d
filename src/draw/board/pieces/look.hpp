#pragma once
// How values look: which shape stands for a player, a piece, a number. By the `look` that the file gives them; else by
// their types and by the words of files, for which there are tables (names of chessmen, of draughtsmen, of colours,
// ...); never by the game.

#include "draw/board/pieces/chessmen.hpp"
#include "draw/board/pieces/palette.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zug::draw::board {

enum class Form : std::uint8_t {
    None,    // nothing is there
    Disc,    // a stone
    Crowned, // a stone with a crown
    Chessman,
    Cross, // X and O, as on paper
    Nought,
    Lettered, // a stone with a text
    Tile,     // a square with a text
    Text,     // a text alone
    Across,   // walls and lines, from side to side or from top to bottom
    Upright,
    Dot,
    Block, // fills its site
    Crate,
    Goal,  // a mark on the ground
    Burnt, // a site out of play
    Token, // a piece of several properties
    Star,
};

struct Look {
    Form form = Form::None;
    Ink ink{};
    std::string text = {};
    Man man = Man::Pawn;
    bool on_goal = false; // a Goal is below it
    bool cored = false;   // a Disc with a smaller one of another colour in it
    Ink core = {};
    bool badge = false;                               // the text stands in a corner
    bool low = false, square = false, hollow = false; // Token
};

// The looks of a program's values, which it must outlive.
class Looks {
public:
    explicit Looks(const ir::Program& program);

    // Of a scalar value, which may be `none`.
    Look of(ir::TypeId type, std::int64_t value) const;
    // Of a piece whose site a variable holds, `owner`'s; null: nobody's.
    Look standing(ir::StateId id, const Ink* owner) const;
    // Of the sites in a set: a block, or a tile with the letter.
    Look mark(ir::StateId id, const std::string& letter) const;
    // The shape that the file gives the values of a variable.
    std::optional<ir::Shape> shape_of(ir::StateId id) const;
    // Whether some values of the type are chessmen.
    bool has_chessmen(ir::TypeId type) const;
    const Ink& player(std::int64_t player) const { return inks_[static_cast<std::size_t>(player)]; }

private:
    std::optional<Look> given(ir::TypeId type, std::int64_t value, const Ink& ink) const;
    Look of_player(ir::TypeId type, std::int64_t value) const;
    Look of_member(ir::TypeId type, std::int64_t value, const Ink* owner) const;
    Look of_tuple(ir::TypeId type, std::int64_t value) const;
    Look of_number(ir::TypeId type, std::int64_t value, bool optional) const;
    Ink glyph_ink(ir::TypeId type, std::int64_t value, const Ink& otherwise) const;
    const std::vector<std::string>& members(ir::TypeId type) const;

    const ir::Program& program_;
    std::vector<Ink> inks_; // by player
    bool on_paper_;         // players leave marks, not stones
};

// Whether a name is that of a chessman.
bool is_chessman(const std::string& name);

// Whether all members of an enumeration are words for colours.
bool is_colours(const ir::Program& program, ir::TypeId type);

} // namespace zug::draw::board
