// Calls of effect definitions, which are inlined: their text is read again with the arguments substituted for the
// parameters. Arguments that must be evaluated once are bound in the block of the call.

#include "lang/check/calls.hpp"
#include "lang/check/definitions.hpp"
#include "lang/check/expressions.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/states.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/rules/clauses.hpp"
#include "lang/rules/effects.hpp"

namespace zug::lang {

using ir::EffectKind;

void Effects::call_effect(NodeId id, const EffectSink& sink) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    Declaration* d = symbols_.find(name);
    if (d == nullptr || d->kind != DeclKind::Effect) {
        calls_.arguments(id);
        if (d != nullptr) {
            d->used = true;
            error(Message::WrongKind, at, {name, "no effect", "an effect"}, "a state is changed with `:=`");
        } else {
            std::vector<std::string> names;
            for (const auto& declaration : symbols_.declarations())
                if (declaration->kind == DeclKind::Effect) names.push_back(declaration->name);
            symbols_.none_of(Message::UnknownName, name, at, {std::move(names), "effects"});
        }
        return;
    }
    d->used = true;
    note_use(id, d->span);
    if (d->broken) return;
    const auto parameters = parameters_of(*d);
    const auto given = children(id);
    if (parameters.size() != given.size()) {
        error(Message::ArgumentCount, at, {name, std::to_string(parameters.size()), std::to_string(given.size())});
        return;
    }
    if (d->recursive) return; // reported at its definition
    std::vector<Local> locals;
    std::vector<ir::Clause> named;
    for (std::size_t i = 0; i < given.size(); ++i) {
        auto local = effect_argument(*d, parameters[i], given[i], named);
        if (!local) return;
        locals.push_back(std::move(*local));
    }
    const InPrelude use(context_, *d, at);
    const InTree scope(context_, d->tree);
    const Names names(context_);
    for (auto& local : locals) push_local(std::move(local));
    const NodeId lets = child(d->node, 1);
    if (valid(lets)) clauses_.add_lets(lets, named);
    expand_blocks(*d, named, sink, at);
}

// What a parameter stands for: a map or a path itself, or a value that is evaluated at most once.
std::optional<Local> Effects::effect_argument(const Declaration& d, NodeId parameter, NodeId argument,
                                              std::vector<ir::Clause>& named) {
    const auto& p = (*d.tree)[parameter];
    const NodeId type_node = d.tree->child(parameter, 0);
    Local local{.name = p.text, .span = p.span, .warn = !d.prelude};
    if (valid(type_node) && (*d.tree)[type_node].kind == Kind::TypeMap) {
        local.map = states_.map_named(argument);
        if (valid(local.map)) return local;
        const Operand found =
            valid(argument) && node(argument).kind == Kind::Name && !symbols_.find(node(argument).text)
                ? expressions_.expr(argument)
                : poison({});
        const Declaration* given = valid(argument) ? symbols_.find(node(argument).text) : nullptr;
        if (found.ok() || (given != nullptr && !given->broken))
            error(Message::NotAMap, span(argument), {node(argument).text});
        return {};
    }
    const Operand found = expressions_.expr(argument);
    if (!found.ok()) return {};
    if (valid(type_node) && (*d.tree)[type_node].kind == Kind::TypeName && (*d.tree)[type_node].text == "path") {
        if (!is_path_like(found.type)) {
            mismatch(found.span, found, "a path");
            return {};
        }
        local.value = conversions_.as_path(found);
        return local;
    }
    const TypeId wanted = calls_.wanted_type(d, parameter, found, found.span);
    const ExprId fitted = valid(wanted) ? calls_.fitted(d, found, wanted) : none_id<ExprId>;
    if (!valid(fitted)) return {};
    local.value = clauses_.named_value(p.text, value(fitted, found.span), named);
    return local;
}

void Effects::expand_blocks(const Declaration& d, std::vector<ir::Clause>& named, const EffectSink& sink, Span at) {
    const auto bodies = children(d.node).subspan(2);
    if (sink.effects != nullptr && bodies.size() > 1) {
        error(Message::EffectSteps, at, {d.name});
        return;
    }
    if (sink.effects != nullptr) { // inside `if` or `for`: Let effects around the body bind the names
        std::vector<ir::EffectId> effects;
        branch(bodies[0], effects);
        for (std::size_t i = named.size(); i-- > 0;) {
            ir::Effect let = new_effect(EffectKind::Let, at);
            let.value = named[i].expr;
            let.var = named[i].bind;
            let.yes = std::move(effects);
            effects = {program_.effects.push(std::move(let))};
        }
        for (auto effect : effects) sink.effects->push_back(effect);
        return;
    }
    auto& lets = (*sink.blocks)[sink.block].lets;
    lets.insert(lets.end(), named.begin(), named.end());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!valid(bodies[i])) continue;
        EffectSink block = sink;
        if (i > 0) {
            block.block = sink.blocks->size();
            sink.blocks->emplace_back();
        }
        for (NodeId effect : children(bodies[i]))
            if (valid(effect)) add_effect(effect, block);
    }
}

} // namespace zug::lang
