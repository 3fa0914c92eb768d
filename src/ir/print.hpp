#pragma once
// The core as text for people: for debugging, `zug check --dump` and golden tests. Nothing reads it back.

#include "ir/program.hpp"

#include <string>

namespace zug::ir {

std::string print(const Program& program);
std::string print_expr(const Program& program, ExprId id);
std::string type_text(const Program& program, TypeId id);

} // namespace zug::ir
