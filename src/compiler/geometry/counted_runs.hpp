#pragma once
// Lines that are said by counting along runs, such as
//
//   some c in at.me, d in axes: (count c.(d & at.me)^+) + (count c.(~d & at.me)^+) >= 4
//   some c in at.me, d in axes: count c.((d | ~d) & at.me)^* >= 5
//
// A run of k sites one way from a member of the set and l sites the other way is a run of k + l sites from its end, and
// a run of at least n sites is n steps: `some d in axes: some at.me.(d & at.me)^4`, which is asked of all sites at
// once.
//
// Cost: linear in the program, and in its boards.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces such conditions in the program. Expressions keep their numbers and meanings. Returns how many were replaced.
std::uint64_t follow_counted_runs(ir::Program& program);

} // namespace zug::run
