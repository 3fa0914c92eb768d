#pragma once
// Conditions that ask which moves are legal, such as
//
//   move pass
//     when not can go
//
// cost a search for moves. In random play a move of a rule without parameters is one of many that may be drawn: there
// it is cheaper to ask when it has been drawn. So such a condition becomes a part of the rule's `ensure`, by a name for
// its value on the state before the move.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Returns how many conditions were deferred.
std::uint64_t defer_conditions(ir::Program& program);

// Moves conditions that cost much behind the others: in which order the author wrote them is no matter, but those after
// one that fails are not asked. Returns how many of the others were moved ahead.
std::uint64_t ask_cheap_conditions_first(ir::Program& program);

} // namespace zug::run
