#pragma once
// Steps of a turn that can be exchanged: who puts two stones puts them in either order, and the result is the same.
//
// Proof. Two steps next to each other have parameters of the same types, and differ in the first where the conditions
// say so. If the effects of one are those of the other with its parameters, neither reads what the other assigns to,
// and they assign to different slots or in the end the same values, then the state after a turn is that after the
// turn with the parameters exchanged. Where the conditions hold for both, the one in ascending order is listed first,
// and stands for both.

#include "ir/program.hpp"

#include <cstddef>
#include <vector>

namespace zug::run {

struct TwoSteps {
    const std::vector<ir::VarId>& first; // parameters
    const std::vector<ir::VarId>& second;
    std::size_t first_blocks, second_blocks, end_blocks; // of `blocks`: where those of each begin, and end
    // Of the whole turn, conditions on the state before it, and ensures on the state after it.
    const std::vector<ir::Clause>& conditions;
    const std::vector<ir::Block>& blocks;
    const std::vector<ir::Clause>& ensure;
};

struct ExchangeOrder {
    // That the two are in ascending order, or could not be made in the other; added to the program. none_id: they
    // cannot be exchanged, or that is not known.
    ir::ExprId condition = none_id<ir::ExprId>;
    bool always = false; // wherever the conditions hold, they hold for the exchanged parameters, too
};

ExchangeOrder order_of_exchange(ir::Program& program, const TwoSteps& two);

} // namespace zug::run
