#pragma once
// How far the sums of a block can take the numbers of a state variable: they are in their range again when the block
// ends, or the move is a fault, but while they are being added they may be outside of it.

#include "ir/program.hpp"

#include <cstdint>

namespace zug::run {

// Bounds for all sums that one block adds to one entry, by the types of what is added.
struct AddedRange {
    bool any = false;
    std::int64_t least = 0, most = 0; // at most 0, at least 0
};

// By state variable. Cost: one visit of each effect.
IdVector<ir::StateId, AddedRange> added_ranges(const ir::Program& program);

} // namespace zug::run
