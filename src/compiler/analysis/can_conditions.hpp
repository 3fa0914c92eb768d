#pragma once
// What `can` asks, as quantifiers over the parameters that it leaves open: `some p in P: some q in Q: conditions`. For
// rules whose moves can't be kept as sets, the question is lowered in this form, like any other.
//
// The parameters that are given are free names, and `me` is the player that is asked about. The conditions are those of
// `when`; an `ensure` is not in them: moves that meet them are tried (interpreter/referee.cpp).

#include "ir/program.hpp"

#include <unordered_map>

namespace zug::run {

using CanConditions = std::unordered_map<std::size_t, ir::ExprId>; // by the number of the `can`'s expression

// Adds the expressions to the program.
CanConditions can_conditions(ir::Program& program);

} // namespace zug::run
