#pragma once
// Assignments to places that may not be there. Internal to src/lang.

#include "lang/core/builder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace zug::lang {

// The assignments of a rule to a site that is none in some instance that its conditions, as far as they can be told
// without a state, don't exclude: `at[t] := me` sets nothing where `t` is off the board, and what was to be moved there
// is lost. Of sites that a `let` of the rule names or that are made of coordinates; an assignment within an `if` or
// `for` is taken to be meant. Tries all instances, as long as there is work left; none is found after that. `initial`:
// the slots of the state at the start, of which those that never change are read.
std::vector<ir::EffectId> missing_places(const Builder& builder, const ir::Program& program, const ir::Rule& rule,
                                         std::span<const std::uint32_t> initial, ir::Work& work);
std::vector<std::uint32_t> initial_slots(const ir::Program& program);

} // namespace zug::lang
