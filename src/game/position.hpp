#pragma once
// Positions as text.
//
//   at=3/1X1/3 score=A:12,B:3 rooks={a1,h1} turn=O last=X
//
// Fields `name=value` separated by blanks, one a state variable, then whose turn it is (`turn`), and, where the turn
// does not tell, who moved last (`last`; `last_mover` if a state variable has that name). A field left out has its
// value at the start of the game; `turn` then is the first player, `last` the player before the one to move.
//   - a board of few values with a glyph each, none beginning with another: rows from the top one down, `/` between
//     them, digits for cells that hold nothing or don't exist;
//   - other maps: `index:value` for the entries that differ from the start, separated by commas; an index or value of
//     several parts stands in parentheses;
//   - a set: its members in braces; a single value: as it is, without blanks.
//
// A file may declare a format of its own (ir::PositionPart), such as FEN: the same values in a fixed order, with `-`
// for none and the empty set, and texts for values. It is written if it expresses the whole position. Both formats are
// read: a text that begins with `name=` is in the general one. Parts omitted at the end keep their values.

#include "game/game.hpp"

namespace zug::game {

std::string write_position(const ir::Program& program, std::span<const std::uint32_t> slots);
tl::expected<std::vector<std::uint32_t>, Error> read_position(const ir::Program& program, std::string_view text);

// The position in the file's own format, which may not express all of it.
std::string write_own_position(const ir::Program& program, std::span<const std::uint32_t> slots);

// Shared by both formats, and by draw().
// Whether the variable is written as rows.
bool is_row_board(const ir::Program& program, const ir::StateVariable& state);
// The site of a board at coordinates, or -1.
std::int64_t site_at(const ir::Board& board, std::int32_t x, std::int32_t y);
// The name of the field that says who moved last.
std::string last_field(const ir::Program& program);
// The tuple of a type whose glyph in the file is this text, if there is exactly one.
std::optional<std::int64_t> glyph_value(const ir::Program& program, ir::TypeId type, std::string_view text);
// A value as text without blanks: `(White,Pawn)`, or a tuple's glyph.
std::string compact_text(const ir::Program& program, ir::TypeId type, std::int64_t value);
// `a1`, `(White,24)`: entry `index` of a map, as the values of its index types. The last index varies fastest.
std::string index_text(const ir::Program& program, const ir::StateVariable& state, std::uint64_t index);
std::uint64_t entry_count(const ir::Program& program, const ir::StateVariable& state);
// The value of an entry, a set in braces.
std::string entry_text(const ir::Program& program, ir::StateId id, std::span<const std::uint32_t> slots,
                       std::uint64_t index);
// A map: as rows, or the entries that differ from the start.
std::string map_text(const ir::Program& program, ir::StateId id, std::span<const std::uint32_t> slots);
// Whether an entry has its value at the start of the game.
bool is_initial(const ir::Program& program, ir::StateId id, std::span<const std::uint32_t> slots, std::uint64_t index);

} // namespace zug::game
