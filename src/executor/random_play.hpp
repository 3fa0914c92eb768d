#pragma once
// Uniformly random play.

#include "executor/executor.hpp"

namespace zug::run {

// Draws an entry of a list that is not empty: at a chance node by its probability, at a decision uniformly.
std::size_t random_entry(const MoveList& moves, NodeKind kind, Random& random);

} // namespace zug::run
