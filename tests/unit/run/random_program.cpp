#include "tests/unit/run/random_program.hpp"

#include <algorithm>

namespace zug::run {

using ir::ExprId;
using ir::Op;
using ir::TypeId;

TypeId RandomProgram::integer_type(std::int64_t lo, std::int64_t hi) {
    return types().integer(std::clamp(lo, ir::int_min, ir::int_max), std::clamp(hi, ir::int_min, ir::int_max));
}

std::pair<std::int64_t, std::int64_t> RandomProgram::range(ExprId id) const {
    const ir::Type& type = b_.program.types[b_.program.exprs[id].type];
    return {type.lo, type.hi};
}

ExprId RandomProgram::leaf_number() {
    if (!scope_.numbers.empty() && once_in(2))
        return b_.ref(scope_.numbers[below(static_cast<std::uint32_t>(scope_.numbers.size()))]);
    if (once_in(2)) return b_.number(static_cast<std::int64_t>(below(7)) - 2);
    return b_.get(count_);
}

ExprId RandomProgram::integer(Op op, ExprId a, ExprId b) {
    const auto [alo, ahi] = range(a);
    const auto [blo, bhi] = range(b);
    const std::int64_t most = std::max({std::abs(alo), std::abs(ahi), std::abs(blo), std::abs(bhi)});
    TypeId type = integer_type(-most, most);
    if (op == Op::Add) type = integer_type(alo + blo, ahi + bhi);
    if (op == Op::Sub) type = integer_type(alo - bhi, ahi - blo);
    if (op == Op::Mul) type = integer_type(-most * most, most * most);
    if (op == Op::Min) type = integer_type(std::min(alo, blo), std::min(ahi, bhi));
    if (op == Op::Max) type = integer_type(std::max(alo, blo), std::max(ahi, bhi));
    return node(op, type, {a, b});
}

ExprId RandomProgram::arithmetic(int depth) {
    static constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Min, Op::Max};
    const ExprId a = number(depth - 1);
    const ExprId b = number(depth - 1);
    // Products of products would leave the range of machine words that intervals are worked out in.
    const auto most = [&](ExprId e) { return std::max(std::abs(range(e).first), std::abs(range(e).second)); };
    const Op op = ops[below(7)];
    return integer(most(a) > 10'000 || most(b) > 10'000 ? Op::Min : op, a, b);
}

// SumOver, MinOver and MaxOver.
ExprId RandomProgram::fold(int depth) {
    const auto v = b_.var("v", site_);
    const ExprId domain = sites(depth - 1);
    scope_.sites.push_back(v);
    const ExprId body = number(depth - 1);
    scope_.sites.pop_back();
    const auto [lo, hi] = range(body);
    const auto count = static_cast<std::int64_t>(types().cardinality(site_));
    if (once_in(2))
        return b_.bind(Op::SumOver,
                       integer_type(std::min<std::int64_t>(0, lo * count), std::max<std::int64_t>(0, hi * count)), v,
                       domain, body);
    return b_.bind(once_in(2) ? Op::MinOver : Op::MaxOver, integer_type(lo, hi), v, domain, body);
}

ExprId RandomProgram::number(int depth) {
    if (depth <= 0) return leaf_number();
    const auto sites_count = static_cast<std::int64_t>(types().cardinality(site_));
    switch (below(9)) {
    case 0: return node(Op::Count, integer_type(0, sites_count), {sites(depth - 1)});
    case 1: return b_.get(score_, {player(depth - 1)});
    case 2: return node(Op::CoordX, integer_type(0, 3), {site(depth - 1)});
    case 3: return node(Op::Number, integer_type(0, sites_count), {site(depth - 1)});
    case 4: return fold(depth);
    case 5: return choice(truth(depth - 1), number(depth - 1), number(depth - 1));
    case 6: return node(Op::Neg, integer_type(-5, 5), {b_.get(count_)});
    default: return arithmetic(depth);
    }
}

ExprId RandomProgram::choice(ExprId condition, ExprId yes, ExprId no) {
    const auto [alo, ahi] = range(yes);
    const auto [blo, bhi] = range(no);
    const bool is_int = types().kind(b_.program.exprs[yes].type) == ir::TypeKind::Int;
    const TypeId type = is_int ? integer_type(std::min(alo, blo), std::max(ahi, bhi)) : b_.program.exprs[yes].type;
    return node(Op::If, type, {condition, yes, no});
}

