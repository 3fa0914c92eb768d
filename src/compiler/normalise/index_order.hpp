#pragma once
// The indices of maps in the order in which the state's layout has them, so that all that reads and writes entries can
// take them as they stand.

#include "bytecode/state_layout.hpp"

namespace zug::run {

// Changes the order in a copy of a checked program, in declarations, reads and effects. Its expressions keep their
// numbers and meanings; initial values stay in the order of slots. Cost: linear in the program.
void order_indices(ir::Program& copy, const StateLayout& layout);

} // namespace zug::run
