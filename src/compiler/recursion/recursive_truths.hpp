#pragma once
// Conditions that are defined by themselves, of other arguments, such as
//
//   def joined(a, b: cell) = a = b or some s in a.adj & at.me: joined(s, b)
//   def lit(c: cell, d: heading) = c = a1 and d = N or some e: heading: lit(c.(back(e)), e) and turned(c, e) = d
//
// are sets of what one of those arguments may be, the one of most values: {a | a = b or some s in a.adj & at.me: s in
// the set}. A set is grown for all arguments at once (Lowering::eval_recursive), or is what a repeated path leads to
// (recursive_closures.hpp), where a condition would be worked out call by call.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Adds the sets as functions, and makes the conditions memberships. Returns how many there were.
std::uint64_t collect_recursive_truths(ir::Program& program);

} // namespace zug::run
