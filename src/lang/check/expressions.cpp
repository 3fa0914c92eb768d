// Expressions: the way from a node to the function that reads it, logic, tuples, `if`, `let`, indices.

#include "lang/checker.hpp"

#include <algorithm>
#include <charconv>

namespace zug::lang {

namespace {

// Definitions can nest where no file does; this many levels fit on any stack, with sanitizers too.
constexpr unsigned max_depth = 500;

} // namespace

Operand Checker::expr(NodeId id) {
    if (!valid(id)) return poison({});
    step(span(id));
    if (depth_ >= max_depth) give_up(Message::TooComplex, span(id));
    ++depth_;
    Operand result = expr_at(id);
    --depth_;
    result.span = span(id);
    return result;
}

Operand Checker::expr_at(NodeId id) {
    const auto& n = node(id);
    switch (n.kind) {
    case Kind::Number: return number_literal(id);
    case Kind::Name: return name_value(id);
    case Kind::Call: return call_value(id);
    case Kind::Index: return index_value(id);
    case Kind::Unary: return unary(id);
    case Kind::Binary: return binary(id);
    case Kind::Is: return is_value(id);
    case Kind::Conditions: return conditions(id);
    case Kind::Power: return power(id);
    case Kind::Quantified: return quantified(id);
    case Kind::Quantifier: return quantifier(id);
    case Kind::Comprehension: return comprehension(id);
    case Kind::SetLiteral: return set_literal(id);
    case Kind::Tuple: return tuple(id);
    case Kind::If: return if_value(id);
    case Kind::LetIn: return let_value(id);
    case Kind::Match: return match_value(id);
    case Kind::Can: return can_value(id);
    case Kind::Earlier: return earlier_value(id);
    default: return poison(n.span);
    }
}

ExprId Checker::condition(NodeId id) {
    if (!valid(id)) return none_id<ExprId>;
    const Operand found = expr(id);
    if (!found.ok()) return none_id<ExprId>;
    if (kind(found.type) == TypeKind::Bool) return found.expr;
    const bool can_be_asked = kind(found.type) == TypeKind::Set || kind(found.type) == TypeKind::Optional;
    mismatch(found.span, found, "a condition", can_be_asked ? "ask `some ...` or `no ...`" : "");
    return none_id<ExprId>;
}

Operand Checker::number_literal(NodeId id) {
    const std::string& text = node(id).text;
    const Span at = span(id);
    if (text.find('.') != std::string::npos) {
        double real = 0;
        std::from_chars(text.data(), text.data() + text.size(), real);
        return value(builder_.real(real, at), at);
    }
    std::int64_t whole = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (failed != std::errc{}) return poison(at); // the parser has said so
    if (whole > ir::int_max) {
        error(Message::NumberTooLarge, at, {std::to_string(ir::int_max)});
        return poison(at);
    }
    return value(builder_.integer(whole, at), at);
}

Operand Checker::unary(NodeId id) {
    const std::string& op = node(id).text;
    const Span at = span(id);
    if (op == "not") {
        const ExprId inner = condition(child(id, 0));
        return valid(inner) ? value(builder_.negation(inner, at), at) : poison(at);
    }
    const Operand inner = expr(child(id, 0));
    if (!inner.ok()) return poison(at);
    return op == "-" ? negative(inner, at) : converse(inner, at);
}

Operand Checker::binary(NodeId id) {
    const std::string& op = node(id).text;
    const Span at = span(id);
    if (op == ".") return join(id);
    if (op == "and" || op == "or" || op == "implies") return logic(id);
    if (op == "in") return membership(id);
    if (op == "..") return int_range(id);
    const Operand a = expr(child(id, 0));
    const Operand b = expr(child(id, 1));
    if (!a.ok() || !b.ok()) return poison(at);
    if (op == "|" || op == "&" || op == "\\") return set_operator(op, a, b, at);
    if (op == "+" || op == "-" || op == "*" || op == "/" || op == "div" || op == "mod") return arithmetic(op, a, b, at);
    return comparison(op, a, b, at);
}

Operand Checker::logic(NodeId id) {
    const std::string& op = node(id).text;
    const Span at = span(id);
    const ExprId a = condition(child(id, 0));
    const ExprId b = condition(child(id, 1));
    if (!valid(a) || !valid(b)) return poison(at);
    if (op == "and") return value(builder_.conjunction({a, b}, at), at);
    if (op == "or") return value(builder_.disjunction({a, b}, at), at);
    return value(builder_.disjunction({builder_.negation(a, at), b}, at), at);
}

Operand Checker::conditions(NodeId id) {
    std::vector<ExprId> parts;
    bool fine = true;
    for (NodeId part : children(id)) {
        parts.push_back(condition(part));
        fine &= valid(parts.back());
    }
    return fine ? value(builder_.conjunction(parts, span(id)), span(id)) : poison(span(id));
}

Operand Checker::index_value(NodeId id) {
    const Span at = span(id);
    const NodeId base = child(id, 0);
    const ir::StateId map = map_named(base);
    if (!valid(map)) {
        const Operand found = valid(base) && node(base).kind == Kind::Name ? expr(base) : poison(at);
        if (found.ok()) error(Message::NotAMap, span(base), {node(base).text});
        if (!valid(base) || node(base).kind != Kind::Name) error(Message::NotAMap, at, {"this"});
        for (NodeId index : children(id).subspan(1)) expr(index);
        return poison(at);
    }
    const std::vector<ExprId> indices = map_indices(map, id);
    if (indices.empty()) return poison(at);
    const TypeId type = program_.states[map].value;
    return value(builder_.make(Op::MapGet, type, indices, static_cast<std::int64_t>(index(map)), at), at);
}

std::vector<ExprId> Checker::map_indices(ir::StateId map, NodeId id) {
    const auto given = children(id).subspan(1);
    const std::vector<TypeId> wanted = program_.states[map].indices;
    std::vector<ExprId> result;
    bool fine = given.size() == wanted.size();
    if (!fine)
        error(Message::IndexCount, span(id),
              {program_.states[map].name, std::to_string(wanted.size()), std::to_string(given.size())});
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Operand found = expr(given[i]);
        if (i >= wanted.size()) continue;
        const ExprId index = convert(found, wanted[i]);
        fine &= valid(index);
        if (!valid(index)) continue;
        const auto constant = builder_.scalar(index);
        if (constant && *constant != ir::none && !types().ordinal(wanted[i], *constant)) {
            error(Message::IndexOutside, span(given[i]), {found_text(found), type_text(wanted[i])});
            fine = false;
        }
        result.push_back(index);
    }
    return fine ? result : std::vector<ExprId>{};
}

