#pragma once
// What the value of an expression in a step of a turn tells, found by trying all values of what it depends on.
//
// Why: the target of `archer[me].d^k` tells d and k to who knows where the archer stands, since no two walks from one
// cell of that board end in one cell. What an expression reads of the state is known where the state before the turn or
// the one after it has the value that the step finds: where no earlier step, or no later effect, assigns to it.
//
// Conditions of the step rule out some values. Where one says more than can be tried, such as that the target is a free
// cell, what can be is: that there is a target.
//
// Cost: an evaluation for each combination of values, of which there are at most 65,536, and a copy of the program
// once.

#include "compiler/analysis/turn_names.hpp"
#include "ir/program.hpp"
#include "ir/work.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace zug::run::proof {

// A step by its number in the turn, and the scope of its first block.
struct StepNames {
    Names& names;
    const Scope* scope;
    std::size_t step;
};

class ValueTrials {
public:
    // About turns of player `me`. The steps must outlive it.
    ValueTrials(const ir::Program& program, const TurnSteps& steps, std::int64_t me);

    // Whether the value, under the step's conditions, is always one that the type has.
    bool fits(const StepNames& here, Bound value, ir::TypeId type);
    // Whether what is found determines the value.
    bool is_known(const StepNames& here, Bound value, const ReadOff& found);
    // Adds the parameters of the step on which the value depends. False: it does not tell them, or is not always of the
    // type, or there are none that are not known.
    bool read(const StepNames& here, Bound value, ir::TypeId type, ReadOff& found);
    // Whether the value that the effect assigns is always another than the entry had.
    bool changes(const StepNames& here, const ir::Effect& assignment);

private:
    class Closed;
    template <class F>
    bool all(const Closed& closed, const std::vector<ir::VarId>& vars, F&& f);

    ir::Program& scratch();

    const ir::Program& program_;
    const TurnSteps& steps_;
    std::int64_t me_;
    std::optional<ir::Program> scratch_; // with the expressions that are tried
    std::vector<std::uint32_t> slots_;   // of the initial state: of variables that nothing assigns to, their values
    ir::Work work_;
};

} // namespace zug::run::proof
