#pragma once
// The bytes of a database. All numbers are unsigned and little-endian; hashes are XXH64 with seed 0.
//
//   file        = header block* index combinations description footer
//   header      = "ZUGSOLVE" version:u32 0:u32
//   block       = a zstd frame of: differences worths
//   differences = of a block's keys after the first, LEB128 (packed_keys.hpp)
//   worths      = without chance: the lower bytes of the block's results in the order of the keys, then the upper bytes
//               | with chance: for each number stored for a position, as doubles (IEEE 754) in the order of the keys:
//                 all lowest bytes, then the second lowest, up to the highest (byte_planes.hpp)
//   index       = for each block, by ascending first key:
//                 first_key:u64 offset:u64 bytes:u32 keys:u32 hash:u64               (hash: of the compressed frame)
//   combinations = the combinations that are numbered, if not all are: see packed_combinations.hpp
//   description = JSON: the digest of the rules, parameters, `measure` (the weights of the potential function),
//                 generators of the symmetries, outcomes, the solution's figures and histogram; with chance also
//                 `kept`, the count of numbers stored for a position, and among the figures `error`, a bound on the
//                 error of every value
//   footer      = index_offset:u64 blocks:u64 index_hash:u64
//                 combinations_offset:u64 combinations_bytes:u64 combinations_hash:u64
//                 description_offset:u64 description_bytes:u64 description_hash:u64 positions:u64 "EVLOSGUZ"
//
// Of positions that are images of each other under symmetries (symmetry.hpp) one is stored. Keys are defined in
// position_code.hpp, results in outcomes.hpp, and the numbers stored with chance in expected_values.hpp. A file is
// written under a temporary name and renamed when it is complete and on disk, so a file with the final name is whole.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace zug::solve::format {

static_assert(std::endian::native == std::endian::little, "databases are mapped without conversion");

inline constexpr std::string_view magic = "ZUGSOLVE", end_magic = "EVLOSGUZ";
inline constexpr std::uint32_t version = 5;

struct Header {
    std::array<char, 8> magic;
    std::uint32_t version, zero;
};
struct IndexEntry {
    std::uint64_t first_key, offset;
    std::uint32_t bytes, keys;
    std::uint64_t hash;
};
struct Footer {
    std::uint64_t index_offset, blocks, index_hash;
    std::uint64_t combinations_offset, combinations_bytes, combinations_hash;
    std::uint64_t description_offset, description_bytes, description_hash;
    std::uint64_t positions;
    std::array<char, 8> magic;
};
static_assert(sizeof(Header) == 16 && sizeof(IndexEntry) == 32 && sizeof(Footer) == 88);

} // namespace zug::solve::format
