// Choices between operands, tuples, and folds of sets.

#include "lang/check/operators.hpp"

#include "lang/core/conversions.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {
// A part that is none makes the tuple none. The parts are kept until the expected type is known, because the encoding
// of a tuple depends on the integer ranges of its parts.
Operand Operators::make_tuple(std::vector<Operand> parts, Span at) {
    std::vector<TypeId> part_types;
    bool optional = false, of_sets = false;
    double size = 1;
    for (auto& part : parts) {
        if (!part.ok()) return poison(at);
        of_sets |= kind(part.type) == TypeKind::Set;
        part = conversions_.as_element(part);
        if (!is_scalar(part.type)) {
            mismatch(part.span, part, "a part of a tuple: one value");
            return poison(at);
        }
        optional |= kind(part.type) == TypeKind::Optional;
        part_types.push_back(bare(part.type));
        size *= static_cast<double>(types().cardinality(part_types.back()));
    }
    const TypeId tuple = types().tuple(part_types);
    Operand result{.type = optional ? types().optional(tuple) : tuple, .span = at};
    if (size < 4e9) {
        std::vector<ExprId> args;
        for (const auto& part : parts) args.push_back(part.expr);
        result.expr = builder_.make(Op::MakeTuple, result.type, args, 0, at);
    }
    if (of_sets && size <= static_cast<double>(max_set)) result.as_set = product(parts, tuple, at);
    result.parts = std::move(parts);
    return result;
}

// As a set, a tuple with sets among its parts is all tuples of their members: `(1..2, {3, 5})` are four.
ExprId Operators::product(const std::vector<Operand>& parts, TypeId tuple, Span at) {
    std::vector<ExprId> values;
    std::vector<Scope> scopes;
    bool optional = false;
    for (const Operand& part : parts) {
        const bool is_set = valid(part.as_set);
        optional |= !is_set && kind(part.type) == TypeKind::Optional;
        if (is_set) scopes.push_back({builder_.new_var("member", bare(part.type)), part.as_set, none_id<ExprId>});
        values.push_back(is_set ? builder_.var(scopes.back().var, at) : part.expr);
    }
    const TypeId set = types().set(tuple);
    const ExprId one = builder_.make(Op::MakeTuple, optional ? types().optional(tuple) : tuple, values, 0, at);
    ExprId all = builder_.make(Op::Single, set, {one}, at);
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
        all = builder_.bind(Op::UnionOver, set, {scope->var, scope->first, all}, at);
    return all;
}

// `if` over two values, converted to a type that holds both.
Operand Operators::choose(ExprId test, const Operand& yes, const Operand& no, Span at) {
    if (const auto known = builder_.scalar(test)) {
        // The branch that is not taken still contributes to the type of the result.
        const auto type = conversions_.unify(yes.type, no.type);
        const Operand& taken = *known != 0 ? yes : no;
        const bool joins = type && (kind(*type) == TypeKind::Set || kind(*type) == TypeKind::Path);
        if (type && !joins && kind(taken.type) != TypeKind::None) return taken;
    }
    const auto type = conversions_.unify(yes.type, no.type);
    if (!type) {
        error(Message::BranchTypes, at, {found_text(yes), found_text(no)});
        return poison(at);
    }
    const ExprId a = conversions_.try_convert(yes, *type), b = conversions_.try_convert(no, *type);
    if (!valid(a) || !valid(b)) {
        error(Message::BranchTypes, at, {found_text(yes), found_text(no)});
        return poison(at);
    }
    Operand result{.expr = builder_.choose(test, a, b, *type, at), .type = *type, .span = at};
    if (kind(*type) == TypeKind::Path) {
        const Operand left = conversions_.as_path(yes), right = conversions_.as_path(no);
        result.functional = left.functional && right.functional;
        result.injective = left.injective && right.injective;
    }
    if (kind(*type) == TypeKind::Optional && (valid(yes.as_set) || valid(no.as_set))) {
        const TypeId set = types().set(types().inner(*type));
        const ExprId left = conversions_.convert_to_set(yes, set), right = conversions_.convert_to_set(no, set);
        if (valid(left) && valid(right)) result.as_set = builder_.choose(test, left, right, set, at);
    }
    return result;
}

