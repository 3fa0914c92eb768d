#pragma once
// Conditions `v in S` on the variable of a binder, as a smaller domain: `some v in D: v in S and c` asks c of the
// members of `D & S` only, and if c does not name v, whether there is one. So of `{v in D | ...}` and `all`. Conditions
// that do not name v are asked once, those of a rule each as a clause of its own.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces them in all expressions of the program, which keep their numbers and meanings. Returns how many.
std::uint64_t narrow_domains(ir::Program& program);

// Quantifiers over different members of one set, as counts: `some a, b in S: a != b` is `count S >= 2`. Returns how
// many were replaced. Cost: linear in the program, but for conditions that are compared name by name.
std::uint64_t count_distinct_members(ir::Program& program);

} // namespace zug::run
