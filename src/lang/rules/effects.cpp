// Effects: the blocks of `then`. All effects of a block read the state before it.

#include "lang/rules/effects.hpp"

#include "lang/check/calls.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/check/quantifiers.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"
#include "lang/resolve/states.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/rules/clauses.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

using ir::EffectKind;

std::vector<ir::Block> Effects::blocks(std::span<const NodeId> ids) {
    std::vector<ir::Block> result;
    for (NodeId id : ids) {
        if (!valid(id)) continue;
        const EffectSink sink{.blocks = &result, .block = result.size()};
        result.emplace_back();
        for (NodeId effect : children(id))
            if (valid(effect)) add_effect(effect, sink);
    }
    for (const auto& block : result) check_double_assignment(block);
    return result;
}

void Effects::add_effect(NodeId id, EffectSink sink) {
    step(span(id));
    switch (node(id).kind) {
    case Kind::Assign: assign_effect(id, sink); break;
    case Kind::EffectIf: if_effect(id, sink); break;
    case Kind::EffectFor: for_effect(id, 0, sink); break;
    case Kind::Again: push_effect(new_effect(EffectKind::Again, span(id)), sink); break;
    case Kind::Next: next_effect(id, sink); break;
    case Kind::EffectCall: call_effect(id, sink); break;
    default: break;
    }
}

ir::Effect Effects::new_effect(EffectKind kind, Span span) {
    ir::Effect effect;
    effect.kind = kind;
    effect.span = span;
    return effect;
}

void Effects::push_effect(ir::Effect effect, const EffectSink& sink) {
    const auto id = program_.effects.push(std::move(effect));
    (sink.effects != nullptr ? *sink.effects : (*sink.blocks)[sink.block].effects).push_back(id);
}

void Effects::assign_effect(NodeId id, const EffectSink& sink) {
    const std::string& op = node(id).text;
    const Operand found = expressions_.expr(child(id, 1));
    const NodeId target = child(id, 0);
    if (!valid(target)) return;
    const ir::StateId state = assigned_state(target);
    if (!valid(state)) return;
    ir::Effect effect = new_effect(EffectKind::Assign, span(id));
    effect.state = state;
    std::vector<std::size_t> sets;
    const bool targeted = assign_target(target, effect, sets);
    if (!found.ok()) return;
    if (op == ":=") {
        effect.value = conversions_.convert(found, program_.states[state].value);
        check_subset(found, state);
    } else {
        if (kind(program_.states[state].value) != TypeKind::Int || effect.kind == EffectKind::AssignAll) {
            const bool set = kind(program_.states[state].value) == TypeKind::Set;
            error(Message::AddHere, span(id), {op, program_.states[state].name},
                  set ? "`:=` with `|` adds to a set, with `\\` takes from it" : "");
            return;
        }
        effect.kind = EffectKind::Add;
        effect.value = (op == "-=" ? conversions_.as_integer(operators_.negative(found, found.span))
                                   : conversions_.as_integer(found))
                           .expr;
    }
    if (!valid(effect.value) || !targeted) return;
    if (op == ":=") check_range(found, state);
    push_for_each(std::move(effect), sets, sink);
}

// The effect for all members of the sets that stand as its indices, at these positions: in a loop over each, or at once
// if it is an assignment to a map with one index.
void Effects::push_for_each(ir::Effect effect, const std::vector<std::size_t>& sets, const EffectSink& sink) {
    if (effect.kind == EffectKind::Assign && effect.indices.size() == 1 && !sets.empty()) {
        effect.kind = EffectKind::AssignSet;
        return push_effect(std::move(effect), sink);
    }
    const Span at = effect.span;
    std::vector<ir::Effect> loops;
    for (const std::size_t i : sets) {
        ir::Effect& loop = loops.emplace_back(new_effect(EffectKind::For, at));
        loop.value = effect.indices[i];
        loop.var = builder_.new_var("entry", program_.states[effect.state].indices[i]);
        effect.indices[i] = builder_.var(loop.var, at);
    }
    for (ir::Effect& loop : loops) {
        loop.yes = {program_.effects.push(std::move(effect))};
        effect = std::move(loop);
    }
    push_effect(std::move(effect), sink);
}

