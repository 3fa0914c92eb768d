#pragma once
// Conditions that say in each of their cases that one site is in a set: `if me = White: t in f.N else t in f.S`, or
// `me = White and t = f.N or me = Black and t = f.S`. They say that it is in one set, which has cases: only a
// membership that holds in all cases tells which sites to try.

#include "compiler/analysis/substitution.hpp"

namespace zug::run {

// The membership that an If or Or of truths says; none_id: it says none.
ir::ExprId joined_membership(ir::Program& program, ir::ExprId e);

} // namespace zug::run
