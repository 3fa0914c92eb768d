#pragma once
// A chess board as bit sets: a1 in the lowest bit, eight bits per row. All pieces of a kind move at once, direction by
// direction: of several pieces that slide the same way, only the nearest can reach a square, so that a square and a
// direction tell the move. Slides are filled by parallel prefix (as chess programs do it after S. Westcott), the four
// lines in one vector, upwards and downwards.

#include "tests/bench/bits.hpp"

#include <array>

namespace zug::by_hand {

inline constexpr Set column_a = 0x0101010101010101, column_b = column_a << 1;
inline constexpr Set column_g = column_a << 6, column_h = column_a << 7;
constexpr Set row(int y) { return Set{0xFF} << 8 * (y - 1); }

// The lines, as the steps upwards along them: along a row, a falling diagonal, a column, a rising diagonal.
inline constexpr int along_row = 0, along_column = 2;
inline constexpr std::array<Set, 4> step_sizes = {1, 7, 8, 9};
inline constexpr Four steps = four(step_sizes), jumps = {6, 10, 15, 17}; // of knights
// The squares at which a step that doesn't cross the edge of the board can arrive.
inline constexpr std::array<Set, 4> up_room = {~column_a, ~column_h, ~Set{0}, ~column_a};
inline constexpr std::array<Set, 4> down_room = {~column_h, ~column_a, ~Set{0}, ~column_h};
inline constexpr Four step_up_room = four(up_room), step_down_room = four(down_room);
inline constexpr Four jump_up_room = {~(column_g | column_h), ~(column_a | column_b), ~column_h, ~column_a};
inline constexpr Four jump_down_room = {~(column_a | column_b), ~(column_g | column_h), ~column_a, ~column_h};

// The squares beyond a given one along each line, upwards and downwards.
struct Rays {
    std::array<Set, 4> up{}, down{};
};
inline constexpr auto rays = [] {
    std::array<Rays, 64> table{};
    for (std::size_t square = 0; square < 64; ++square)
        for (std::size_t line = 0; line < 4; ++line) {
            const auto up = [line](Set at) { return at << step_sizes[line] & up_room[line]; };
            const auto down = [line](Set at) { return at >> step_sizes[line] & down_room[line]; };
            for (Set at = up(Set{1} << square); at != 0; at = up(at)) table[square].up[line] |= at;
            for (Set at = down(Set{1} << square); at != 0; at = down(at)) table[square].down[line] |= at;
        }
    return table;
}();

inline Four step_up(Four from) { return (from << steps) & step_up_room; }
inline Four step_down(Four from) { return (from >> steps) & step_down_room; }
inline Four jump_up(Four from) { return (from << jumps) & jump_up_room; }
inline Four jump_down(Four from) { return (from >> jumps) & jump_down_room; }

// The squares that pieces reach by sliding over empty ones, the first that isn't empty included.
inline Four slide_up(Four from, Set empty) {
    Four way = all_four(empty) & step_up_room;
    Four reached = from | (way & (from << steps));
    way &= way << steps;
    reached |= way & (reached << (steps * 2));
    way &= way << (steps * 2);
    reached |= way & (reached << (steps * 4));
    return step_up(reached);
}
inline Four slide_down(Four from, Set empty) {
    Four way = all_four(empty) & step_down_room;
    Four reached = from | (way & (from >> steps));
    way &= way >> steps;
    reached |= way & (reached >> (steps * 2));
    way &= way >> (steps * 2);
    reached |= way & (reached >> (steps * 4));
    return step_down(reached);
}

inline Set knight_attacks(Set from) { return any_of_four(jump_up(all_four(from)) | jump_down(all_four(from))); }
inline Set king_attacks(Set from) { return any_of_four(step_up(all_four(from)) | step_down(all_four(from))); }
template <bool white>
Set pawn_attacks(Set from) {
    if constexpr (white)
        return (from << 7 & ~column_h) | (from << 9 & ~column_a);
    else
        return (from >> 9 & ~column_h) | (from >> 7 & ~column_a);
}

// The men of one player. Queens are among those that slide along diagonals and those that slide along rows and columns.
inline constexpr int pawns = 0, knights = 1, diagonal = 2, straight = 3;
struct Men {
    Four kinds;
    Set king, all;

    // The men that slide along each line.
    Four sliders() const { return __builtin_shufflevector(kinds, kinds, straight, diagonal, straight, diagonal); }
    Men without(Set square) const { return {kinds & ~all_four(square), king, all & ~square}; }
    // After a move to a free square, or to one where a man of the other player has been taken away.
    Men moved(Set from, Set to) const {
        const Four who = reinterpret_cast<Four>((kinds & all_four(from)) != 0);
        const Set both = from | to;
        return {kinds ^ (who & all_four(both)), (king & from) != 0 ? to : king, all ^ both};
    }
};

} // namespace zug::by_hand