ExprId RandomProgram::real(int depth) {
    if (depth <= 0 || once_in(3)) return node(Op::ToReal, types().real(), {number(depth)});
    static constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::Div};
    if (once_in(4)) return node(Op::If, types().real(), {truth(depth - 1), real(depth - 1), b_.real(0.5)});
    return node(ops[below(6)], types().real(), {real(depth - 1), b_.real(0.25 * below(9))});
}

ExprId RandomProgram::site(int depth) {
    if (!scope_.sites.empty() && !once_in(3))
        return b_.ref(scope_.sites[below(static_cast<std::uint32_t>(scope_.sites.size()))]);
    if (depth <= 0) {
        if (once_in(6)) return b_.constant(site_or_none_, ir::none);
        if (once_in(3)) return b_.get(spot_);
        return b_.constant(site_, below(static_cast<std::uint32_t>(types().cardinality(site_))));
    }
    switch (below(4)) {
    case 0: return node(Op::The, site_or_none_, {sites(depth - 1)});
    case 1: return node(Op::SiteAt, site_or_none_, {number(depth - 1), number(depth - 1)});
    case 2: return node(Op::SiteNumber, site_or_none_, {number(depth - 1)});
    default: return node(Op::If, site_or_none_, {truth(depth - 1), site(depth - 1), site(depth - 1)});
    }
}

ExprId RandomProgram::player(int depth) {
    if (!scope_.players.empty() && once_in(2))
        return b_.ref(scope_.players[below(static_cast<std::uint32_t>(scope_.players.size()))]);
    if (depth <= 0) return once_in(2) ? node(Op::Me, player_, {}) : b_.constant(player_, below(2));
    switch (below(3)) {
    case 0: return b_.node(Op::MapGet, player_or_none_, {site(depth - 1)}, static_cast<std::int64_t>(index(at_)));
    case 1: return node(once_in(2) ? Op::NextPlayer : Op::PrevPlayer, player_or_none_, {player(depth - 1)});
    default: return player(depth - 1);
    }
}

ExprId RandomProgram::over(Op op, TypeId type, ExprId (RandomProgram::*body)(int), int depth) {
    const auto v = b_.var("v", site_);
    const ExprId domain = sites(depth - 1);
    scope_.sites.push_back(v);
    const ExprId inner = (this->*body)(depth - 1);
    scope_.sites.pop_back();
    return b_.bind(op, type, v, domain, inner);
}

// A name for a number, a set or a path.
ExprId RandomProgram::let(TypeId type, ExprId (RandomProgram::*body)(int), int depth) {
    const auto kind = below(3);
    const ExprId value = kind == 0 ? number(depth - 1) : kind == 1 ? sites(depth - 1) : path(depth - 1);
    const auto v = b_.var("l", b_.program.exprs[value].type);
    auto& names = kind == 0 ? scope_.numbers : kind == 1 ? scope_.sets : scope_.paths;
    names.push_back(v);
    const ExprId inner = (this->*body)(depth - 1);
    names.pop_back();
    return node(Op::Let, type, {value, inner}, static_cast<std::int64_t>(index(v)));
}

ExprId RandomProgram::call(int depth) {
    const auto f = once_in(2) ? reach_ : plain_;
    if (!valid(f)) return sites(depth - 1);
    return node(Op::Call, sites_, {node(Op::The, site_or_none_, {sites(depth - 1)})},
                static_cast<std::int64_t>(index(f)));
}

ExprId RandomProgram::sites(int depth) {
    if (depth <= 0) {
        if (!scope_.sets.empty() && once_in(2))
            return b_.ref(scope_.sets[below(static_cast<std::uint32_t>(scope_.sets.size()))]);
        if (once_in(2)) return b_.get(marked_);
        if (once_in(4)) return node(Op::Universe, sites_, {});
        return b_.set_const(sites_, {below(4), 4 + below(4), 8 + below(4)});
    }
    switch (below(12)) {
    case 0: return node(Op::Single, sites_, {site(depth - 1)});
    case 1: return node(Op::Union, sites_, {sites(depth - 1), sites(depth - 1)});
    case 2: return node(Op::Inter, sites_, {sites(depth - 1), sites(depth - 1)});
    case 3: return node(Op::Diff, sites_, {sites(depth - 1), sites(depth - 1)});
    case 4: return over(Op::UnionOver, sites_, &RandomProgram::sites, depth);
    case 5: return node(Op::If, sites_, {truth(depth - 1), sites(depth - 1), sites(depth - 1)});
    case 6: return let(sites_, &RandomProgram::sites, depth);
    case 7: return call(depth);
    case 8: return b_.node(Op::MapGet, sites_, {player(depth - 1)}, static_cast<std::int64_t>(index(held_)));
    case 9: return node(Op::Image, sites_, {sites(depth - 1), path(depth - 1)});
    default: return over(Op::SetOf, sites_, &RandomProgram::truth, depth);
    }
}

