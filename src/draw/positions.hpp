#pragma once
// Positions by number, for merging equal ones.

#include "draw/grow.hpp"
#include "game/symmetry/symmetry.hpp"

#include <compare>
#include <map>
#include <optional>
#include <vector>

namespace zug::draw {

// The nodes of positions that have been searched, by position and ply. At one ply all have been searched to the same
// depth.
class Positions {
public:
    Positions(game::Game& game, const game::State& root, Merge merge);

    struct Key {
        int ply = 0;
        std::vector<std::uint32_t> slots; // the least of the symmetric ones
        std::uint64_t history = 0;        // of games that ask about earlier positions

        friend auto operator<=>(const Key&, const Key&) = default;
    };
    // None: positions are not merged.
    std::optional<Key> key(const game::State& state, int ply);
    std::optional<NodeIndex> find(const Key& key) const;
    void put(const Key& key, NodeIndex node) { nodes_[key] = node; }
    // Forgets the nodes from this one on.
    void forget_from(NodeIndex first);

private:
    game::Game& game_;
    Merge merge_;
    game::SymmetryGroup group_;
    std::map<Key, NodeIndex> nodes_;
};

} // namespace zug::draw
