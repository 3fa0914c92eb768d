#pragma once
// The intermediate representation as text, for debugging, `zug check --dump` and golden tests. It is never parsed.

#include "ir/program.hpp"

#include <string>

namespace zug::ir {

std::string print(const Program& program);
std::string print_rules(const Program& program); // moves and chance events alone
std::string print_expr(const Program& program, ExprId id);
std::string type_text(const Program& program, TypeId id);

} // namespace zug::ir
