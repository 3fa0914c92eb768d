#pragma once
// A set of sites that is defined by itself elsewhere: `reach(c) = c | union n in c.ortho & empty: reach(n)`, or
// `ray(c, d) = if c.d in empty: c.d | ray(c.d, d) else {}`. The site of a call is then a step from the site that the
// definition is asked of, so that the whole is what lies where such steps lead, any number of them.

#include "ir/program.hpp"

namespace zug::run {

// False: the definition, which is recursive, is not of this form, and remains as it is. Cost: linear in its size.
bool follow_recursion(ir::Program& program, ir::FunctionId id);

} // namespace zug::run
