#pragma once
// Groups of sites that lie together on a board, for patterns. All are in random order, so that what a limit leaves of
// them is spread over the board.

#include "base/random.hpp"
#include "ir/board.hpp"

#include <cstdint>
#include <vector>

namespace zug::learn {

using Sites = std::vector<std::uint32_t>;

// Straight runs of so many sites along the board's axes, and whole lines that are shorter, of three or more.
std::vector<Sites> runs(const ir::Board& board, std::uint32_t length, Random& random);
// For each axis and length up to `length`, the longest that occurs: all runs of that length.
std::vector<std::vector<Sites>> shared_runs(const ir::Board& board, std::uint32_t length);
// Blocks of two axes with as many sites as fit into `size`: two by two, two by three and so on.
std::vector<Sites> blocks(const ir::Board& board, std::uint32_t size, Random& random);
// Random walks to neighbours, each site once.
std::vector<Sites> walks(const ir::Board& board, std::uint32_t length, std::size_t count, Random& random);

} // namespace zug::learn
