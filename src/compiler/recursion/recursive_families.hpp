#pragma once
// Definitions of sets that call themselves of other values of enumerations, such as the sites where a beam runs on in a
// direction:
//
//   def lit(d: heading) = (if d = N: {a1} else {}) | (lit(d) & empty).d | (lit(N) & {c: cell | turned(c, N) = d}).d |
//   ...
//
// Each is a family of sets, one for each of the few values, which grow together (the least solution of simultaneous
// equations: A. Tarski, A lattice-theoretical fixpoint theorem and its applications, 1955). The family becomes one set,
// of tuples of those values and a member, which calls itself of the same arguments and is grown by
// Lowering::eval_recursive.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Adds the sets as functions, and makes the definitions slices of them. Returns how many there were.
std::uint64_t grow_recursive_families(ir::Program& program);

} // namespace zug::run
