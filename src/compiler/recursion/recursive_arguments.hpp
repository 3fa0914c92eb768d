#pragma once
// Sets that are defined by themselves of other arguments, which no path on a board leads to, such as
//
//   def reach(l: station) = l | (union k in near(l) & owner.me: reach(k))
//
// What a call adds beside further calls depends on its argument alone, so that the set is the union of that over all
// arguments that calls lead to. These are the least set that has the first argument and is closed under such calls
// (the magic set of the definition: F. Bancilhon, D. Maier, Y. Sagiv, J. Ullman, Magic sets and other strange ways to
// implement logic programs, 1986): it calls itself of the same argument, and is grown by Lowering::eval_recursive.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Adds the sets of arguments as functions, and makes the definitions unions over them. Returns how many there were.
std::uint64_t collect_recursive_arguments(ir::Program& program);

} // namespace zug::run