Operand Operators::wrap_let(VarId var, ExprId bound, const Operand& body) {
    const auto uses = [&](ExprId id) {
        const auto& free = builder_.facts(id).free;
        return std::ranges::find(free, var) != free.end();
    };
    const auto wrapped = [&](ExprId id) {
        return uses(id) ? builder_.bind(Op::Let, builder_.type(id), {var, bound, id}, body.span) : id;
    };
    Operand result = body;
    result.parts.clear();
    if (!valid(body.expr)) { // a tuple that is not encoded yet: a `let` cannot be wrapped around it
        error(Message::TypeHere, body.span, {type_text(body.type), "the value of `let`"});
        return poison(body.span);
    }
    if (valid(body.as_set) && kind(body.type) == TypeKind::Optional) {
        result.as_set = wrapped(body.as_set);
        result.expr = builder_.make(Op::The, body.type, {result.as_set}, body.span);
    } else {
        result.expr = wrapped(body.expr);
        if (valid(body.narrow)) result.narrow = wrapped(body.narrow);
        result.as_set = none_id<ExprId>;
    }
    return result;
}

Operand Operators::wrap_lets(std::span<const LetBinding> bound, Operand body) {
    for (std::size_t i = bound.size(); i-- > 0 && body.ok();) body = wrap_let(bound[i].var, bound[i].value, body);
    return body;
}

Operand Operators::count(ExprId set, Span at) {
    const auto members = static_cast<std::int64_t>(types().cardinality(types().inner(builder_.type(set))));
    return value(builder_.make(Op::Count, types().integer(0, members), {set}, at), at);
}

Operand Operators::odd(const Operand& number, Span at) {
    const ExprId rest = builder_.make(Op::Mod, types().integer(0, 1), {number.expr, builder_.integer(2, at)}, at);
    return value(builder_.equal(rest, builder_.integer(1, at), at), at);
}

// sum, min, max of a set of whole numbers.
Operand Operators::fold_of_set(std::string_view word, const Operand& set, Span at) {
    const TypeId element = types().inner(set.type);
    if (kind(element) != TypeKind::Int) {
        mismatch(set.span, set, "a set of numbers",
                 "give a value for each member: `" + std::string(word) + " x in S: ...`");
        return poison(at);
    }
    const VarId var = builder_.new_var("number", element);
    return accumulate(word, var, set.expr, value(builder_.var(var, at), at), at);
}

Operand Operators::accumulate(std::string_view word, VarId var, ExprId domain, const Operand& body, Span at) {
    const Op op = word == "sum" ? Op::SumOver : word == "min" ? Op::MinOver : Op::MaxOver;
    if (kind(bare(body.type)) == TypeKind::Real)
        return value(builder_.bind(op, types().real(), {var, domain, body.expr}, at), at);
    if (kind(body.type) == TypeKind::Bool) {
        mismatch(body.span, body, "a whole number",
                 fmt::format("`{0}` takes in all that follows; a comparison with it is `({0} ...) >= 1`", word));
        return poison(at);
    }
    const Operand number = conversions_.as_integer(body);
    if (!number.ok()) return poison(at);
    const ir::Type t = types()[number.type];
    std::int64_t lo = t.lo, hi = t.hi;
    if (op == Op::SumOver) {
        const auto members = static_cast<double>(types().cardinality(types().inner(builder_.type(domain))));
        if (lo != ir::int_min || hi != ir::int_max)
            check_magnitude(members * std::max(std::abs(static_cast<double>(lo)), std::abs(static_cast<double>(hi))),
                            at);
        lo = lo >= 0 ? 0
                     : static_cast<std::int64_t>(
                           std::max(static_cast<double>(lo) * members, static_cast<double>(ir::int_min)));
        hi = hi <= 0 ? 0
                     : static_cast<std::int64_t>(
                           std::min(static_cast<double>(hi) * members, static_cast<double>(ir::int_max)));
    }
    return value(builder_.bind(op, types().integer(lo, hi), {var, domain, number.expr}, at), at);
}

Operand Operators::union_over(VarId var, ExprId domain, const Operand& body, Span at) {
    if (kind(body.type) == TypeKind::Path) {
        const ExprId paths = builder_.bind(Op::PathOver, body.type, {var, domain, body.expr}, at);
        return {.expr = paths, .type = body.type, .span = at};
    }
    const ExprId set = kind(body.type) == TypeKind::Real || kind(body.type) == TypeKind::Bool
                           ? none_id<ExprId>
                           : conversions_.as_set(body);
    if (!valid(set)) {
        mismatch(body.span, body, "a set for each member");
        return poison(at);
    }
    return value(builder_.bind(Op::UnionOver, builder_.type(set), {var, domain, set}, at), at);
}

} // namespace zug::lang
