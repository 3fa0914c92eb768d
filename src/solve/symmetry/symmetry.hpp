#pragma once
// Symmetries of a game: relabellings of its positions that no rule can tell apart. A position and its images have the
// same value, so the one with the least number (position_code.hpp) represents them all.
//
// Candidates are the automorphisms of boards (automorphisms.hpp), applied to everything that is indexed by sites or
// holds sites or directions, and the exchanges of two members of an enumeration, or of a range that indexes a map. A
// candidate is accepted if it maps the start to itself and holds in the positions of random games: the image of a
// position has the same kind, mover and payoffs, and its successors are the images of the position's successors, with
// the same probabilities.
//
// That tests a sample only. Further images are tested while positions are enumerated, all of them in small tiers
// (enumeration/symmetry_check.hpp), and database/verify.hpp tests every image of every position.

#include "game/game.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::solve {

// A permutation of slots (ir/program.hpp), and of the values of each.
struct Symmetry {
    std::vector<std::uint32_t> to;                  // by slot: the slot that its value moves to
    std::vector<std::vector<std::uint32_t>> values; // by slot: the image of each ordinal; empty: the identity

    static Symmetry identity(std::size_t slots);
    std::uint32_t value(std::uint32_t slot, std::uint32_t ordinal) const {
        return values[slot].empty() ? ordinal : values[slot][ordinal];
    }
    std::vector<std::uint32_t> apply(std::span<const std::uint32_t> slots) const;
    // The composition: this one first, then the other.
    Symmetry then(const Symmetry& other) const;
    // Whether it is a permutation, for slots with these numbers of values.
    bool permutes(std::span<const std::uint64_t> sizes) const;

    friend auto operator<=>(const Symmetry&, const Symmetry&) = default;
};

struct SymmetryGroup {
    std::vector<Symmetry> generators;
    std::vector<Symmetry> elements; // the identity first

    std::size_t size() const { return elements.size(); }
    // Empty: it would have more than max_symmetries elements.
    static std::optional<SymmetryGroup> generated_by(std::vector<Symmetry> generators, std::size_t slots);
    static SymmetryGroup trivial(std::size_t slots) { return *generated_by({}, slots); }
};

// To number a position takes time in proportion to the group's size, and the tables take memory in proportion. Six
// interchangeable points have 720 symmetries.
inline constexpr std::size_t max_symmetries = 1024;

// Deterministic: the same group in every call.
SymmetryGroup find_symmetries(game::Game& game, const game::State& start);

} // namespace zug::solve
