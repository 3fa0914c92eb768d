#pragma once
// The shapes of chessmen, drawn for Zug: outlines in a square from (-50, -50) to (50, 50), y downwards.

#include <cstdint>
#include <string_view>

namespace zug::draw::board {

enum class Man : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King };

struct ManShape {
    std::string_view body;    // filled and outlined
    std::string_view details; // lines on it
    std::string_view dots;    // filled with the colour of the details; may be empty
};

const ManShape& shape_of(Man man);

} // namespace zug::draw::board
