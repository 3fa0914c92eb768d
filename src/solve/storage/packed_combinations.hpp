#pragma once
// Combinations (encoding/combinations.hpp) as bytes, for databases and checkpoints: a PackedCombinations in
// base/archive's form. Nothing at all stands for all combinations.

#include "base/archive.hpp"
#include "solve/encoding/combinations.hpp"

namespace zug::solve {

struct PackedCombinations {
    std::uint32_t span = 0;
    std::vector<std::uint32_t> counts; // of tuples, by block
    // A zstd frame of the blocks' words: for each word of its tuples, all lowest bytes in the order of the tuples, then
    // the second lowest, up to the highest (byte_planes.hpp).
    archive::Bytes words;
};

archive::Bytes pack(const Combinations& combinations);
// Empty: they are none of this program, or a block has more than `most` of them.
std::optional<Combinations> unpack_combinations(const ir::Program& program, std::span<const std::uint8_t> bytes,
                                                std::uint64_t most);

} // namespace zug::solve
