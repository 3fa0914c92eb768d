#pragma once
// `eval` as a sum of terms, each a number times what the rest of it says, so that the numbers can be learned
// (ir::EvalTerm). Internal to src/lang.

#include "lang/core/context.hpp"

namespace zug::lang {

// Fills in ir::Program::terms, which stays empty where the sum has fewer than two terms, or other ones for another
// player.
void find_eval_terms(Context& context);

} // namespace zug::lang
