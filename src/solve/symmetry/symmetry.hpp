#pragma once
// Symmetries of a game: relabellings of its positions that no rule can tell apart. A position and its images have the
// same value, so one of them, whose number is the least (position_code.hpp), stands for all.
//
// Where they come from: the automorphisms of boards (automorphisms.hpp), applied to everything that is indexed by sites
// or holds sites or directions, and the exchange of two members of an enumeration, or of a range that indexes a map. Of
// these candidates those count that leave the start as it is and that hold in the positions of random games: an image
// has the same kind, mover and payoffs, and the images of the successors, with the same probabilities.
//
// That is a sample. The rest of the proof is elsewhere: images are tried again while positions are enumerated, all of
// them in small tiers (space.hpp), and verify.hpp tries every image of every position.

#include "game/game.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::solve {

// A permutation of slots (ir/program.hpp), and of the values of each.
struct Symmetry {
    std::vector<std::uint32_t> to;                  // by slot: the one that takes its value
    std::vector<std::vector<std::uint32_t>> values; // by slot: what each ordinal becomes there; empty: itself

    static Symmetry identity(std::size_t slots);
    std::uint32_t value(std::uint32_t slot, std::uint32_t ordinal) const {
        return values[slot].empty() ? ordinal : values[slot][ordinal];
    }
    std::vector<std::uint32_t> apply(std::span<const std::uint32_t> slots) const;
    // This one, then the other.
    Symmetry then(const Symmetry& other) const;
    // Whether it permutes slots with so many values each.
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

// The number of a position takes time in proportion to the group's size, and so do its tables. Six points that can be
// exchanged make 720.
inline constexpr std::size_t max_symmetries = 1024;

// The same ones whenever it is asked.
SymmetryGroup find_symmetries(game::Game& game, const game::State& start);

} // namespace zug::solve