Operand Checker::tuple(NodeId id) {
    std::vector<Operand> parts;
    for (NodeId part : children(id)) parts.push_back(expr(part));
    return make_tuple(std::move(parts), span(id));
}

// A part that may be none makes the whole none. The parts are kept as they are until a type is wanted, since the ranges
// of integers in it are part of how a tuple is numbered.
Operand Checker::make_tuple(std::vector<Operand> parts, Span at) {
    std::vector<TypeId> part_types;
    bool optional = false;
    double size = 1;
    for (auto& part : parts) {
        if (!part.ok()) return poison(at);
        part = as_element(part);
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
    result.parts = std::move(parts);
    return result;
}

Operand Checker::if_value(NodeId id) {
    const ExprId test = condition(child(id, 0));
    const Operand yes = expr(child(id, 1));
    const Operand no = expr(child(id, 2));
    if (!valid(test) || !yes.ok() || !no.ok()) return poison(span(id));
    return choose(test, yes, no, span(id));
}

// `if` over two values, brought to a type that holds both.
Operand Checker::choose(ExprId test, const Operand& yes, const Operand& no, Span at) {
    if (const auto known = builder_.scalar(test)) {
        // The branch not taken still says what type the whole has.
        const auto type = unify(yes.type, no.type);
        const Operand& taken = *known != 0 ? yes : no;
        const bool joins = type && (kind(*type) == TypeKind::Set || kind(*type) == TypeKind::Path);
        if (type && !joins && kind(taken.type) != TypeKind::None) return taken;
    }
    const auto type = unify(yes.type, no.type);
    if (!type) {
        error(Message::BranchTypes, at, {found_text(yes), found_text(no)});
        return poison(at);
    }
    const ExprId a = try_convert(yes, *type), b = try_convert(no, *type);
    if (!valid(a) || !valid(b)) {
        error(Message::BranchTypes, at, {found_text(yes), found_text(no)});
        return poison(at);
    }
    Operand result{.expr = builder_.choose(test, a, b, *type, at), .type = *type, .span = at};
    if (kind(*type) == TypeKind::Path) {
        const Operand left = as_path(yes), right = as_path(no);
        result.functional = left.functional && right.functional;
        result.injective = left.injective && right.injective;
    }
    if (kind(*type) == TypeKind::Optional && (valid(yes.as_set) || valid(no.as_set))) {
        const TypeId set = types().set(types().inner(*type));
        const ExprId left = convert_to_set(yes, set), right = convert_to_set(no, set);
        if (valid(left) && valid(right)) result.as_set = builder_.choose(test, left, right, set, at);
    }
    return result;
}

Operand Checker::let_value(NodeId id) {
    const Names scope(*this);
    std::vector<std::pair<VarId, ExprId>> bound;
    for (NodeId binding : children(child(id, 0))) {
        if (!valid(binding)) continue;
        Operand found = expr(child(binding, 0));
        const bool substitutes = !found.ok() || kind(found.type) == TypeKind::Path || !valid(found.expr) ||
                                 builder_.is_leaf(found.expr) || kind(found.type) == TypeKind::None;
        if (!substitutes) {
            const VarId var = builder_.new_var(node(binding).text, found.type);
            bound.emplace_back(var, found.expr);
            found = value(builder_.var(var, found.span), found.span);
        }
        push_local({.name = node(binding).text, .span = name_span(binding), .value = found});
    }
    Operand result = expr(child(id, 1));
    for (std::size_t i = bound.size(); i-- > 0 && result.ok();)
        result = wrap_let(bound[i].first, bound[i].second, result);
    return result;
}

Operand Checker::wrap_let(VarId var, ExprId bound, const Operand& body) {
    const auto uses = [&](ExprId id) {
        const auto& free = builder_.facts(id).free;
        return std::ranges::find(free, var) != free.end();
    };
    const auto wrapped = [&](ExprId id) {
        return uses(id) ? builder_.bind(Op::Let, builder_.type(id), var, bound, id, body.span) : id;
    };
    Operand result = body;
    result.parts.clear();
    if (!valid(body.expr)) { // a tuple not yet put together: no name of a `let` can leave it
        error(Message::TypeHere, body.span, {type_text(body.type), "the value of `let`"});
        return poison(body.span);
    }
    if (valid(body.as_set) && kind(body.type) == TypeKind::Optional) {
        result.as_set = wrapped(body.as_set);
        result.expr = builder_.make(Op::The, body.type, {result.as_set}, body.span);
    } else {
        result.expr = wrapped(body.expr);
        result.as_set = none_id<ExprId>;
    }
    return result;
}

} // namespace zug::lang
