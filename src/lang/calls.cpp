// Calls of definitions: arguments fitted to parameters, sets passed where an element is wanted, values that may be
// none.

#include "lang/checker.hpp"
#include "lang/in_prelude.hpp"

#include <algorithm>

namespace zug::lang {

Operand Checker::call_value(NodeId id) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    if (Local* local = find_local(name)) {
        local->used = true;
        arguments(id);
        error(Message::WrongKind, at, {name, "a value", "a definition to call"},
              valid(local->map) ? "a map is read with `[ ]`" : "");
        return poison(at);
    }
    Declaration* d = find(name);
    if (d == nullptr) {
        if (auto builtin = builtin_call(name, id)) return *builtin;
        arguments(id);
        unknown_name(name, at);
        return poison(at);
    }
    d->used = true;
    switch (d->kind) {
    case DeclKind::Def:
    case DeclKind::Path: return apply(*d, arguments(id), at);
    case DeclKind::Board: return site_call(*d, arguments(id), at);
    case DeclKind::State:
        arguments(id);
        error(Message::WrongKind, at, {name, "a state variable", "a definition to call"}, "a map is read with `[ ]`");
        return poison(at);
    case DeclKind::Effect:
        error(Message::WrongKind, at, {name, "an effect", "a value"}, "it stands in `then`");
        return poison(at);
    default:
        arguments(id);
        error(Message::WrongKind, at, {name, "a value", "a definition to call"});
        return poison(at);
    }
}

std::vector<Operand> Checker::arguments(NodeId id) {
    std::vector<Operand> result;
    for (NodeId item : children(id)) result.push_back(argument(item));
    return result;
}

Operand Checker::argument(NodeId id) {
    if (is_name(id, "_")) return {.span = span(id), .wildcard = true};
    if (const ir::StateId map = map_named(id); valid(map)) return {.span = span(id), .map = map};
    return expr(id);
}

std::span<const NodeId> Checker::parameters_of(const Declaration& d) {
    const NodeId parameters = d.tree->child(d.node, 0);
    if (!valid(parameters)) return {};
    return d.tree->children(parameters);
}

namespace {

bool is_word(const syntax::Tree& tree, NodeId id, std::string_view word) {
    return valid(id) && tree[id].kind == Kind::TypeName && tree[id].text == word;
}

} // namespace

bool Checker::stands_for_whole(const Declaration& d, NodeId parameter) {
    if (!valid(parameter)) return false;
    const NodeId type = d.tree->child(parameter, 0);
    return valid(type) && ((*d.tree)[type].kind == Kind::TypeMap || is_word(*d.tree, type, "path"));
}

bool Checker::takes_whole(const Declaration& d) {
    return std::ranges::any_of(parameters_of(d), [&](NodeId parameter) { return stands_for_whole(d, parameter); });
}

TypeId Checker::wanted_type(const Declaration& d, NodeId parameter, const Operand& argument, Span use) {
    const InPrelude vocabulary(*this, d, use);
    const InTree scope(*this, d.tree);
    return parameter_type(child(parameter, 0), argument.wildcard ? nullptr : &argument);
}

Operand Checker::apply(Declaration& d, std::vector<Operand> args, Span at) {
    d.used = true;
    const auto parameters = parameters_of(d);
    if (parameters.size() != args.size()) {
        error(Message::ArgumentCount, at, {d.name, std::to_string(parameters.size()), std::to_string(args.size())});
        return poison(at);
    }
    if (d.recursive && d.kind != DeclKind::Def) return poison(at);
    for (const auto& arg : args)
        if (!arg.ok() && !arg.wildcard && !valid(arg.map)) return poison(at);
    if (d.prelude && d.name == "foe" && program_.players.size() != 2) {
        error(Message::FoeOfTwo, at, {std::to_string(program_.players.size())});
        return poison(at);
    }
    bool whole = takes_whole(d);
    std::vector<TypeId> wanted_types;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (!valid(parameters[i])) return poison(at);
        wanted_types.push_back(none_id<TypeId>);
        if (whole && stands_for_whole(d, parameters[i])) continue;
        if (valid(args[i].map)) {
            error(Message::MapWithoutIndex, args[i].span, {program_.states[args[i].map].name});
            return poison(at);
        }
        const TypeId wanted = wanted_type(d, parameters[i], args[i], at);
        if (!valid(wanted)) return poison(at);
        wanted_types.back() = wanted;
        if (is_scalar(wanted) && (args[i].wildcard || kind(args[i].type) == TypeKind::Set))
            return apply_to_each(d, std::move(args), i, wanted, at);
        if (args[i].wildcard) args[i] = value(builder_.universe(types().inner(wanted), at), args[i].span);
        if (is_scalar(wanted) && kind(wanted) != TypeKind::Optional && kind(args[i].type) == TypeKind::Optional)
            return apply_unless_none(d, std::move(args), i, at);
        whole |= kind(wanted) == TypeKind::Dir && kind(args[i].type) == TypeKind::Path;
    }
    if (whole) return expand(d, args, at);
    std::vector<ExprId> fitted;
    std::vector<TypeId> argument_types;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const TypeId wanted = wanted_types[i];
        const ExprId arg = convert(args[i], wanted);
        if (!valid(arg)) return poison(at);
        const bool integer = kind(wanted) == TypeKind::Int;
        const TypeId given = integer ? builder_.type(arg) : wanted;
        argument_types.push_back(d.recursive && integer ? types().integer(ir::int_min, ir::int_max) : given);
        fitted.push_back(arg);
    }
    Instance* found = instance(d, argument_types, at);
    return found != nullptr ? call_instance(*found, fitted, at) : poison(at);
}

