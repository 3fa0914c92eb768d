#include "compiler/turns/sum_limits.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace zug::run {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::StateId;

namespace {

// More slots are not tested each time that moves are found.
constexpr std::uint64_t most_slots = 16;

std::uint64_t slots_of(const ir::Program& program, StateId state) {
    std::uint64_t slots = 1;
    for (const ir::TypeId index : program.states[state].indices) slots *= program.types.cardinality(index);
    return slots;
}

// What the effects may add to one slot in all, at least and at most. nullopt: a loop adds.
std::optional<std::pair<std::int64_t, std::int64_t>> added(const ir::Program& program,
                                                           const std::vector<ir::EffectId>& list, StateId state) {
    std::pair<std::int64_t, std::int64_t> sum{0, 0};
    for (const ir::EffectId id : list) {
        const ir::Effect& effect = program.effects[id];
        std::pair<std::int64_t, std::int64_t> here{0, 0};
        if (effect.kind == EffectKind::Add && effect.state == state) here = range_by_type(program, effect.value);
        const auto yes = added(program, effect.yes, state), no = added(program, effect.no, state);
        if (!yes || !no || (effect.kind == EffectKind::For && *yes != here)) return std::nullopt;
        sum.first += std::min({std::int64_t{0}, here.first, yes->first, no->first});
        sum.second += std::max({std::int64_t{0}, here.second, yes->second, no->second});
    }
    return sum;
}

// Of a variable, over all moves.
std::optional<SumLimits> limits_of(const ir::Program& program, StateId state, const UnsureSums& unsure) {
    const ir::Type& type = program.types[program.states[state].value];
    if (type.kind != ir::TypeKind::Int || slots_of(program, state) > most_slots) return std::nullopt;
    SumLimits limits{state, type.lo, type.hi};
    for (const ir::Rule& rule : program.rules) {
        if (rule.chance) continue;
        std::int64_t less = 0, more = 0;
        for (const ir::Block& block : rule.then) {
            const auto sum = added(program, block.effects, state);
            if (!sum) return std::nullopt;
            less += sum->first;
            more += sum->second;
        }
        if (unsure.above.contains(state)) limits.greatest = std::min(limits.greatest, type.hi - more);
        if (unsure.below.contains(state)) limits.least = std::max(limits.least, type.lo - less);
    }
    return limits.least <= limits.greatest ? std::optional(limits) : std::nullopt;
}

} // namespace

std::vector<SumLimits> sum_limits(const ir::Program& program, const UnsureSums& unsure) {
    std::vector<SumLimits> all;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto state = static_cast<StateId>(s);
        if (!unsure.above.contains(state) && !unsure.below.contains(state)) continue;
        const auto limits = limits_of(program, state, unsure);
        if (!limits) return {};
        all.push_back(*limits);
    }
    return all;
}

namespace {

// Adds conditions to a program.
class LimitConditions : ExpressionBuilder {
public:
    explicit LimitConditions(ir::Program& program) : ExpressionBuilder(program) {}

    // That all slots of the variable are within the limits.
    ExprId within(const SumLimits& limits) {
        const ir::StateVariable variable = program_.states[limits.state];
        const auto state = static_cast<std::int64_t>(index(limits.state));
        std::vector<ir::VarId> vars;
        std::vector<ExprId> indices;
        for (const ir::TypeId type : variable.indices) {
            vars.push_back(program_.vars.push({"", type}));
            indices.push_back(make(Op::Var, type, static_cast<std::int64_t>(index(vars.back())), {}, {}));
        }
        const ExprId value = make(indices.empty() ? Op::StateGet : Op::MapGet, variable.value, state, indices, {});
        const ir::Type& type = program_.types[variable.value];
        std::vector<ExprId> parts;
        if (limits.least > type.lo) parts.push_back(not_(less(value, number(variable.value, limits.least))));
        if (limits.greatest < type.hi) parts.push_back(not_(less(number(variable.value, limits.greatest), value)));
        ExprId all = junction(Op::And, parts, {});
        for (std::size_t i = vars.size(); i-- > 0;) {
            const ExprId domain = make(Op::Universe, program_.types.set(variable.indices[i]), 0, {}, {});
            all = make(Op::ForAll, program_.types.boolean(), static_cast<std::int64_t>(index(vars[i])), {domain, all},
                       {});
        }
        return all;
    }

private:
    ExprId number(ir::TypeId type, std::int64_t value) { return constant(type, value, {}); }
    ExprId less(ExprId a, ExprId b) { return make(Op::Lt, program_.types.boolean(), 0, {a, b}, {}); }
};

} // namespace

std::shared_ptr<const CompoundMoves> within_limits(const CompoundMoves& moves, const std::vector<SumLimits>& limits) {
    auto result = std::make_shared<CompoundMoves>(moves);
    auto program = std::make_shared<ir::Program>(*moves.program);
    LimitConditions conditions(*program);
    program->sums_fit.assign(program->states.size(), false);
    std::vector<ir::Clause> all;
    for (const SumLimits& one : limits) {
        program->sums_fit[index(one.state)] = true;
        all.push_back({conditions.within(one), none_id<ir::VarId>});
    }
    for (ir::Rule& rule : program->rules)
        if (!rule.chance) rule.when.insert(rule.when.begin(), all.begin(), all.end());
    result->program = std::move(program);
    return result;
}

} // namespace zug::run
