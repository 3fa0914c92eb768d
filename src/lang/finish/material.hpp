#pragma once
// Material: what the values that stand on a board are worth to each player, as far as `eval` says so. Internal to
// src/lang.
//
// An `eval` is taken as a sum of terms. A term is about material if it counts, with a constant weight, all places at
// which a map holds certain values (3 * count at.(p, Rook)), or adds up a worth that depends on the value alone (sum c
// in men(p): number(kind(c))). All other terms, such as mobility, are left out.
//
// Cost: each such term is worked out for each value of its map, at most max_material_values of them.

#include "lang/core/builder.hpp"

#include <cstdint>
#include <vector>

namespace zug::lang {

inline constexpr std::uint64_t max_material_values = 256;

// Of one map with one index that rules change.
struct Material {
    ir::StateId map{};
    std::vector<std::vector<double>> worth; // by player, by ordinal of the map's value
};

// The maps for which `eval` has such a term. Makes expressions that nothing refers to. Throws Exhausted.
std::vector<Material> find_material(Builder& builder, const ir::Program& program);

} // namespace zug::lang
