#pragma once
// Automorphisms of a board: permutations of its sites that map each direction (as a relation between sites) to a
// direction or to the converse of one. On a board that is a graph, whose edges have no directions, permutations that
// map edges to edges.
//
// Found by backtracking: once a site and the directions have images, so has everything that can be reached from it.

#include "game/game.hpp"

#include <cstdint>
#include <vector>

namespace zug::game {

struct Automorphism {
    std::vector<std::uint32_t> sites;      // by site: its image
    std::vector<std::uint32_t> directions; // by direction: its image; empty: some map to converses, or there are none
};

// At most so many, including the identity; fewer if the search takes more than 20,000 nodes.
std::vector<Automorphism> automorphisms(const ir::Board& board, std::size_t most);

} // namespace zug::game
