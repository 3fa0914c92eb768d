#pragma once
// Questions about legal moves that are asked value by value: `some c: cell: can jump(c)` is `can jump`. Before the
// conditions of questions are collected (analysis/can_conditions.hpp).

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Returns how many questions it has replaced.
std::uint64_t ask_for_any_instance(ir::Program& program);

} // namespace zug::run
