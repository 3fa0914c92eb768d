// `match`: the value of the first arm whose pattern matches. The arms must cover all values.

#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/check/patterns.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"

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
    Bits open(countable ? types().cardinality(type) : 0);
    for (std::size_t i = 0; i < open.size(); ++i) open.set(i);
    std::vector<Arm> arms;
    bool fine = true, closed = false;
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
        if (closed) warn(Message::ArmNeverReached, span(child(arm, 0)));
        if (countable) take_covered(wanted, type, open);
        closed |= countable ? !open.any() : wanted.shape == Pattern::Shape::Any;
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

// Removes the values that the pattern covers from those still uncovered.
void Patterns::take_covered(const Pattern& wanted, TypeId type, Bits& open) const {
    for_each_bit(Bits(open), [&](std::size_t i) {
        if (covers(wanted, type, program_.types.value(type, i))) open.reset(i);
    });
}

} // namespace zug::lang
