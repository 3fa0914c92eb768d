#pragma once
// Combinations (encoding/combinations.hpp) as bytes, for databases and checkpoints.
//
//   bytes = span:u32 blocks:u32 count:u32* zstd
//   zstd  = a frame of the blocks' words: for each word of its tuples, all lowest bytes in the order of the tuples,
//   then
//           the second lowest, up to the highest (byte_planes.hpp)
//
// Nothing at all stands for all combinations.

#include "base/archive.hpp"
#include "solve/encoding/combinations.hpp"

namespace zug::solve {

archive::Bytes pack(const Combinations& combinations);
// Empty: they are none of this program, or a block has more than `most` of them.
std::optional<Combinations> unpack_combinations(const ir::Program& program, std::span<const std::uint8_t> bytes,
                                                std::uint64_t most);

} // namespace zug::solve
