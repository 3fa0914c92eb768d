// Definitions compiled for the types of their arguments.
//
// A definition that is small, or is a path, is inlined; others become functions of the program. A recursive definition
// is read several times without diagnostics until its type is known, which its calls of itself need, then once with
// them.

#include "lang/check/instances.hpp"

#include "lang/check/definitions.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/resolve/types.hpp"

#include <algorithm>

namespace zug::lang {

Instance* Instances::instance(Declaration& d, const std::vector<TypeId>& argument_types, Span at) {
    for (auto& candidate : all_) {
        if (candidate->declaration != &d || candidate->types != argument_types) continue;
        if (candidate->busy) {
            candidate->recursive = true;
            if (!d.recursive) {
                error(Message::CyclicDefinition, at, {d.name});
                return nullptr;
            }
        }
        return candidate->result.ok() || candidate->busy ? candidate.get() : nullptr;
    }
    all_.push_back(std::make_unique<Instance>());
    Instance& made = *all_.back();
    made.declaration = &d;
    made.types = argument_types;
    ir::Function function;
    function.name = d.name;
    made.function = program_.functions.push(std::move(function));
    made.busy = true;
    if (d.recursive) {
        compile_recursive(made, d, at);
    } else {
        compile(made, d, at);
    }
    made.busy = false;
    return made.result.ok() ? &made : nullptr;
}

void Instances::compile(Instance& made, Declaration& d, Span use) {
    const InPrelude vocabulary(context_, d, use);
    const InTree scope(context_, d.tree);
    made.params.clear();
    {
        const Names names(context_);
        const auto parameters = parameters_of(d);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const VarId var = builder_.new_var(node(parameters[i]).text, made.types[i]);
            made.params.push_back(var);
            const Span at = name_span(parameters[i]);
            push_local({.name = node(parameters[i]).text, .span = at, .value = value(builder_.var(var, at), at)});
        }
        // Whether the users of the definition may ask is checked later, in Finish::check_stuck.
        const bool stuck = std::exchange(context_.stuck_allowed, true);
        made.result = expressions_.expr(definition_body(d));
        context_.stuck_allowed = stuck;
    }
    if (!made.result.ok()) return;
    if (d.kind == DeclKind::Path) {
        if (!is_path_like(made.result.type)) {
            const std::string hint = path_hint(made.result);
            mismatch(made.result.span, made.result, "a path", hint.empty() ? "a value is defined with `def`" : hint);
            made.result = poison(made.result.span);
            return;
        }
        made.result = conversions_.as_path(made.result);
    }
    if (!valid(made.result.expr) || kind(made.result.type) == TypeKind::None) return;
    program_.functions[made.function].params = made.params;
    program_.functions[made.function].body = made.result.expr;
    if (!made.recursive) builder_.function_done(made.function);
}

// The result type to try first: Bool if the outermost operator is logical, else a set.
Operand Instances::guess_result(const Declaration& d) {
    const auto& body = (*d.tree)[definition_body(d)];
    static constexpr std::string_view truths[] = {
        "and", "or", "not", "implies", "=", "!=", "<", "<=", ">", ">=", "in", "some", "no", "all", "odd"};
    const bool truth = body.kind == Kind::Is || body.kind == Kind::Conditions || body.kind == Kind::Can ||
                       ((body.kind == Kind::Binary || body.kind == Kind::Unary || body.kind == Kind::Quantified ||
                         body.kind == Kind::Quantifier) &&
                        std::ranges::find(truths, body.text) != std::end(truths));
    return {.type = truth ? types().boolean() : types().set(types().none_type()), .span = d.span};
}

// Reads the body without diagnostics, assuming that its calls of itself have the type of the guess. Returns whether
// the result has that type.
bool Instances::attempt(Instance& made, Declaration& d, const Operand& guess) {
    diag::Report silence;
    diag::Report* const aloud = std::exchange(context_.report, &silence);
    const bool silent = std::exchange(context_.silent, true);
    const std::size_t others = all_.size();
    made.recursive = false;
    made.result = guess;
    try {
        compile(made, d, d.span);
    } catch (...) {
        context_.report = aloud;
        throw;
    }
    context_.report = aloud;
    context_.silent = silent;
    all_.resize(others); // they were compiled from a guess that may be wrong
    return made.result.ok() && made.result.type == guess.type;
}

