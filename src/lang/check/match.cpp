// `match`: the value of the first arm whose pattern matches. The arms must cover all values.

#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/check/patterns.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>

namespace zug::lang {

namespace {

// Types with more values need a last arm that matches everything.
constexpr std::uint64_t max_cases = 1U << 16;

} // namespace

Operand Patterns::match_value(NodeId id) {
    const Operand found = conversions_.as_scalar_value(expressions_.expr(child(id, 0)));
    if (!found.ok()) {
        for (NodeId arm : children(id).subspan(1)) // report the errors in the arms as well
            if (valid(arm) && node(child(arm, 0)).kind == Kind::Name) expressions_.expr(child(arm, 1));
        return poison(span(id));
    }
    if (builder_.is_simple(found.expr)) return match_arms(id, found.expr, found.type);
    const VarId var = builder_.new_var("value", found.type);
    const Operand body = match_arms(id, builder_.var(var, found.span), found.type);
    return body.ok() ? operators_.wrap_let(var, found.expr, body) : body;
}

Operand Patterns::match_arms(NodeId id, ExprId value, TypeId type) {
    struct Arm {
        ExprId test;
        Operand result;
    };
    const Span at = span(id);
    const bool countable = is_scalar(type) && types().cardinality(type) <= max_cases;
    Bits open = Bits::full(countable ? types().cardinality(type) : 0);
    Bits ever_open = open; // with some values of the parameters
    std::vector<Arm> arms;
    bool fine = true, closed = false, ever_closed = false;
    for (NodeId arm : children(id).subspan(1)) {
        if (!valid(arm) || node(arm).kind != Kind::Arm) {
            fine = false;
            continue;
        }
        const Names scope(context_);
        // An arm `_` also matches none.
        const Pattern wanted = pattern(child(arm, 0), type, true, !is_name(child(arm, 0), "_"));
        std::vector<Binding> bindings;
        const ExprId matches = test(wanted, value, type, &bindings);
        for (const auto& binding : bindings) push_binding(binding, true);
        const Operand result = expressions_.expr(child(arm, 1));
        fine &= result.ok() && wanted.shape != Pattern::Shape::Wrong;
        if (ever_closed) warn(Message::ArmNeverReached, span(child(arm, 0)));
        const bool whole = wanted.shape == Pattern::Shape::Any;
        if (countable) take_covered(wanted, type, open);
        if (countable && is_fixed(wanted, type, child(arm, 0))) take_covered(wanted, type, ever_open);
        closed |= countable ? !open.any() : whole;
        ever_closed |= whole || (countable && !ever_open.any());
        if (fine) arms.push_back({matches, result});
    }
    if (!fine) return poison(at);
    if (!closed) {
        const std::string missing =
            countable ? ir::value_text(program_, type, types().value(type, open.first())) : "other values";
        error(Message::MatchOpen, at, {missing});
        return poison(at);
    }
    Operand result = arms.back().result;
    for (std::size_t i = arms.size() - 1; i-- > 0 && result.ok();)
        result = operators_.choose(arms[i].test, arms[i].result, result, at);
    return result;
}

bool Patterns::is_fixed(TypeId type) {
    const TypeKind k = kind(type);
    if (k == TypeKind::Optional || k == TypeKind::Tuple)
        return std::ranges::all_of(std::vector<TypeId>(types()[type].parts),
                                   [&](TypeId part) { return is_fixed(part); });
    return k == TypeKind::Bool || (k == TypeKind::Enum && !subsets_.contains(type)) ||
           (k == TypeKind::Player && symbols_.fixed_players()) || !symbols_.has_params();
}

// Of names, members and players are the same for all; a name that is new is bound to whatever is there.
bool Patterns::is_fixed(NodeId id) {
    if (!valid(id) || !symbols_.has_params()) return true;
    const auto& n = node(id);
    if (n.kind == Kind::Number) return true;
    if (n.kind == Kind::Name) {
        const Declaration* d = symbols_.find(n.text);
        return find_local(n.text) == nullptr &&
               (d == nullptr || d->kind == DeclKind::Member || d->kind == DeclKind::Player);
    }
    const bool structure =
        n.kind == Kind::Tuple || n.kind == Kind::SetLiteral || (n.kind == Kind::Binary && n.text == "|");
    return structure && std::ranges::all_of(children(id), [&](NodeId part) { return is_fixed(part); });
}

bool Patterns::is_fixed(const Pattern& p, TypeId type, NodeId at) {
    switch (p.shape) {
    case Pattern::Shape::Value:
    case Pattern::Shape::OneOf: return is_fixed(type) && is_fixed(at);
    case Pattern::Shape::Either:
        return is_fixed(at) &&
               std::ranges::all_of(p.parts, [&](const Pattern& part) { return is_fixed(part, type, at); });
    case Pattern::Shape::Tuple: break;
    default: return true;
    }
    const std::vector<TypeId> parts = types()[bare(type)].parts;
    for (std::size_t i = 0; i < p.parts.size(); ++i)
        if (!is_fixed(p.parts[i], parts[i], child(at, i))) return false;
    return true;
}

// Removes the values that the pattern covers from those still uncovered.
void Patterns::take_covered(const Pattern& wanted, TypeId type, Bits& open) const {
    for_each_bit(Bits(open), [&](std::size_t i) {
        if (covers(wanted, type, program_.types.value(type, i))) open.reset(i);
    });
}

} // namespace zug::lang
