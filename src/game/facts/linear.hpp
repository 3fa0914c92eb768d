#pragma once
// Proofs that sums of payoffs vanish.

#include "game/facts/terms.hpp"

namespace zug::game {

// Whether a + b is zero in every state: as linear combinations of terms they cancel, in each case of their conditions.
// Never claims it wrongly; may fail to see it. Exact for coefficients that doubles hold exactly.
bool adds_to_zero(Terms& terms, TermId a, TermId b);

} // namespace zug::game
