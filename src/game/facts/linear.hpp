#pragma once
// Proofs that sums of payoffs vanish.

#include "game/facts/terms.hpp"

namespace zug::game {

// Whether a + b is zero in every state: written as linear combinations of terms, they cancel in each case of their
// conditions. Sound but incomplete: true is always right, false may mean that no proof was found. Exact for
// coefficients that doubles represent exactly.
bool adds_to_zero(Terms& terms, TermId a, TermId b);

} // namespace zug::game
