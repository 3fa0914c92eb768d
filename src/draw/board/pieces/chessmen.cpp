#include "draw/board/pieces/chessmen.hpp"

#include <array>
#include <cstddef>

namespace zug::draw::board {

namespace {

constexpr ManShape pawn{
    "M-27 41V36C-27 29-16 27-11 17C-8 10-8 4-10 -1H-16C-18 -1-18 -7-14 -8A15 15 0 1 1 14 -8C18 -7 18 -1 16 -1H10"
    "C8 4 8 10 11 17C16 27 27 29 27 36V41Z",
    "M-19 31H19", ""};

constexpr ManShape knight{
    "M-27 41C-28 24-8 20-5 3C-9 7-15 7-19 5C-21 10-25 15-30 14C-36 13-38 6-35 1C-31 -7-27 -12-25 -18"
    "C-23 -25-17 -29-11 -30L-11 -42L-2 -34C22 -32 33 -8 31 41Z",
    "M3 -24C17 -19 23 0 23 30M-19 5C-15 3-12 0-11 -3",
    "M-16 -16A3 3 0 1 1 -10 -16A3 3 0 1 1 -16 -16"
    "M-32 6A2 2 0 1 1 -28 6A2 2 0 1 1 -32 6"};

constexpr ManShape bishop{
    "M-6 -40A6 6 0 1 1 6 -40A6 6 0 0 1 4 -34C15 -24 21 -14 18 -2C16 6 11 10 10 13L12 23C18 28 30 28 30 36V41H-30V36"
    "C-30 28-18 28-12 23L-10 13C-11 10-16 6-18 -2C-21 -14-15 -24-4 -34A6 6 0 0 1 -6 -40Z",
    "M-10 13H10M-12 23H12M0 -22V-6M-7 -14H7", ""};

constexpr ManShape rook{"M-30 41V34C-30 30-22 30-21 24L-18 -10L-26 -17V-37H-15V-29H-6V-37H6V-29H15V-37H26V-17L18 -10"
                        "L21 24C22 30 30 30 30 34V41Z",
                        "M-18 -10H18M-21 24H21M-26 -17H26", ""};

constexpr ManShape queen{
    "M-25 16L-37 -19A5 5 0 1 1 -31 -21L-18 -4L-19 -31A5 5 0 1 1 -13 -32L-5 -8L-2 -36A5 5 0 1 1 2 -36L5 -8L13 -32"
    "A5 5 0 1 1 19 -31L18 -4L31 -21A5 5 0 1 1 37 -19L25 16C25 22 29 26 29 33V41H-29V33C-29 26-25 22-25 16Z",
    "M-25 16C-10 11 10 11 25 16M-28 29C-11 24 11 24 28 29", ""};

constexpr ManShape king{
    "M-3 -46H3V-41H9V-35H3V-28C6 -26 8 -21 7 -17C11 -22 17 -23 22 -22C37 -20 41 0 25 16C25 22 29 26 29 33V41H-29V33"
    "C-29 26-25 22-25 16C-41 0-37 -20-22 -22C-17 -23-11 -22-7 -17C-8 -21-6 -26-3 -28V-35H-9V-41H-3Z",
    "M-25 16C-10 11 10 11 25 16M-28 29C-11 24 11 24 28 29M0 13V-4C0 -10-3 -14-7 -17M0 -4C0 -10 3 -14 7 -17", ""};

constexpr std::array shapes{pawn, knight, bishop, rook, queen, king};

} // namespace

const ManShape& shape_of(Man man) { return shapes[static_cast<std::size_t>(man)]; }

} // namespace zug::draw::board