ir::StateId Effects::assigned_state(NodeId target) {
    const NodeId name = node(target).kind == Kind::Index ? child(target, 0) : target;
    if (!valid(name)) return none_id<ir::StateId>;
    const std::string& text = node(name).text;
    if (Local* local = find_local(text)) {
        local->used = true;
        note_use(name, local_name(*local));
        if (!valid(local->map)) error(Message::NotAssignable, span(name), {text});
        return local->map;
    }
    Declaration* d = symbols_.find(text);
    if (d == nullptr) {
        std::vector<std::string> names;
        for (const auto* state : symbols_.states()) names.push_back(state->name);
        symbols_.none_of(Message::UnknownName, text, span(name), {std::move(names), "state variables"});
        return none_id<ir::StateId>;
    }
    d->used = true;
    note_use(name, d->span);
    if (d->kind != DeclKind::State) {
        error(Message::NotAssignable, span(name), {text});
        return none_id<ir::StateId>;
    }
    states_.resolve_state(*d);
    return d->number == UINT32_MAX ? none_id<ir::StateId> : static_cast<ir::StateId>(d->number);
}

bool Effects::assign_target(NodeId target, ir::Effect& effect, std::vector<std::size_t>& sets) {
    if (node(target).kind == Kind::Index) return assign_indices(target, effect, sets);
    if (!program_.states[effect.state].indices.empty()) effect.kind = EffectKind::AssignAll;
    return true;
}

// The indices of an effect, and which of them are sets.
bool Effects::assign_indices(NodeId target, ir::Effect& effect, std::vector<std::size_t>& sets) {
    const auto given = children(target).subspan(1);
    const std::vector<TypeId> wanted = program_.states[effect.state].indices;
    if (given.size() != wanted.size()) {
        error(Message::IndexCount, span(target),
              {program_.states[effect.state].name, std::to_string(wanted.size()), std::to_string(given.size())});
        return false;
    }
    bool fine = true;
    for (std::size_t i = 0; i < given.size(); ++i) {
        Operand found = calls_.argument(given[i]);
        if (found.wildcard) found = value(builder_.universe(wanted[i], found.span), found.span);
        if (!found.ok()) {
            fine = false;
            continue;
        }
        const bool each = kind(found.type) == TypeKind::Set;
        const ExprId index = each ? conversions_.convert(found, set_type(wanted[i], span(given[i])))
                                  : index_of(found, wanted[i], span(given[i]));
        fine = fine && valid(index);
        effect.indices.push_back(index);
        if (each) sets.push_back(i);
    }
    return fine;
}

ExprId Effects::index_of(const Operand& found, TypeId wanted, Span at) {
    const ExprId index = conversions_.convert(found, wanted);
    if (!valid(index)) return index;
    const auto constant = builder_.scalar(index);
    if (!constant || *constant == ir::none || types().ordinal(wanted, *constant)) return index;
    error(Message::IndexOutside, at, {found_text(found), type_text(wanted)});
    return none_id<ExprId>;
}

// Reports a value that is never in range. Whether another one is in range is checked at run time.
void Effects::check_range(const Operand& found, ir::StateId state) {
    const TypeId wanted = bare(program_.states[state].value);
    if (context_.generic || kind(wanted) != TypeKind::Int || kind(bare(found.type)) != TypeKind::Int) return;
    const ir::Type range = types()[wanted], given = types()[bare(found.type)];
    const auto text = [](const ir::Type& t) {
        return t.lo == t.hi ? fmt::format("the number {}", t.lo) : fmt::format("a number of {}..{}", t.lo, t.hi);
    };
    if (given.lo > range.hi || given.hi < range.lo)
        error(Message::OutOfRange, found.span, {text(given), program_.states[state].name, text(range)});
}

// Where a variable may be none, a value that the sub-type doesn't have would go unnoticed: elsewhere it is a fault.
void Effects::check_subset(const Operand& found, ir::StateId state) {
    const TypeId wanted = program_.states[state].value;
    if (kind(wanted) != TypeKind::Optional || !subsets_.contains(wanted)) return;
    const Subsets::Narrowed made = conversions_.narrowed(conversions_.as_element(found), wanted);
    if (!valid(made.expr) || made.always) return;
    const std::string type = program_.enum_names[types()[bare(wanted)].ref];
    error(Message::MaybeOther, found.span, {found_text(found), type_text(bare(wanted))},
          "`the {s: " + type + " | s = ...}` is none on purpose");
}

