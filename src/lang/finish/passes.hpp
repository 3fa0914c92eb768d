#pragma once
// Passes over a whole program that need no context. Internal to src/lang.

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace zug::lang {

// Drops unreachable expressions, functions and constants, and renumbers the rest. Linear in the size of the program.
void compact(ir::Program& program);

// A call in the body of `function`, to itself or a function of its cycle, in a position that is not monotone: where a
// larger result could make the result of the body smaller. Such a definition has no least fixpoint.
std::optional<ir::ExprId> unstratified_call(const ir::Program& program, ir::FunctionId function);

// A rule whose conditions depend, directly or through other rules, on whether the rule itself can be played.
std::optional<ir::RuleId> self_asking_rule(const ir::Program& program);

} // namespace zug::lang
