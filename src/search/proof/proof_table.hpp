#pragma once
// The transposition table of proof-number search: two numbers per position.

#include "search/proof/work_table.hpp"

#include <algorithm>
#include <optional>

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
};

class ProofTable {
public:
    explicit ProofTable(std::size_t bytes) : words_(bytes) {}

    void prefetch(std::uint64_t key) const { words_.prefetch(key); }
    std::optional<ProofEntry> find(std::uint64_t key) const {
        const std::uint64_t word = words_.find(key);
        return word != 0 ? std::optional(unpacked(word)) : std::nullopt;
    }
    // `work`: the number of nodes that the result took.
    void store(std::uint64_t key, const ProofEntry& entry, std::uint64_t work) {
        words_.store(key, packed(entry), work);
    }

private:
    // Never 0, since the numbers are not both 0.
    static std::uint64_t packed(const ProofEntry& entry) {
        return std::uint64_t{entry.numbers.proof} | std::uint64_t{entry.numbers.disproof} << 28 |
               static_cast<std::uint64_t>(std::min(entry.depth, ProofEntry::farthest)) << 56;
    }
    static ProofEntry unpacked(std::uint64_t word) {
        const auto number = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits & ProofNumbers::never); };
        return {{number(word), number(word >> 28)}, static_cast<int>(word >> 56)};
    }

    WorkTable words_;
};

} // namespace zug::search