void Effects::check_double_assignment(const ir::Block& block) {
    std::vector<const ir::Effect*> seen;
    bool turned = false;
    for (auto id : block.effects) {
        const ir::Effect& effect = program_.effects[id];
        if (effect.kind == EffectKind::Again || effect.kind == EffectKind::Next) {
            if (turned) error(Message::TurnTwice, effect.span);
            turned = true;
        }
        if (effect.kind != EffectKind::Assign && effect.kind != EffectKind::Add && effect.kind != EffectKind::AssignAll)
            continue;
        for (const ir::Effect* other : seen) {
            const bool adds = effect.kind == EffectKind::Add && other->kind == EffectKind::Add;
            const bool all = effect.kind == EffectKind::AssignAll || other->kind == EffectKind::AssignAll;
            if (other->state != effect.state || adds || (all && effect.kind != other->kind)) continue;
            const bool same = std::ranges::equal(effect.indices, other->indices,
                                                 [&](ExprId a, ExprId b) { return builder_.same(a, b); });
            if (!same) continue;
            error(Message::AssignedTwice, effect.span, {program_.states[effect.state].name});
            break;
        }
        seen.push_back(&effect);
    }
}

void Effects::branch(NodeId block, std::vector<ir::EffectId>& effects) {
    if (!valid(block)) return;
    const EffectSink sink{.effects = &effects};
    for (NodeId effect : children(block))
        if (valid(effect)) add_effect(effect, sink);
}

void Effects::if_effect(NodeId id, const EffectSink& sink) {
    std::vector<LetBinding> bound;
    ExprId test = none_id<ExprId>;
    std::vector<ir::EffectId> yes, no;
    {
        const Names scope(context_);
        test = expressions_.naming_condition(child(id, 0), bound);
        branch(child(id, 1), yes);
    }
    branch(child(id, 2), no);
    if (!valid(test)) return;
    if (const auto known = builder_.scalar(test); known && bound.empty()) {
        for (auto effect : *known != 0 ? yes : no)
            (sink.effects != nullptr ? *sink.effects : (*sink.blocks)[sink.block].effects).push_back(effect);
        return;
    }
    ir::Effect effect = new_effect(EffectKind::If, span(id));
    effect.value = test;
    effect.yes = std::move(yes);
    effect.no = std::move(no);
    for (std::size_t k = bound.size(); k-- > 0;) {
        ir::Effect let = new_effect(EffectKind::Let, span(id));
        let.var = bound[k].var;
        let.value = bound[k].value;
        let.yes = {program_.effects.push(std::move(effect))};
        effect = std::move(let);
    }
    push_effect(std::move(effect), sink);
}

// Of several names: the loops over those after the first are its body.
void Effects::for_effect(NodeId id, std::size_t first, const EffectSink& sink) {
    const Names scope(context_);
    const auto parts = children(id);
    std::vector<ir::EffectId> body;
    const auto find_body = [&] {
        if (first + 2 == parts.size()) return branch(parts.back(), body);
        for_effect(id, first + 1, EffectSink{.effects = &body});
    };
    const NodeId binder = parts[first];
    const ExprId domain = valid(binder) ? quantifiers_.binder_domain(binder) : none_id<ExprId>;
    if (!valid(domain)) {
        if (valid(binder)) clauses_.bind_poison_name(binder);
        return find_body();
    }
    const VarId var = quantifiers_.push_binder(binder, domain);
    find_body();
    ir::Effect effect = new_effect(EffectKind::For, span(id));
    effect.value = domain;
    effect.var = var;
    effect.yes = std::move(body);
    push_effect(std::move(effect), sink);
}

// Who writes brackets round a player after `next` may take the effect for the function, the player after that one.
void Effects::check_next_in_brackets(NodeId id) {
    const Span inside = span(child(id, 0)); // without its brackets
    const std::string& text = context_.sources.text(inside.file);
    const std::size_t open = span(id).begin + std::string_view("next").size();
    if (text[open] != '(' || inside.begin == open) return;
    const std::string player = text.substr(inside.begin, inside.end - inside.begin);
    if (is_name(child(id, 0), "me")) {
        error(Message::NextOfMe, span(id), {},
              "the player after `me` is `next(me)`: write `next next(me)`, or `again`");
        return;
    }
    warn(Message::NextOfNext, span(id), {"next(" + player + ")", player},
         fmt::format("for that, write `next {0}`; for the player after that one, `next next({0})`", player));
}

void Effects::next_effect(NodeId id, const EffectSink& sink) {
    const ExprId player =
        conversions_.convert(conversions_.as_element(expressions_.expr(child(id, 0))), program_.player_type);
    if (!valid(player)) return;
    check_next_in_brackets(id);
    ir::Effect effect = new_effect(EffectKind::Next, span(id));
    effect.value = player;
    push_effect(std::move(effect), sink);
}

} // namespace zug::lang
