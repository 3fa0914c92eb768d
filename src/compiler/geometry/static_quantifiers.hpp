#pragma once
// Quantifiers over what is known beforehand, such as `no c in at.(_): between(f, c, t)`, as intersections of sets: the
// members for which the part of the condition holds that does not depend on the state are a set that has a table by the
// other names (compiler/analysis/static_tables.hpp), and the quantifier asks whether it meets the rest.
//
// Only conditions on at least two names besides the quantifier's own are rewritten: those on one are paths
// (static_relations.hpp).
//
// Cost: linear in the program.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Replaces such quantifiers in the program. Expressions keep their numbers and meanings. Returns how many were
// replaced.
std::uint64_t meet_static_sets(ir::Program& program);

} // namespace zug::run