// A set where an element is wanted: the union over its members.
Operand Checker::apply_to_each(Declaration& d, std::vector<Operand> args, std::size_t i, TypeId wanted, Span at) {
    const Operand given = args[i];
    ExprId set = none_id<ExprId>;
    if (given.wildcard) {
        set = valid(set_type(wanted, at)) ? builder_.universe(wanted, at) : set;
    } else if (kind(types().inner(given.type)) == TypeKind::Int && kind(wanted) == TypeKind::Int) {
        set = given.expr;
    } else {
        set = convert(given, types().set(wanted));
    }
    if (!valid(set)) return poison(at);
    const TypeId element = types().inner(builder_.type(set));
    const VarId var = builder_.new_var((*d.tree)[parameters_of(d)[i]].text, element);
    args[i] = value(builder_.var(var, given.span), given.span);
    const Operand one = apply(d, std::move(args), at);
    if (!one.ok()) return poison(at);
    if (kind(one.type) == TypeKind::Dir) return union_over(var, set, as_path(one), at);
    if (kind(one.type) == TypeKind::Bool || kind(one.type) == TypeKind::Int || kind(one.type) == TypeKind::Real) {
        error(Message::SetForElement, given.wildcard ? at : given.span,
              {type_text(wanted), d.name, type_text(one.type)});
        return poison(at);
    }
    return union_over(var, set, one, at);
}

// A value that may be none: none, false, 0 or the empty set comes of none.
Operand Checker::apply_unless_none(Declaration& d, std::vector<Operand> args, std::size_t i, Span at) {
    const Operand given = args[i];
    const TypeId inner = bare(given.type);
    if (builder_.type(given.expr) == inner) { // it only looked as if it could be none
        args[i] = value(given.expr, given.span);
        return apply(d, std::move(args), at);
    }
    const bool simple = is_simple(given.expr);
    const VarId var = simple ? VarId{} : builder_.new_var("value", given.type);
    const ExprId there = simple ? given.expr : builder_.var(var, given.span);
    args[i] = {.expr = there, .type = inner, .span = given.span};
    const Operand result = apply(d, std::move(args), at);
    if (!result.ok()) return result;
    const ExprId absent = builder_.is_none(there, at);
    Operand nothing;
    if (is_path_like(result.type)) {
        const TypeId dirs = types().set(types().dir(board_of(result.type)));
        nothing = value(missing(dirs, at), at);
    } else {
        nothing = value(missing(result.type, at), at);
    }
    const Operand whole = choose(absent, nothing, result, at);
    return simple || !whole.ok() ? whole : wrap_let(var, given.expr, whole);
}

// A definition with a path or a map among its parameters, or one that is given a path for a direction: its text is read
// anew, with the arguments in their places.
Operand Checker::expand(Declaration& d, const std::vector<Operand>& args, Span at) {
    if (d.recursive) {
        error(Message::RecursiveDefinition, d.span, {"definition with a path or a map", d.name});
        return poison(at);
    }
    const auto parameters = parameters_of(d);
    std::vector<std::pair<VarId, ExprId>> bound;
    const InTree scope(*this, d.tree);
    std::vector<TypeId> wanted_types;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (!valid(parameters[i])) return poison(at);
        const bool whole = stands_for_whole(d, parameters[i]);
        wanted_types.push_back(whole ? none_id<TypeId> : wanted_type(d, parameters[i], args[i], at));
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
        const NodeId type_node = child(parameters[i], 0);
        Local local{.name = node(parameters[i]).text, .span = span(parameters[i]), .value = args[i]};
        if (is_word(*tree_, type_node, "path")) {
            if (!args[i].ok() || !is_path_like(args[i].type)) {
                mismatch(args[i].span, args[i], "a path");
                return poison(at);
            }
        } else if (node(type_node).kind == Kind::TypeMap) {
            local.map = args[i].map;
            if (!valid(local.map)) {
                error(Message::MapParameter, args[i].span, {d.name});
                return poison(at);
            }
        } else {
            const TypeId wanted = wanted_types[i];
            if (kind(wanted) == TypeKind::Dir && kind(args[i].type) == TypeKind::Path) {
                push_local(std::move(local));
                continue;
            }
            const ExprId fitted = convert(args[i], wanted);
            if (!valid(fitted)) return poison(at);
            local.value = value(fitted, args[i].span);
            if (!is_simple(fitted)) {
                const VarId var = builder_.new_var(local.name, wanted);
                bound.emplace_back(var, fitted);
                local.value = value(builder_.var(var, args[i].span), args[i].span);
            }
        }
        push_local(std::move(local));
    }
    const InPrelude vocabulary(*this, d, at);
    Operand result = expr(definition_body(d));
    for (std::size_t i = bound.size(); i-- > 0 && result.ok();)
        result = wrap_let(bound[i].first, bound[i].second, result);
    return result;
}

} // namespace zug::lang
