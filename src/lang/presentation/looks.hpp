#pragma once
// `look`: how a board, a map from players and places, a piece or the values of a variable are drawn in pictures.
// Internal to src/lang.

#include "lang/core/part.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::lang {

class Conversions;
class Constants;
class Operators;
class Symbols;

class Looks : CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        Constants& constants;
        Operators& operators;
    };
    Looks(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), constants_(uses.constants),
          operators_(uses.operators) {}

    // Of several for one name the first whose conditions hold counts.
    void check_look(NodeId id);

private:
    struct Cell {
        std::int32_t x = 0, y = 0;
    };
    // A picture of rows of names, which are blanks apart.
    struct Rows {
        std::vector<std::string> names; // of places, by their ordinals
        std::string noun;               // what a name stands for
        std::int32_t width = 0, height = 0;
        std::vector<std::optional<Cell>> cells; // by ordinal; none: the place has no cell
    };

    // Its parts, without the name and the conditions.
    std::span<const NodeId> parts(NodeId id) const { return children(id).subspan(1, children(id).size() - 2); }
    std::optional<bool> applies(NodeId id); // its `when`; none: reported
    void wrong_part(NodeId part, std::string_view subject, std::vector<std::string> words);
    // Whether it is the only part of the kind or with one of these words; else reports it.
    bool is_only(NodeId id, NodeId part, const std::vector<std::string_view>& words = {});
    std::optional<Bits> constant_set(NodeId set, TypeId element);

    // ---- maps (looks_rows.cpp)
    bool is_track(ir::StateId state) const;
    void look_of_map(NodeId id, ir::StateId state);
    bool map_part(NodeId id, NodeId part, ir::PlaceLook& look, Rows& rows);
    bool add_row(NodeId row, Rows& rows);
    std::optional<std::int64_t> quarters(NodeId turned, const Rows& rows);

    // ---- boards
    void look_of_board(NodeId id, ir::BoardId board);
    bool board_word(NodeId id, NodeId part, ir::BoardLook& look);
    bool add_side(NodeId part, ir::BoardLook& look);
    bool add_loops(NodeId path, ir::BoardLook& look);
    bool place_sites(NodeId id, const Rows& rows, ir::BoardLook& look);

    // ---- pieces and variables
    struct Shaped {
        ir::Shape shape{};
        bool lettered = false;
    };
    std::optional<Shaped> shape_of(NodeId id, std::string_view subject, bool (*fits)(ir::Shape));
    void look_of_piece(NodeId id, TypeId type, std::int64_t value);
    void look_of_state(NodeId id, ir::StateId state);

    Conversions& conversions_;
    Symbols& symbols_;
    Constants& constants_;
    Operators& operators_;
};

} // namespace zug::lang
