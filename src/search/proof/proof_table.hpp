#pragma once
// The transposition table of proof-number search: two numbers per position.

#include "search/proof/work_table.hpp"

#include <algorithm>

namespace zug::search {

// Proof and disproof number: the least number of positions still to be proven to prove, or to disprove, the question.
// Proven: 0 and `never`; disproven: `never` and 0. Numbers saturate at never - 1.
struct ProofNumbers {
    static constexpr std::uint32_t never = (1U << 28) - 1;

    std::uint32_t proof = 1, disproof = 1;

    bool proven() const { return proof == 0; }
    bool disproven() const { return disproof == 0; }
    bool solved() const { return proven() || disproven(); }
};
inline constexpr ProofNumbers is_proven{0, ProofNumbers::never}, is_disproven{ProofNumbers::never, 0};

struct ProofEntry {
    static constexpr int farthest = 255;

    ProofNumbers numbers;
    int depth = 0; // the least ply at which the position was met, or `farthest`

    // Never 0, since the numbers are not both 0.
    std::uint64_t packed() const {
        return std::uint64_t{numbers.proof} | std::uint64_t{numbers.disproof} << 28 |
               static_cast<std::uint64_t>(std::min(depth, farthest)) << 56;
    }
    static ProofEntry unpacked(std::uint64_t word) {
        const auto number = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits & ProofNumbers::never); };
        return {{number(word), number(word >> 28)}, static_cast<int>(word >> 56)};
    }
};

using ProofTable = WorkTable<ProofEntry>;

} // namespace zug::search
