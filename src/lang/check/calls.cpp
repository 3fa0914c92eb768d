// Calls of definitions: arguments are fitted to parameters; a set is passed where an element is expected by a union
// over its members; an optional value is tested for none first.

#include "lang/check/calls.hpp"

#include "lang/check/definitions.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/instances.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/states.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/resolve/types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

Operand Calls::call_value(NodeId id) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    if (Local* local = find_local(name)) {
        local->used = true;
        note_use(id, local_name(*local));
        arguments(id);
        error(Message::WrongKind, at, {name, "a value", "a definition to call"},
              valid(local->map) ? "a map is read with `[ ]`" : "");
        return poison(at);
    }
    Declaration* d = symbols_.find(name);
    if (d == nullptr) {
        if (auto builtin = builtin_call(name, id)) return *builtin;
        symbols_.unknown_name(name, at, coordinates_hint(arguments(id)));
        return poison(at);
    }
    d->used = true;
    note_use(id, d->span);
    if (d->broken) {
        arguments(id);
        return poison(at);
    }
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

// Two numbers are given, perhaps a column and a row.
std::string Calls::coordinates_hint(const std::vector<Operand>& args) const {
    const auto is_number = [&](const Operand& arg) { return arg.ok() && kind(arg.type) == TypeKind::Int; };
    if (args.size() != 2 || !std::ranges::all_of(args, is_number)) return "";
    for (const ir::Board& board : program_.boards)
        if (board.height != 0 && board.shape != ir::BoardShape::Ring && board.shape != ir::BoardShape::Graph)
            return fmt::format("a site by its column and row is `{}(x, y)`", board.name);
    return "";
}

std::vector<Operand> Calls::arguments(NodeId id) {
    std::vector<Operand> result;
    for (NodeId item : children(id)) result.push_back(argument(item));
    return result;
}

Operand Calls::argument(NodeId id) {
    if (is_name(id, "_")) return {.span = span(id), .wildcard = true};
    if (const ir::StateId map = states_.map_named(id); valid(map)) return {.span = span(id), .map = map};
    return expressions_.expr(id);
}

TypeId Calls::wanted_type(const Declaration& d, NodeId parameter, const Operand& argument, Span use) {
    const InPrelude vocabulary(context_, d, use);
    const InTree scope(context_, d.tree);
    return types_.parameter_type(child(parameter, 0), argument.wildcard ? nullptr : &argument);
}

ExprId Calls::fitted(const Declaration& d, const Operand& argument, TypeId wanted) {
    const auto is_of_sites = [&](TypeId id) {
        const TypeKind k = kind(id);
        return kind(k == TypeKind::Set || k == TypeKind::Optional ? types().inner(id) : id) == TypeKind::Site;
    };
    std::string fix;
    if (d.prelude && argument.ok() && is_of_sites(argument.type) && is_of_sites(wanted) &&
        board_of(argument.type) != board_of(wanted))
        fix =
            fmt::format("the standard vocabulary is for the board `{}`; for `{}`, define a `{}` of its own",
                        program_.boards[board_of(wanted)].name, program_.boards[board_of(argument.type)].name, d.name);
    return conversions_.convert(argument, wanted, std::move(fix));
}

// Determines how an argument has to be adapted to its parameter.
Calls::Fit Calls::fit_argument(const Declaration& d, NodeId parameter, Operand& argument, TypeId& wanted, Span at) {
    if (!valid(parameter)) return Fit::Wrong;
    if (stands_for_whole(d, parameter)) return Fit::Whole;
    if (valid(argument.map)) {
        error(Message::MapWithoutIndex, argument.span, {program_.states[argument.map].name});
        return Fit::Wrong;
    }
    wanted = wanted_type(d, parameter, argument, at);
    if (!valid(wanted)) return Fit::Wrong;
    const bool element = is_scalar(wanted);
    if (element && (argument.wildcard || kind(argument.type) == TypeKind::Set)) return Fit::Each;
    if (argument.wildcard) {
        if (kind(wanted) != TypeKind::Set) {
            error(Message::WildcardHere, argument.span);
            return Fit::Wrong;
        }
        argument = value(builder_.universe(types().inner(wanted), at), argument.span);
    }
    if (element && kind(wanted) != TypeKind::Optional && kind(argument.type) == TypeKind::Optional)
        return Fit::UnlessNone;
    if (subsets_.contains(wanted) && kind(wanted) != TypeKind::Optional) {
        const Subsets::Narrowed made = conversions_.narrowed(argument, wanted);
        if (valid(made.expr) && kind(builder_.type(made.expr)) == TypeKind::Optional) {
            argument = {.expr = made.expr, .type = builder_.type(made.expr), .span = argument.span};
            return Fit::UnlessNone;
        }
    }
    const bool path = kind(wanted) == TypeKind::Dir && kind(argument.type) == TypeKind::Path;
    return path ? Fit::Whole : Fit::Right;
}

