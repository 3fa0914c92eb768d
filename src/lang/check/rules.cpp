// Move and chance rules: parameters, names, conditions.

#include "lang/checker.hpp"

#include <algorithm>

namespace zug::lang {

namespace {

constexpr double max_instances = 4.6e18; // 2^62

} // namespace

void Checker::declare_rule(NodeId id, NodeId phase) {
    const auto& n = node(id);
    if (n.kind != Kind::Move && n.kind != Kind::Chance) return;
    if (find_rule(n.text)) error(Message::DeclaredTwice, name_span(id), {n.text});
    ir::Rule rule;
    rule.name = n.text;
    rule.chance = n.kind == Kind::Chance;
    rule.span = name_span(id);
    program_.rules.push(std::move(rule));
    rules_.push({.tree = tree_, .id = id, .phase = phase});
}

std::optional<ir::RuleId> Checker::find_rule(std::string_view name) {
    for (std::uint32_t i = 0; i < program_.rules.size(); ++i)
        if (program_.rules[static_cast<ir::RuleId>(i)].name == name) return static_cast<ir::RuleId>(i);
    return {};
}

void Checker::resolve_rule_parameters(ir::RuleId id) {
    RuleNode& rule = rules_[id];
    const InTree scope(*this, rule.tree);
    const NodeId parameters = child(rule.id, 0);
    if (!valid(parameters)) return;
    double instances = 1;
    for (NodeId parameter : children(parameters)) {
        if (!valid(parameter)) continue;
        const Span at = name_span(parameter);
        TypeId type = this->type(child(parameter, 0));
        if (valid(type) && (!is_scalar(type) || kind(type) == TypeKind::Optional)) {
            error(Message::TypeHere, span(child(parameter, 0)), {type_text(type), "a parameter of a rule"});
            type = none_id<TypeId>;
        }
        Local local{.name = node(parameter).text, .span = at, .value = poison(at)};
        for (const auto& other : rule.names)
            if (other.name == local.name) error(Message::DeclaredTwice, at, {local.name});
        if (valid(type)) {
            instances *= static_cast<double>(types().cardinality(type));
            const VarId var = builder_.new_var(local.name, type);
            program_.rules[id].params.push_back(var);
            local.value = value(builder_.var(var, at), at);
        }
        rule.broken |= !valid(type);
        rule.names.push_back(std::move(local));
    }
    if (instances > max_instances) {
        error(Message::TooManyInstances, program_.rules[id].span, {program_.rules[id].name});
        rule.broken = true;
    }
}

void Checker::check_rule(ir::RuleId id) {
    const InTree scope(*this, rules_[id].tree);
    const Names names(*this);
    for (const auto& local : rules_[id].names) push_local(local);
    rule_body(id);
    rules_[id].names.assign(locals_.begin() + static_cast<std::ptrdiff_t>(first_local_), locals_.end());
}

void Checker::rule_body(ir::RuleId id) {
    const NodeId rule = rules_[id].id;
    const bool chance = node(rule).kind == Kind::Chance;
    std::vector<ir::Clause> when;
    if (valid(rules_[id].phase)) add_condition(child(rules_[id].phase, 0), when);
    if (const NodeId lets = child(rule, 1); valid(lets)) add_lets(lets, when);
    if (const NodeId conditions = child(rule, 2); valid(conditions)) add_conditions(children(conditions), when);
    program_.rules[id].when = std::move(when);
    if (chance) {
        if (const NodeId weight = child(rule, 3); valid(weight)) {
            const Operand found = expr(child(weight, 0));
            const bool real = found.ok() && kind(found.type) == TypeKind::Real;
            const ExprId expr = real ? found.expr : as_integer(found).expr;
            program_.rules[id].weight = expr;
            if (const auto constant = valid(expr) ? builder_.number(expr) : std::nullopt; constant && *constant < 0)
                error(Message::NegativeWeight, found.span);
        }
    }
    if (const NodeId then = child(rule, chance ? 4 : 3); valid(then)) program_.rules[id].then = blocks(children(then));
    if (chance) return;
    if (const NodeId ensure = child(rule, 4); valid(ensure)) {
        std::vector<ir::Clause> clauses;
        add_conditions(children(ensure), clauses);
        program_.rules[id].ensure = std::move(clauses);
    }
}

// ---- names and conditions

void Checker::add_lets(NodeId lets, std::vector<ir::Clause>& clauses) {
    for (NodeId binding : children(lets)) {
        if (!valid(binding)) continue;
        const Operand found = expr(child(binding, 0));
        push_local({.name = node(binding).text,
                    .span = name_span(binding),
                    .value = named_value(node(binding).text, found, clauses)});
    }
}

// A value under a name: what never changes stands for itself, all else is worked out once, in a clause.
Operand Checker::named_value(const std::string& name, const Operand& found, std::vector<ir::Clause>& clauses) {
    if (!found.ok()) return found;
    if (kind(found.type) == TypeKind::Path || kind(found.type) == TypeKind::None) {
        if (kind(found.type) == TypeKind::Path && builder_.facts(found.expr).reads_state) {
            error(Message::PathLet, found.span, {name});
            return poison(found.span);
        }
        return found;
    }
    if (!valid(found.expr)) {
        error(Message::TypeHere, found.span, {type_text(found.type), "the value of `let`"});
        return poison(found.span);
    }
    if (builder_.is_leaf(found.expr)) return found;
    const VarId var = builder_.new_var(name, found.type);
    clauses.push_back({.expr = found.expr, .bind = var});
    return value(builder_.var(var, found.span), found.span);
}

void Checker::add_conditions(std::span<const NodeId> ids, std::vector<ir::Clause>& clauses) {
    for (NodeId id : ids)
        if (valid(id)) add_condition(id, clauses);
}

// One clause a conjunct, so that executors can use each as early as its names allow.
void Checker::add_condition(NodeId id, std::vector<ir::Clause>& clauses) {
    if (!valid(id)) return;
    const auto& n = node(id);
    if (n.kind == Kind::Conditions || (n.kind == Kind::Binary && n.text == "and")) {
        add_conditions(children(id), clauses);
        return;
    }
    if (n.kind == Kind::Is) {
        add_is(id, clauses);
        return;
    }
    const ExprId found = condition(id);
    if (valid(found)) add_test(found, clauses);
}

void Checker::add_test(ExprId test, std::vector<ir::Clause>& clauses) {
    if (builder_[test].op == Op::And) {
        for (ExprId part : std::vector<ExprId>(program_.arguments(test).begin(), program_.arguments(test).end()))
            clauses.push_back({.expr = part, .bind = none_id<VarId>});
        return;
    }
    const auto constant = builder_.scalar(test);
    if (!constant || *constant == 0) clauses.push_back({.expr = test, .bind = none_id<VarId>});
}

void Checker::add_is(NodeId id, std::vector<ir::Clause>& clauses) {
    const Operand found = as_scalar_value(expr(child(id, 0)));
    if (!found.ok()) {
        bind_poison(child(id, 1));
        return;
    }
    const Pattern wanted = pattern(child(id, 1), found.type, true, true);
    ExprId matched = found.expr;
    if (!is_simple(matched)) {
        const VarId var = builder_.new_var("value", found.type);
        clauses.push_back({.expr = matched, .bind = var});
        matched = builder_.var(var, found.span);
    }
    std::vector<Binding> bindings;
    add_test(test(wanted, matched, found.type, &bindings), clauses);
    for (const auto& binding : bindings) {
        const Operand bound = named_value(binding.name, binding.value, clauses);
        push_binding({binding.name, binding.span, bound}, true);
    }
}

// The names of a pattern whose value is wrong: known, so that what uses them stays silent.
void Checker::bind_poison(NodeId pattern) {
    if (!valid(pattern)) return;
    if (node(pattern).kind == Kind::Name && !is_known_value(node(pattern).text))
        push_local({.name = node(pattern).text, .span = span(pattern), .value = poison(span(pattern)), .warn = false});
    for (NodeId part : children(pattern)) bind_poison(part);
}

} // namespace zug::lang