void Instances::compile_recursive(Instance& made, Declaration& d, Span use) {
    const Operand number{.type = types().integer(ir::int_min, ir::int_max), .span = d.span};
    const Operand truth{.type = types().boolean(), .span = d.span};
    Operand guess = guess_result(d);
    std::vector<Operand> candidates{guess, number, truth};
    // Sets of what the parameters are, and of sites, for a body that ranges over a set of its own.
    const auto add_set = [&](TypeId element) {
        if (valid(element) && is_scalar(element) && types().cardinality(element) <= max_set)
            candidates.push_back({.type = types().set(element), .span = d.span});
    };
    for (const TypeId type : made.types) add_set(kind(type) == TypeKind::Set ? types().inner(type) : bare(type));
    for (const auto* board : symbols_.boards()) add_set(board->type);
    // What a call that was taken for a set and a truth beside it make, as in `if c in empty: true else f(c.d)`.
    const auto is_set_of_truths = [&](TypeId t) {
        return kind(t) == TypeKind::Set && kind(types().inner(t)) == TypeKind::Bool;
    };
    for (const Operand& candidate : candidates) {
        bool right = attempt(made, d, candidate);
        if (right) guess = candidate;
        if (!right && made.result.ok() && !is_set_of_truths(made.result.type)) { // try the type that resulted
            guess = {.type = made.result.type, .span = d.span};
            right = attempt(made, d, guess);
        }
        if (right) break;
    }
    made.result = guess;
    made.recursive = true;
    compile(made, d, use);
    if (!made.result.ok()) return;
    program_.functions[made.function].recursive = true;
    const TypeKind k = kind(made.result.type);
    if (k != TypeKind::Bool && k != TypeKind::Set) {
        error(Message::RecursiveType, d.span, {d.name, type_text(made.result.type)});
        made.result = poison(d.span);
    }
}

Operand Instances::call_instance(Instance& called, const std::vector<ExprId>& args, Span at) {
    const Operand& body = called.result;
    if (called.busy || called.recursive) {
        const ExprId call =
            builder_.make(Op::Call, body.type, args, static_cast<std::int64_t>(index(called.function)), at);
        return value(call, at);
    }
    if (kind(body.type) == TypeKind::None) return value(body.expr, at);
    if (!valid(body.expr)) { // a tuple whose type is not known yet
        error(Message::TypeHere, at, {type_text(body.type), "the result of `" + called.declaration->name + "`"});
        return poison(at);
    }
    const bool path = kind(body.type) == TypeKind::Path;
    if (!path && builder_.facts(body.expr).size > max_inline) {
        const ExprId call =
            builder_.make(Op::Call, body.type, args, static_cast<std::int64_t>(index(called.function)), at);
        return value(call, at);
    }
    return copy_body(called, args, at);
}

// Inlines the body. An argument that is costly to evaluate is bound by a Let, so that it is evaluated once.
Operand Instances::copy_body(const Instance& called, const std::vector<ExprId>& args, Span at) {
    Substitution replacement;
    std::vector<LetBinding> bound;
    const ExprId main = valid(called.result.as_set) ? called.result.as_set : called.result.expr;
    const auto free = builder_.facts(main).free; // a copy: building expressions below reallocates the facts
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (std::ranges::find(free, called.params[i]) == free.end()) continue;
        if (builder_.is_simple(args[i])) {
            replacement[called.params[i]] = args[i];
            continue;
        }
        const VarId var = builder_.new_var(program_.vars[called.params[i]].name, called.types[i]);
        bound.push_back({var, args[i]});
        replacement[called.params[i]] = builder_.var(var, at);
    }
    Operand result = called.result;
    result.parts.clear();
    result.span = at;
    if (valid(called.result.as_set)) {
        result.as_set = builder_.substitute(called.result.as_set, replacement);
        result.expr = builder_.make(Op::The, result.type, {result.as_set}, at);
    } else {
        result.expr = builder_.substitute(called.result.expr, replacement);
        if (valid(result.narrow)) result.narrow = builder_.substitute(result.narrow, replacement);
    }
    return operators_.wrap_lets(bound, std::move(result));
}

void Instances::check_definitions() {
    for (std::size_t i = 0; i < symbols_.declarations().size(); ++i) {
        Declaration& d = *symbols_.declarations()[i];
        if (d.prelude || d.extended || d.used) continue;
        if (d.kind == DeclKind::Def || d.kind == DeclKind::Path) check_unused_definition(d);
        if (d.kind == DeclKind::Def || d.kind == DeclKind::Path || d.kind == DeclKind::Effect)
            warn(Message::UnusedName, d.span, {d.name});
    }
}

// Compiles a definition that nothing uses, with the widest types for its parameters, to find its errors.
void Instances::check_unused_definition(Declaration& d) {
    if (takes_whole(d)) return;
    std::vector<TypeId> widest;
    {
        const InTree scope(context_, d.tree);
        for (NodeId parameter : parameters_of(d)) {
            const TypeId type =
                valid(parameter) ? types_.parameter_type(child(parameter, 0), nullptr) : none_id<TypeId>;
            if (!valid(type)) return;
            widest.push_back(type);
        }
    }
    context_.generic = true;
    const bool stuck = std::exchange(context_.stuck_allowed, true);
    instance(d, widest, d.span);
    context_.stuck_allowed = stuck;
    context_.generic = false;
}

} // namespace zug::lang