Operand Calls::apply(Declaration& d, std::vector<Operand> args, Span at) {
    d.used = true;
    if (d.broken) return poison(at);
    const auto parameters = parameters_of(d);
    if (parameters.size() != args.size()) {
        error(Message::ArgumentCount, at, {d.name, std::to_string(parameters.size()), std::to_string(args.size())});
        return poison(at);
    }
    if (d.recursive && d.kind != DeclKind::Def) return poison(at); // reported at its definition
    for (const auto& arg : args)
        if (!arg.ok() && !arg.wildcard && !valid(arg.map)) return poison(at);
    if (d.prelude && d.name == "foe" && program_.players.size() != 2) {
        if (symbols_.lacks_players()) return poison(at);
        error(Message::FoeOfTwo, at, {std::to_string(program_.players.size())},
              "`foes(me)` is the set of all opponents");
        return poison(at);
    }
    std::vector<TypeId> wanted(args.size(), none_id<TypeId>);
    bool whole = false;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const Fit fit = fit_argument(d, parameters[i], args[i], wanted[i], at);
        if (fit == Fit::Wrong) return poison(at);
        if (fit == Fit::Each) return apply_to_each(d, std::move(args), i, wanted[i], at);
        if (fit == Fit::UnlessNone) return apply_unless_none(d, std::move(args), i, at);
        whole |= fit == Fit::Whole;
    }
    if (whole) return expand(d, args, wanted, at);
    std::vector<ExprId> values;
    for (std::size_t i = 0; i < args.size(); ++i) {
        values.push_back(fitted(d, args[i], wanted[i]));
        if (!valid(values.back())) return poison(at);
        if (kind(wanted[i]) != TypeKind::Int) continue;
        // Numbers keep their range, except in recursion, where each iteration could have another one.
        Operand any;
        any.wildcard = true;
        wanted[i] = d.recursive ? wanted_type(d, parameters[i], any, at) : builder_.type(values.back());
    }
    Instance* found = instances_.instance(d, wanted, at);
    return found != nullptr ? instances_.call_instance(*found, values, at) : poison(at);
}

// A set where an element is expected: the union of the results for its members.
Operand Calls::apply_to_each(Declaration& d, std::vector<Operand> args, std::size_t i, TypeId wanted, Span at) {
    const Operand given = args[i];
    ExprId set = none_id<ExprId>;
    if (given.wildcard) {
        set = valid(set_type(wanted, at)) ? builder_.universe(wanted, at) : set;
    } else if (kind(types().inner(given.type)) == TypeKind::Int && kind(wanted) == TypeKind::Int) {
        set = given.expr;
    } else {
        set = fitted(d, given, types().set(wanted));
    }
    if (!valid(set)) return poison(at);
    const TypeId element = types().inner(builder_.type(set));
    const VarId var = builder_.new_var((*d.tree)[parameters_of(d)[i]].text, element);
    args[i] = value(builder_.var(var, given.span), given.span);
    const Operand one = apply(d, std::move(args), at);
    if (!one.ok()) return poison(at);
    if (kind(one.type) == TypeKind::Dir) return operators_.union_over(var, set, conversions_.as_path(one), at);
    if (kind(one.type) == TypeKind::Bool || kind(one.type) == TypeKind::Int || kind(one.type) == TypeKind::Real) {
        error(Message::SetForElement, given.wildcard ? at : given.span,
              {type_text(wanted), d.name, type_text(one.type)});
        return poison(at);
    }
    return operators_.union_over(var, set, one, at);
}

