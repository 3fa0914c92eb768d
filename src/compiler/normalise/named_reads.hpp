#pragma once
// Names within expressions: where they help they are given, where they hinder they are taken away.
//
// Comparisons of what is computed from names and from variables of the state, as `abs(x(t) - x(here)) = 2` is: the
// variables get names, so that the comparison has a table by the values of all of them. One of two sites of a board is
// a path then (geometry/static_relations.hpp), and so is a quantifier about them.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// The number of comparisons in which variables have got names. Cost: linear in the size of the program.
std::uint64_t name_reads(ir::Program& program);

// Writes values that have names out where the names stand, if they stand there once, or the values are small: `let t =
// f.d in t in S` is `f.d in S`. In the conditions of a rule, those that `let` has computed from coordinates. Values
// that are equal are computed once in the end, whether they have a name or not. Not where a name stands in a loop.
// Returns how many.
std::uint64_t write_out_names(ir::Program& program);

} // namespace zug::run
