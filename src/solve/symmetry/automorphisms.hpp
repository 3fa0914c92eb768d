#pragma once
// Automorphisms of a board: permutations of its sites that map the tables of its directions to each other, or to their
// converses. On a board that is a graph, whose edges have no directions, those that map edges to edges.
//
// Found by backtracking: once a site and the directions have their images, so has all that can be reached from there.

#include "game/game.hpp"

#include <cstdint>
#include <vector>

namespace zug::solve {

struct Automorphism {
    std::vector<std::uint32_t> sites;      // by site: its image
    std::vector<std::uint32_t> directions; // by direction; empty: some become converses, or they have none
};

// At most so many, the identity among them; fewer, too, where the search takes long.
std::vector<Automorphism> automorphisms(const ir::Board& board, std::size_t most);

} // namespace zug::solve
