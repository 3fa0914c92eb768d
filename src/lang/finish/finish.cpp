// Checks and facts of the whole program.

#include "lang/finish/finish.hpp"

#include "lang/finish/missing_places.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/rules/ends.hpp"

#include <algorithm>

namespace zug::lang {

void Finish::check() {
    if (!ends_.has_end() && !context_.damaged) error(Message::NoEnd, context_.whole_file);
    if (program_.rules.empty() && !context_.damaged) error(Message::NoRules, context_.whole_file);
    warn_unused();
    if (!context_.damaged) warn_of_missing_places();
    check_recursion();
    check_can_cycles();
    check_stuck();
    check_questions();
}

void Finish::complete() {
    find_assigned();
    number_steps();
    if (program_.players.size() > 1) find_keeps_last();
}

void Finish::find_assigned() {
    for (const auto& effect : program_.effects) {
        using ir::EffectKind;
        if (effect.kind == EffectKind::Assign || effect.kind == EffectKind::Add ||
            effect.kind == EffectKind::AssignSet || effect.kind == EffectKind::AssignAll)
            program_.states[effect.state].assigned = true;
    }
}

void Finish::number_steps() {
    for (auto& rule : program_.rules) {
        rule.code_count = 1;
        for (VarId param : rule.params) rule.code_count *= types().cardinality(program_.vars[param].type);
        rule.first_code = program_.code_count;
        program_.code_count += rule.code_count;
    }
}

// The state has to record who moved last if the turn can pass other than to the next player, and something depends on
// it.
void Finish::find_keeps_last() {
    const bool turns = std::ranges::any_of(program_.effects, [](const ir::Effect& effect) {
        return effect.kind == ir::EffectKind::Again || effect.kind == ir::EffectKind::Next;
    });
    if (!turns) return;
    const auto asks = [&](ExprId id) { return valid(id) && builder_.facts(id).uses_me; };
    bool asked = false;
    for (const auto& end : program_.ends) asked |= asks(end.condition) || std::ranges::any_of(end.payoffs, asks);
    for (ExprId eval : program_.evals) asked |= asks(eval);
    if (program_.bound) asked |= asks(program_.bound->moves) || asks(program_.bound->payoff);
    for (const auto& test : program_.tests)
        for (const auto& item : test.items) asked |= asks(item.expr);
    program_.keeps_last = asked;
}

void Finish::warn_unused() {
    for (const auto& d : symbols_.declarations()) {
        if (d->prelude || d->used) continue;
        switch (d->kind) {
        case DeclKind::Param:
        case DeclKind::Alias:
        case DeclKind::Enum:
        case DeclKind::Group: warn(Message::UnusedName, d->span, {d->name}); break;
        default: break;
        }
    }
}

void Finish::warn_of_missing_places() {
    ir::Work work{.left = 2'000'000}; // some 40 ms
    const std::vector<std::uint32_t> initial = initial_slots(program_);
    for (const auto& rule : program_.rules)
        for (const ir::EffectId id : missing_places(builder_, program_, rule, initial, work))
            warn(Message::MayBeMissing, program_.effects[id].span, {},
                 "a condition such as `t in empty` or `some t`, of this site, leaves such moves out");
}

} // namespace zug::lang