// An argument that may be none: the result for none is none, false, 0 or the empty set.
Operand Calls::apply_unless_none(Declaration& d, std::vector<Operand> args, std::size_t i, Span at) {
    const Operand given = args[i];
    const TypeId inner = bare(given.type);
    if (builder_.type(given.expr) == inner) { // its expression is never none
        args[i] = value(given.expr, given.span);
        return apply(d, std::move(args), at);
    }
    const bool simple = builder_.is_simple(given.expr);
    const VarId var = simple ? VarId{} : builder_.new_var("value", given.type);
    const ExprId there = simple ? given.expr : builder_.var(var, given.span);
    args[i] = {.expr = there, .type = inner, .span = given.span};
    const Operand result = apply(d, std::move(args), at);
    if (!result.ok()) return result;
    const ExprId absent = builder_.is_none(there, at);
    Operand nothing;
    if (is_path_like(result.type)) {
        const TypeId dirs = types().set(types().dir(board_of(result.type)));
        nothing = value(conversions_.missing(dirs, at), at);
    } else {
        nothing = value(conversions_.missing(result.type, at), at);
    }
    const Operand whole = operators_.choose(absent, nothing, result, at);
    return simple || !whole.ok() ? whole : operators_.wrap_let(var, given.expr, whole);
}

// A definition with a path or a map among its parameters, or one that is given a path for a direction, is inlined: its
// text is read again with the arguments substituted for the parameters.
Operand Calls::expand(Declaration& d, const std::vector<Operand>& args, const std::vector<TypeId>& wanted, Span at) {
    if (d.recursive) {
        error(Message::RecursiveDefinition, d.span, {"definition with a path or a map", d.name});
        return poison(at);
    }
    const auto parameters = parameters_of(d);
    std::vector<std::pair<VarId, ExprId>> bound;
    const InTree scope(context_, d.tree);
    for (std::size_t i = 0; i < args.size(); ++i) {
        auto local = expanded_argument(d, parameters[i], args[i], wanted[i]);
        if (!local) return poison(at);
        const ExprId fitted = local->value.expr;
        const bool named = valid(wanted[i]) && kind(local->value.type) != TypeKind::Path && !builder_.is_simple(fitted);
        if (named) {
            const VarId var = builder_.new_var(local->name, wanted[i]);
            bound.emplace_back(var, fitted);
            local->value = value(builder_.var(var, args[i].span), args[i].span);
        }
        push_local(std::move(*local));
    }
    const InPrelude vocabulary(context_, d, at);
    Operand result = expressions_.expr(definition_body(d));
    for (std::size_t i = bound.size(); i-- > 0 && result.ok();)
        result = operators_.wrap_let(bound[i].first, bound[i].second, result);
    return result;
}

// What the name of a parameter stands for while the definition is read. `wanted` is none_id for a path or a map.
std::optional<Local> Calls::expanded_argument(const Declaration& d, NodeId parameter, const Operand& argument,
                                              TypeId wanted) {
    const NodeId type_node = d.tree->child(parameter, 0);
    Local local{.name = (*d.tree)[parameter].text, .span = (*d.tree)[parameter].span, .value = argument};
    if (valid(wanted)) {
        if (kind(wanted) == TypeKind::Dir && kind(argument.type) == TypeKind::Path) return local;
        const ExprId given = fitted(d, argument, wanted);
        if (!valid(given)) return {};
        local.value = value(given, argument.span);
    } else if (is_type_word(*d.tree, type_node, "path")) {
        if (!argument.ok() || !is_path_like(argument.type)) {
            mismatch(argument.span, argument, "a path");
            return {};
        }
    } else {
        local.map = argument.map;
        if (!valid(local.map)) {
            error(Message::MapParameter, argument.span, {d.name});
            return {};
        }
    }
    return local;
}

} // namespace zug::lang
