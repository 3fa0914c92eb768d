// Names and conditions of rules.

#include "lang/rules/clauses.hpp"

#include "lang/check/expressions.hpp"
#include "lang/check/patterns.hpp"

namespace zug::lang {
void Clauses::bind_poison_name(NodeId binder) {
    push_local({.name = node(binder).text, .span = span(binder), .value = poison(span(binder)), .warn = false});
}

void Clauses::add_lets(NodeId lets, std::vector<ir::Clause>& clauses) {
    for (NodeId binding : children(lets)) {
        if (!valid(binding)) continue;
        const Operand found = expressions_.expr(child(binding, 0));
        push_local({.name = node(binding).text,
                    .span = name_span(binding),
                    .value = named_value(node(binding).text, found, clauses)});
    }
}

// The value that a name stands for: constants and paths stand for themselves; any other value is bound by a clause, so
// that it is evaluated once.
Operand Clauses::named_value(const std::string& name, const Operand& found, std::vector<ir::Clause>& clauses) {
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
    const Operand named = subsets_.unwidened(found);
    if (builder_.is_leaf(named.expr)) return found;
    const VarId var = builder_.new_var(name, named.type);
    clauses.push_back({.expr = named.expr, .bind = var});
    return value(builder_.var(var, found.span), found.span);
}

void Clauses::add_conditions(std::span<const NodeId> ids, std::vector<ir::Clause>& clauses) {
    for (NodeId id : ids)
        if (valid(id)) add_condition(id, clauses);
}

// One clause per conjunct, so that executors can test each as soon as its names are bound.
void Clauses::add_condition(NodeId id, std::vector<ir::Clause>& clauses) {
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
    const ExprId found = expressions_.condition(id);
    if (valid(found)) add_test(found, clauses);
}

void Clauses::add_test(ExprId test, std::vector<ir::Clause>& clauses) {
    if (builder_[test].op == Op::And) {
        for (ExprId part : std::vector<ExprId>(program_.arguments(test).begin(), program_.arguments(test).end()))
            clauses.push_back({.expr = part, .bind = none_id<VarId>});
        return;
    }
    const auto constant = builder_.scalar(test);
    if (!constant || *constant == 0) clauses.push_back({.expr = test, .bind = none_id<VarId>});
}

void Clauses::add_is(NodeId id, std::vector<ir::Clause>& clauses) {
    std::vector<LetBinding> bound;
    std::vector<Binding> bindings;
    const ExprId matches = patterns_.matching(id, bound, bindings);
    for (const LetBinding& let : bound) clauses.push_back({.expr = let.value, .bind = let.var});
    if (valid(matches)) add_test(matches, clauses);
    for (const auto& binding : bindings) {
        const Operand bound = named_value(binding.name, binding.value, clauses);
        push_binding({binding.name, binding.span, bound}, true);
    }
}

} // namespace zug::lang
