#pragma once
// What blocks of effects read and assign.

#include "ir/program.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace zug::run {

// Calls f(effect) for each effect of the list and those inside them.
template <class F>
void for_each_effect(const ir::Program& program, const std::vector<ir::EffectId>& list, F&& f) {
    for (const ir::EffectId id : list) {
        const ir::Effect& effect = program.effects[id];
        f(effect);
        for_each_effect(program, effect.yes, f);
        for_each_effect(program, effect.no, f);
    }
}

// Calls f(e) for each expression of the block.
template <class F>
void for_each_expression(const ir::Program& program, const ir::Block& block, F&& f) {
    for (const ir::Clause& let : block.lets) f(let.expr);
    for_each_effect(program, block.effects, [&](const ir::Effect& effect) {
        if (valid(effect.value)) f(effect.value);
        for (const ir::ExprId e : effect.indices) f(e);
    });
}

// Variables that may leave their ranges by sums, so that code checks them.
struct UnsureSums {
    std::set<ir::StateId> above, below;
};

// The least and the greatest value that an Int expression can have, by its type.
std::pair<std::int64_t, std::int64_t> range_by_type(const ir::Program& program, ir::ExprId e);
// Whether the effect assigns to a variable of the state, or adds to it.
bool assigns_state(const ir::Effect& effect);
std::vector<ir::StateId> assigned_by(const ir::Program& program, const ir::Block& block);

// Whether an expression, or a function that it calls, reads one of the variables, or more than the state.
class Reads {
public:
    Reads(const ir::Program& program, std::span<const ir::StateId> states) : program_(program), states_(states) {}

    bool operator()(ir::ExprId e);
    bool operator()(const ir::Block& block);

private:
    const ir::Program& program_;
    std::span<const ir::StateId> states_;
    std::vector<ir::FunctionId> seen_; // functions that are known not to, or looked at
};

} // namespace zug::run