ExprId RandomProgram::numbers(int depth) {
    const ExprId span = node(Op::IntRange, numbers_, {number(depth - 1), number(depth - 1)});
    if (once_in(2)) return span;
    const TypeId wider = types().set(types().integer(-3, 8));
    return node(Op::Retype, numbers_, {node(Op::IntRange, wider, {number(depth - 1), b_.number(6)})});
}

ExprId RandomProgram::directions() {
    if (once_in(3)) return node(Op::Universe, types().set(dir_), {});
    return b_.set_const(types().set(dir_), {below(2), 2 + below(2)});
}

ExprId RandomProgram::path(int depth) {
    if (depth <= 0 || once_in(5)) {
        if (!scope_.paths.empty() && once_in(2))
            return b_.ref(scope_.paths[below(static_cast<std::uint32_t>(scope_.paths.size()))]);
        if (once_in(3)) return node(Op::StepsOf, path_, {directions()});
        if (once_in(3)) return node(Op::Table, path_, {}, below(5));
        return node(Op::Step, path_, {b_.constant(dir_, below(4))});
    }
    switch (below(9)) {
    case 0: return node(Op::Seq, path_, {path(depth - 1), path(depth - 1)});
    case 1: return node(Op::Alt, path_, {path(depth - 1), path(depth - 1)});
    case 2:
    case 3: return node(Op::Into, path_, {path(depth - 1), sites(depth - 1)});
    case 4: return node(Op::Converse, path_, {path(depth - 1)});
    case 5: {
        const auto low = static_cast<std::int64_t>(below(3));
        return node(Op::Power, path_,
                    {path(depth - 1), b_.number(low), once_in(3) ? number(0) : b_.number(low + below(3))});
    }
    case 6: return node(Op::Closure, path_, {path(depth - 1), b_.number(below(3))});
    case 7: {
        const auto d = b_.var("d", dir_);
        const ExprId step = node(Op::Step, path_, {b_.ref(d)});
        const ExprId more = node(Op::Into, path_, {step, sites(depth - 1)});
        const ExprId body = once_in(2) ? node(Op::Seq, path_, {node(Op::Closure, path_, {more, b_.number(0)}), step})
                                       : node(Op::Seq, path_, {more, more});
        return b_.bind(Op::PathOver, path_, d, directions(), body);
    }
    default: return node(Op::If, path_, {truth(depth - 1), path(depth - 1), path(depth - 1)});
    }
}

ExprId RandomProgram::truth(int depth) {
    if (depth <= 0) return once_in(2) ? b_.get(flag_) : b_.truth(Op::Any, {sites(0)});
    switch (below(14)) {
    case 0: return b_.truth(Op::Not, {truth(depth - 1)});
    case 1: return b_.truth(Op::And, {truth(depth - 1), truth(depth - 1), truth(depth - 1)});
    case 2: return b_.truth(Op::Or, {truth(depth - 1), truth(depth - 1)});
    case 3: return b_.truth(Op::Eq, {number(depth - 1), number(depth - 1)});
    case 4: return b_.truth(Op::Lt, {number(depth - 1), number(depth - 1)});
    case 5: return b_.truth(Op::Eq, {player(depth - 1), player(depth - 1)});
    case 6: return b_.truth(Op::Eq, {sites(depth - 1), sites(depth - 1)});
    case 7: return b_.truth(Op::IsNone, {b_.get(at_, {site(depth - 1)})});
    case 8: return b_.truth(Op::In, {site(depth - 1), sites(depth - 1)});
    case 9: return b_.truth(Op::In, {number(depth - 1), numbers(depth)});
    case 10: return over(Op::Exists, types().boolean(), &RandomProgram::truth, depth);
    case 11: return over(Op::ForAll, types().boolean(), &RandomProgram::truth, depth);
    case 12: return b_.truth(Op::Lt, {real(depth - 1), real(depth - 1)});
    default: return let(types().boolean(), &RandomProgram::truth, depth);
    }
}

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
