// Move and chance rules: parameters and bodies.

#include "lang/rules/rules.hpp"

#include "lang/check/expressions.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/resolve/types.hpp"
#include "lang/rules/clauses.hpp"
#include "lang/rules/effects.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

namespace {

constexpr double max_instances = 4.6e18; // 2^62
constexpr std::size_t max_parameters = 64;
constexpr std::uint64_t max_picked = 16; // members of a set that is a parameter
static_assert(max_set == std::uint64_t{1} << max_picked);

} // namespace

void Rules::resolve_rule_parameters(ir::RuleId id) {
    RuleNode& rule = symbols_.rules()[id];
    const InTree scope(context_, rule.tree);
    const NodeId parameters = child(rule.id, 0);
    if (!valid(parameters)) return;
    auto all = children(parameters);
    if (all.size() > max_parameters) {
        error(Message::TooManyParameters, program_.rules[id].span,
              {program_.rules[id].name, std::to_string(all.size()), std::to_string(max_parameters)});
        rule.broken = true;
        all = all.first(max_parameters);
    }
    double instances = 1;
    for (NodeId parameter : all) {
        if (!valid(parameter)) continue;
        const Span at = name_span(parameter);
        const TypeId given = types_.type(child(parameter, 0));
        const TypeId type = parameter_values(given, span(child(parameter, 0)));
        Local local{.name = node(parameter).text, .span = at, .value = poison(at)};
        for (const auto& other : rule.names)
            if (other.name == local.name) context_.declared_twice(at, local.name, other.span);
        if (valid(type)) {
            instances *= static_cast<double>(types().cardinality(type));
            const VarId var = builder_.new_var(local.name, type);
            program_.rules[id].params.push_back(var);
            const bool set = kind(given) == TypeKind::Set;
            local.value = value(set ? chosen_set(var, given, at) : builder_.var(var, at), at);
            rule.sets.push_back(set ? given : none_id<TypeId>);
        }
        rule.broken |= !valid(type);
        rule.names.push_back(std::move(local));
    }
    if (instances > max_instances) {
        error(Message::TooManyInstances, program_.rules[id].span, {program_.rules[id].name});
        rule.broken = true;
    }
}

// The type whose values a parameter runs through: of a set, a tuple that says of each member whether it is in it.
// none_id: there is none, or an error has been reported.
TypeId Rules::parameter_values(TypeId given, Span at) {
    if (!valid(given)) return given;
    const bool set = kind(given) == TypeKind::Set;
    const auto members = set ? types().cardinality(types().inner(given)) : 0;
    if (!set && (!is_scalar(given) || kind(given) == TypeKind::Optional)) {
        error(Message::TypeHere, at, {type_text(given), "a parameter of a rule"});
    } else if (set ? members > max_picked
                   : types().cardinality(given) > max_set) { // they are members of sets in byte code
        error(Message::RangeTooLarge, at, {"a parameter", type_text(given), std::to_string(max_set)},
              set ? fmt::format("of {} values there are that many sets; steps of a `turn` pick from more, one by one",
                                max_picked)
                  : "");
    } else {
        return set ? types().tuple(std::vector<TypeId>(members, types().boolean())) : given;
    }
    return none_id<TypeId>;
}

ExprId Rules::chosen_set(VarId var, TypeId set, Span at) {
    const TypeId element = types().inner(set), truths = program_.vars[var].type;
    const std::uint64_t members = types().cardinality(element);
    ExprId chosen = builder_.set_constant(set, Bits(members), at);
    for (std::uint64_t i = 0; i < members; ++i) {
        Bits one(members);
        one.set(i);
        const ExprId there = conversions_.project(builder_.var(var, at), truths, i, at);
        const ExprId part = builder_.choose(there, builder_.set_constant(set, std::move(one), at),
                                            builder_.set_constant(set, Bits(members), at), set, at);
        chosen = builder_.make(Op::Union, set, {chosen, part}, at);
    }
    return chosen;
}

void Rules::check_rule(ir::RuleId id) {
    const InTree scope(context_, symbols_.rules()[id].tree);
    const Names names(context_);
    for (const auto& local : symbols_.rules()[id].names) push_local(local);
    rule_body(id);
    symbols_.rules()[id].names.assign(context_.locals.begin() + static_cast<std::ptrdiff_t>(context_.first_local),
                                      context_.locals.end());
}

// The rule as written, then what the files that extend its own add to it: conditions after conditions, effects after
// effects.
void Rules::rule_body(ir::RuleId id) {
    const RuleNode& rule = symbols_.rules()[id];
    const bool chance = node(rule.id).kind == Kind::Chance;
    std::vector<RulePart> parts{{.tree = rule.tree,
                                 .lets = child(rule.id, 1),
                                 .when = child(rule.id, 2),
                                 .then = child(rule.id, chance ? 4 : 3),
                                 .ensure = chance ? none_id<NodeId> : child(rule.id, 4)}};
    for (const Addition& more : rule.additions)
        parts.push_back({.tree = more.tree,
                         .lets = more.tree->child(more.id, 0),
                         .when = more.tree->child(more.id, 1),
                         .then = more.tree->child(more.id, 2),
                         .ensure = chance ? none_id<NodeId> : more.tree->child(more.id, 3)});
    std::vector<ir::Clause> when, ensure;
    if (valid(rule.phase)) clauses_.add_condition(child(rule.phase, 0), when);
    for (const RulePart& part : parts) {
        const InAddition scope(context_, part.tree);
        if (valid(part.lets)) clauses_.add_lets(part.lets, when);
        if (valid(part.when)) clauses_.add_conditions(children(part.when), when);
    }
    program_.rules[id].when = std::move(when);
    if (chance) weight(id, child(rule.id, 3));
    for (const RulePart& part : parts) {
        const InAddition scope(context_, part.tree);
        if (!valid(part.then)) continue;
        for (ir::Block& block : effects_.blocks(children(part.then)))
            program_.rules[id].then.push_back(std::move(block));
    }
    for (const RulePart& part : parts) {
        const InAddition scope(context_, part.tree);
        if (valid(part.ensure)) clauses_.add_conditions(children(part.ensure), ensure);
    }
    program_.rules[id].ensure = std::move(ensure);
}

void Rules::weight(ir::RuleId id, NodeId weight) {
    if (!valid(weight)) return;
    const Operand found = expressions_.expr(child(weight, 0));
    const bool real = found.ok() && kind(found.type) == TypeKind::Real;
    const ExprId expr = real ? found.expr : conversions_.as_integer(found).expr;
    program_.rules[id].weight = expr;
    if (const auto constant = valid(expr) ? builder_.number(expr) : std::nullopt; constant && *constant < 0)
        error(Message::NegativeWeight, found.span);
}

std::vector<Local> Rules::names_before_move(ir::RuleId id) {
    std::vector<VarId> known = program_.rules[id].params;
    for (const ir::Clause& clause : program_.rules[id].when)
        if (valid(clause.bind)) known.push_back(clause.bind);
    const auto is_known = [&](VarId var) { return std::ranges::find(known, var) != known.end(); };
    std::vector<Local> names;
    for (Local local : symbols_.rules()[id].names) {
        if (valid(local.value.expr) && !std::ranges::all_of(builder_.facts(local.value.expr).free, is_known)) continue;
        local.warn = local.used = false;
        names.push_back(std::move(local));
    }
    return names;
}

} // namespace zug::lang
