// The second half: what a program declares, its rules, turns and ends.

#include "tests/unit/executor/random_program.hpp"

#include <algorithm>

namespace zug::run {

using ir::ExprId;
using ir::Op;

void RandomProgram::declare() {
    b_.players({"X", "O"});
    b_.program.title = "Random";
    board_ = b_.grid(3, 4);
    b_.program.boards[board_].steps.push(
        {.name = "fold", .to = {4, 4, -1, 7, 2, 2, 6, -1, 8, 0, 11, 1}, .injective = false});
    player_ = b_.program.player_type;
    player_or_none_ = types().optional(player_);
    site_ = types().site(board_);
    site_or_none_ = types().optional(site_);
    sites_ = types().set(site_);
    small_ = types().integer(0, 5);
    numbers_ = types().set(small_);
    dir_ = types().dir(board_);
    path_ = types().path(board_);
    at_ = b_.state("at", {site_}, player_or_none_);
    count_ = b_.state("count", {}, small_);
    score_ = b_.state("score", {player_}, types().integer(-1, 4));
    marked_ = b_.state("marked", {}, sites_);
    spot_ = b_.state("spot", {}, site_or_none_);
    flag_ = b_.state("flag", {}, types().boolean());
    held_ = b_.state("held", {player_}, sites_);
    for (auto id : {at_, score_, marked_, held_})
        for (auto& slot : b_.program.states[id].initial) slot = below(2);
    if (once_in(3)) b_.program.states[spot_].local = true;
    if (once_in(3)) b_.program.states[flag_].local = true;
    if (once_in(2)) b_.program.keeps_last = true;
}

// reach(c) = {c} | union d in c.path: reach(d), and one that is not recursive.
void RandomProgram::functions() {
    const auto c = b_.var("c", site_);
    const auto d = b_.var("d", site_);
    const ExprId single = node(Op::Single, sites_, {b_.ref(c)});
    const ExprId next = node(Op::Image, sites_, {single, path(2)});
    const auto f = b_.program.functions.push({.name = "reach", .params = {c}, .recursive = true});
    const ExprId again = node(Op::Call, sites_, {b_.ref(d)}, static_cast<std::int64_t>(index(f)));
    b_.program.functions[f].body = node(Op::Union, sites_, {single, b_.bind(Op::UnionOver, sites_, d, next, again)});
    const auto e = b_.var("e", site_or_none_);
    scope_.sites = {e};
    const ExprId body = sites(2);
    scope_.sites.clear();
    plain_ = b_.program.functions.push({.name = "plain", .params = {e}, .body = body});
    reach_ = f;
}

ir::EffectId RandomProgram::assignment() {
    using ir::EffectKind;
    switch (below(8)) {
    case 0: return b_.assign(at_, {site(1)}, player(1));
    case 1: return b_.assign(marked_, {}, sites(2));
    case 2: return b_.assign(spot_, {}, site(1));
    case 3: return b_.assign(flag_, {}, truth(1));
    case 4: return b_.assign(held_, {player(1)}, sites(1));
    case 5: return b_.add(score_, {player(1)}, b_.number(static_cast<std::int64_t>(below(3)) - 1));
    case 6:
        return b_.effect({.kind = EffectKind::AssignSet,
                          .state = at_,
                          .indices = {sites(1)},
                          .value = player(1),
                          .yes = {},
                          .no = {},
                          .span = {}});
    default: {
        const bool is_score = once_in(2);
        return b_.effect({.kind = EffectKind::AssignAll,
                          .state = is_score ? score_ : at_,
                          .indices = {},
                          .value = is_score ? b_.constant(small_, below(2)) : player(1),
                          .yes = {},
                          .no = {},
                          .span = {}});
    }
    }
}

ir::EffectId RandomProgram::effect(int depth) {
    using ir::EffectKind;
    if (depth <= 0 || !once_in(3)) return assignment();
    if (once_in(4)) return b_.effect({.kind = EffectKind::Again, .indices = {}, .yes = {}, .no = {}, .span = {}});
    if (once_in(4))
        return b_.effect(
            {.kind = EffectKind::Next, .indices = {}, .value = player(1), .yes = {}, .no = {}, .span = {}});
    if (once_in(2))
        return b_.effect({.kind = EffectKind::If,
                          .indices = {},
                          .value = truth(2),
                          .yes = {effect(depth - 1)},
                          .no = {effect(depth - 1)},
                          .span = {}});
    const auto v = b_.var("f", site_);
    const ExprId domain = sites(1);
    scope_.sites.push_back(v);
    const ir::EffectId inner = effect(depth - 1);
    scope_.sites.pop_back();
    return b_.effect(
        {.kind = EffectKind::For, .indices = {}, .value = domain, .var = v, .yes = {inner}, .no = {}, .span = {}});
}

ir::Block RandomProgram::block() {
    ir::Block block;
    if (once_in(3)) {
        const ExprId value = sites(2);
        const auto v = b_.var("b", sites_);
        block.lets.push_back({.expr = value, .bind = v});
        scope_.sets.push_back(v);
    }
    for (std::uint32_t i = 0; i <= below(2); ++i) block.effects.push_back(effect(2));
    return block;
}

void RandomProgram::rule(std::string name, bool chance) {
    const Scope outer = scope_;
    ir::Rule r{
        .name = std::move(name), .chance = chance, .params = {}, .when = {}, .then = {}, .ensure = {}, .span = {}};
    if (once_in(3)) {
        const ExprId value = once_in(2) ? sites(2) : number(2);
        const auto v = b_.var("w", b_.program.exprs[value].type);
        r.when.push_back({.expr = value, .bind = v});
        (types().kind(b_.program.vars[v].type) == ir::TypeKind::Set ? scope_.sets : scope_.numbers).push_back(v);
    }
    for (std::uint32_t i = below(3); i > 0; --i) {
        const bool is_site = !once_in(3);
        const auto v = b_.var("p", is_site ? site_ : small_);
        r.params.push_back(v);
        (is_site ? scope_.sites : scope_.numbers).push_back(v);
        if (once_in(2)) {
            const ExprId domain = is_site ? sites(2) : numbers(2);
            r.when.push_back({.expr = b_.truth(Op::In, {b_.ref(v), domain})});
        }
    }
    // Without a test at all, most instances would be legal.
    for (std::uint32_t i = below(2) + (chance ? 1 : 0); i > 0; --i) r.when.push_back(test(2));
    if (chance) {
        r.when.push_back({.expr = b_.truth(Op::Eq, {b_.get(count_), b_.number(1)})});
        r.weight = once_in(2) ? number(1) : b_.number(1);
    }
    const ExprId loud = !chance && once_in(2) ? truth(2) : none_id<ExprId>;
    for (std::uint32_t i = 0; i <= below(2); ++i) r.then.push_back(block());
    // Every step is counted, so that random play comes to an end.
    r.then.push_back(
        {.lets = {},
         .effects = {b_.assign(
             count_, {}, b_.node(Op::Min, small_, {b_.number(5), integer(Op::Add, b_.get(count_), b_.number(1))}))}});
    if (!chance && once_in(2)) {
        if (valid(key_) && once_in(2)) {
            const ExprId earlier = b_.integer(Op::Earlier, {}, static_cast<std::int64_t>(index(key_)));
            r.ensure.push_back({.expr = b_.truth(Op::Lt, {earlier, b_.number(1)})});
        } else {
            r.ensure.push_back(test(2));
        }
    }
    scope_ = outer;
    b_.rule(r);
    b_.program.loud.push_back(loud);
}

void RandomProgram::plan() {
    using Repeat = ir::PlanStep::Repeat;
    static constexpr Repeat repeats[] = {Repeat::One, Repeat::Optional, Repeat::Star, Repeat::Plus};
    ir::TurnPlan plan;
    for (std::uint32_t c = 0; c < 2; ++c) {
        ir::PlanChain chain;
        for (std::uint32_t i = 0; i <= c; ++i)
            chain.steps.push_back(
                {.repeat = repeats[below(4)], .rule = static_cast<ir::RuleId>(below(2)), .group = {}});
        if (once_in(3)) chain.most = number(1);
        plan.chains.push_back(std::move(chain));
        plan.alternatives.push_back(c);
    }
    // A step that counts to its own end, so that no turn is endless.
    for (std::size_t r = 0; r < 2; ++r)
        b_.program.rules[static_cast<ir::RuleId>(r)].when.push_back(
            {.expr = b_.truth(Op::Lt, {b_.get(count_), b_.number(4)})});
    if (once_in(3)) plan.by = {.parts = {number(1)}, .maps = {at_}};
    if (once_in(2)) plan.then.push_back({.lets = {}, .effects = {assignment()}});
    b_.program.turn = std::move(plan);
}

void RandomProgram::ends() {
    auto payoffs = [&] { return std::vector<ExprId>{real(2), real(2)}; };
    const ExprId over = b_.truth(Op::Eq, {b_.get(count_), b_.number(5)});
    b_.program.ends.push_back(
        {.condition = b_.truth(Op::And, {truth(3), truth(2), over}), .payoffs = payoffs(), .span = {}});
    if (once_in(2)) {
        std::vector<ExprId> pattern{player(1)};
        for (auto param : b_.program.rules[static_cast<ir::RuleId>(0)].params)
            pattern.push_back(node(Op::Wildcard, b_.program.vars[param].type, {}));
        const ExprId asked = b_.node(Op::Can, types().boolean(), pattern, 0);
        b_.program.ends.push_back({.condition = b_.truth(Op::And, {asked, over}), .payoffs = payoffs(), .span = {}});
    }
    b_.program.ends.push_back({.condition = b_.truth(Op::Stuck, {}), .payoffs = payoffs(), .span = {}});
    if (!once_in(3)) b_.program.ends.push_back({.condition = over, .payoffs = payoffs(), .span = {}});
    b_.program.evals = payoffs();
}

ir::Program RandomProgram::make() {
    declare();
    functions();
    if (once_in(3)) key_ = b_.program.keys.push({.parts = {sites(1)}, .maps = {at_}});
    rule("first", false);
    rule("second", false);
    rule("third", once_in(2));
    if (once_in(3)) plan();
    ends();
    return std::move(b_.program);
}

} // namespace zug::run
