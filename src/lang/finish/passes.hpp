#pragma once
// Passes over a whole program. Internal to src/lang.

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace zug::lang {

// Drops the expressions, functions and constants that nothing reaches, and numbers the others anew.
void compact(ir::Program& program);

// A call of a recursive function at a place where a larger result could make the caller's smaller, or none.
std::optional<ir::ExprId> unstratified_call(const ir::Program& program, ir::FunctionId function);

// A rule whose conditions ask whether the rule itself can be played, or none.
std::optional<ir::RuleId> self_asking_rule(const ir::Program& program);

} // namespace zug::lang
