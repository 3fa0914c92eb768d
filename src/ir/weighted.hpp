#pragma once
// Programs with other weights in their `eval`.

#include "ir/program.hpp"

#include <span>

namespace zug::ir {

// The same game, whose eval is the sum of its terms by these weights, one a term. A weight of 0 leaves its term out.
Program with_weights(const Program& program, std::span<const double> weights);

} // namespace zug::ir
