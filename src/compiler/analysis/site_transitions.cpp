// Three-valued evaluation of a rule's conditions, under the hypothesis that one site holds one value.

#include "compiler/analysis/site_transitions.hpp"

#include <algorithm>

namespace zug::run::proof {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

// Whether a local variable has its initial value: no step so far assigns to it. Notes that this was assumed of the
// beginning of the turn.
bool Proof::is_initial(ir::StateId state) {
    if (!program_.states[state].local || std::ranges::find(assigned_, state) != assigned_.end()) return false;
    from_initial_locals_ = true;
    return true;
}

// The value of a read of the state; nullopt: not known.
std::optional<std::int64_t> Proof::read(Bound e) {
    const auto state = static_cast<ir::StateId>(program_.exprs[e.expr].imm);
    const ir::StateVariable& variable = program_.states[state];
    if (program_.exprs[e.expr].op == Op::StateGet)
        return program_.types.kind(variable.value) != TypeKind::Set && is_initial(state)
                   ? std::optional(program_.types.value(variable.value, variable.initial[0]))
                   : std::nullopt;
    if (state != map_ || !is_site(resolve({program_.argument(e.expr, 0), e.scope}))) return std::nullopt;
    return program_.types.value(type_, ordinal_);
}

// The value of a scalar; nullopt: not known.
std::optional<std::int64_t> Proof::number(Bound e) {
    e = resolve(e);
    if (!valid(e.expr)) return std::nullopt;
    const ir::Expr& x = program_.exprs[e.expr];
    const auto arg = [&](std::size_t i) { return Bound{program_.argument(e.expr, i), e.scope}; };
    switch (x.op) {
    case Op::Const: return x.imm;
    case Op::Me: return me_;
    case Op::StateGet:
    case Op::MapGet: return read(e);
    case Op::NextPlayer:
    case Op::PrevPlayer: {
        const auto p = number(arg(0));
        const std::int64_t n = program_.player_count();
        if (!p || *p == ir::none) return p;
        return (*p + (x.op == Op::NextPlayer ? 1 : n - 1)) % n;
    }
    case Op::Project: {
        const Bound whole = resolve(arg(0));
        const auto tuple = number(whole);
        if (!tuple || *tuple == ir::none) return std::nullopt;
        ir::TypeId type = program_.exprs[whole.expr].type;
        if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
        if (program_.types.kind(type) != TypeKind::Tuple) return std::nullopt;
        return program_.types.project(type, *tuple, static_cast<std::size_t>(x.imm));
    }
    case Op::MakeTuple: {
        const ir::TypeId type =
            program_.types.kind(x.type) == TypeKind::Optional ? program_.types.inner(x.type) : x.type;
        std::uint64_t ordinal = 0;
        for (std::size_t i = 0; i < x.arg_count; ++i) {
            const auto part = number(arg(i));
            const ir::TypeId part_type = program_.types[type].parts[i];
            const auto o = part ? program_.types.ordinal(part_type, *part) : std::nullopt;
            if (!o) return std::nullopt;
            ordinal = ordinal * program_.types.cardinality(part_type) + *o;
        }
        return program_.types.value(type, ordinal);
    }
    case Op::If: {
        const Truth c = holds(arg(0));
        return c == Truth::Unknown ? std::nullopt : number(arg(c == Truth::Yes ? 1 : 2));
    }
    default: return std::nullopt;
    }
}

Truth Proof::holds(Bound e) {
    e = resolve(e);
    if (!valid(e.expr)) return Truth::Unknown;
    const ir::Expr& x = program_.exprs[e.expr];
    const auto arg = [&](std::size_t i) { return Bound{program_.argument(e.expr, i), e.scope}; };
    switch (x.op) {
    case Op::Const: return truth(x.imm != 0);
    case Op::Not: return opposite(holds(arg(0)));
    case Op::And:
    case Op::Or: {
        Truth result = truth(x.op == Op::And);
        for (std::size_t i = 0; i < x.arg_count; ++i)
            result = x.op == Op::And ? both(result, holds(arg(i))) : either(result, holds(arg(i)));
        return result;
    }
    case Op::If: {
        const Truth c = holds(arg(0)), yes = holds(arg(1)), no = holds(arg(2));
        if (c != Truth::Unknown) return c == Truth::Yes ? yes : no;
        return yes == no ? yes : Truth::Unknown;
    }
    case Op::IsNone: {
        const auto n = number(arg(0));
        return n ? truth(*n == ir::none) : Truth::Unknown;
    }
    case Op::Eq: {
        const TypeKind kind = program_.types.kind(program_.exprs[arg(0).expr].type);
        if (kind == TypeKind::Set || kind == TypeKind::Real) return Truth::Unknown;
        const auto a = number(arg(0)), b = number(arg(1));
        return a && b ? truth(*a == *b) : Truth::Unknown;
    }
    case Op::In: return is_site(resolve(arg(0))) ? member(arg(1)) : Truth::Unknown;
    case Op::Exists: return holds(arg(1)) == Truth::No ? Truth::No : Truth::Unknown;
    case Op::Any: return leads_on(arg(0));
    default: return Truth::Unknown;
    }
}

// Whether the site of the hypothesis is a member of the set.
Truth Proof::member(Bound set) {
    set = resolve(set);
    if (!valid(set.expr)) return Truth::Unknown;
    const ir::Expr& x = program_.exprs[set.expr];
    const auto arg = [&](std::size_t i) { return Bound{program_.argument(set.expr, i), set.scope}; };
    switch (x.op) {
    case Op::Universe: return Truth::Yes;
    case Op::Single: return is_site(resolve(arg(0))) ? Truth::Yes : Truth::Unknown;
    case Op::Image: return ends_in(arg(1)) == Truth::No ? Truth::No : Truth::Unknown;
    case Op::Union: return either(member(arg(0)), member(arg(1)));
    case Op::Inter: return both(member(arg(0)), member(arg(1)));
    case Op::Diff: return both(member(arg(0)), opposite(member(arg(1))));
    case Op::SetOf: {
        const Bound item = site_ != nullptr ? *site_ : Bound{};
        const Scope* inner = names_.bind(static_cast<VarId>(x.imm), item, set.scope);
        return both(member(arg(0)), holds(arg(1).expr, inner));
    }
    case Op::If: {
        const Truth c = holds(arg(0)), yes = member(arg(1)), no = member(arg(2));
        if (c != Truth::Unknown) return c == Truth::Yes ? yes : no;
        return yes == no ? yes : Truth::Unknown;
    }
    case Op::StateGet: {
        const auto state = static_cast<ir::StateId>(x.imm);
        if (state == map_) return truth(ordinal_ != 0);
        const auto& initial = program_.states[state].initial;
        const bool empty = std::ranges::all_of(initial, [](auto slot) { return slot == 0; });
        return empty && is_initial(state) ? Truth::No : Truth::Unknown;
    }
    default: return Truth::Unknown;
    }
}

// Whether the path can end at the site of the hypothesis: No or Unknown.
Truth Proof::ends_in(Bound path) {
    path = resolve(path);
    if (!valid(path.expr)) return Truth::Unknown;
    const auto arg = [&](std::size_t i) { return Bound{program_.argument(path.expr, i), path.scope}; };
    switch (program_.exprs[path.expr].op) {
    case Op::Seq: return ends_in(arg(1));
    case Op::Into: return member(arg(1));
    default: return Truth::Unknown;
    }
}

// The walk to a set; nullopt: it is of another form.
std::optional<Proof::Walk> Proof::walk(Bound set) {
    set = resolve(set);
    if (!valid(set.expr)) return std::nullopt;
    const Op op = program_.exprs[set.expr].op;
    if (op == Op::Single) return Walk{resolve({program_.argument(set.expr, 0), set.scope}), {}};
    if (op != Op::Image) return std::nullopt;
    std::optional<Walk> result = walk({program_.argument(set.expr, 0), set.scope});
    if (result && !add_path({program_.argument(set.expr, 1), set.scope}, result->steps)) return std::nullopt;
    return result;
}

// Appends the steps of a path. False: it is not a fixed sequence of steps.
bool Proof::add_path(Bound path, std::vector<Walk::Step>& steps) {
    path = resolve(path);
    if (!valid(path.expr)) return false;
    const auto arg = [&](std::size_t i) { return Bound{program_.argument(path.expr, i), path.scope}; };
    switch (program_.exprs[path.expr].op) {
    case Op::Step: steps.push_back({arg(0), {}}); return true;
    case Op::Seq: return add_path(arg(0), steps) && add_path(arg(1), steps);
    case Op::Into:
        if (!add_path(arg(0), steps) || steps.empty()) return false;
        steps.back().into.push_back(arg(1));
        return true;
    case Op::Power: {
        const auto low = number(arg(1)), high = number(arg(2));
        if (!low || !high || *low != *high || *low < 1 || *low > 8) return false;
        for (std::int64_t k = 0; k < *low; ++k)
            if (!add_path(arg(0), steps)) return false;
        return true;
    }
    default: return false;
    }
}

// Whether the longer walk begins with the directions of the shorter one, from the same site.
bool Proof::leads_past(const Walk& longer, const Walk& shorter) {
    if (shorter.steps.empty() || longer.steps.size() < shorter.steps.size() || !same(longer.from, shorter.from))
        return false;
    for (std::size_t k = 0; k < shorter.steps.size(); ++k)
        if (!same(longer.steps[k].dir, shorter.steps[k].dir)) return false;
    return true;
}

// Whether no direction leads back to a site from which it came.
static bool leads_nowhere_twice(const ir::Board& board) {
    for (std::uint32_t dir = 0; dir < board.dir_count; ++dir) {
        const auto& to = board.steps[static_cast<ir::StepId>(dir)].to;
        for (std::size_t from = 0; from < to.size(); ++from) {
            std::int32_t at = to[from];
            for (std::size_t k = 0; k < to.size() && at >= 0; ++k) at = to[static_cast<std::size_t>(at)];
            if (at >= 0) return false;
        }
    }
    return true;
}

// Whether the site is reached from the other one by steps of one direction, which leads on and on to new ones.
bool Proof::leads_away(Bound site, Bound from) {
    const auto walk_to = [&](Bound e) -> std::optional<Walk> {
        e = resolve(e);
        if (!valid(e.expr)) return std::nullopt;
        if (program_.exprs[e.expr].op == Op::The) return walk({program_.argument(e.expr, 0), e.scope});
        return Walk{e, {}};
    };
    const auto longer = walk_to(site), shorter = walk_to(from);
    if (!longer || !shorter || longer->steps.size() <= shorter->steps.size() || !same(longer->from, shorter->from))
        return false;
    const std::size_t common = shorter->steps.size();
    for (std::size_t k = 0; k < longer->steps.size(); ++k)
        if (!same(longer->steps[k].dir, k < common ? shorter->steps[k].dir : longer->steps[common].dir)) return false;
    const ir::TypeId dir = program_.exprs[longer->steps[common].dir.expr].type;
    return program_.types.kind(dir) == TypeKind::Dir &&
           leads_nowhere_twice(program_.boards[static_cast<ir::BoardId>(program_.types[dir].ref)]);
}

// Whether a walk can reach a member of `set`. No, if it passes through the site of the hypothesis and that site is not
// in a set that the walk must enter there; else Unknown.
Truth Proof::leads_on(Bound set) {
    const Bound site = site_ != nullptr ? resolve(*site_) : Bound{};
    if (!valid(site.expr) || program_.exprs[site.expr].op != Op::The) return Truth::Unknown;
    const auto there = walk({program_.argument(site.expr, 0), site.scope}), past = walk(set);
    if (!there || !past || !leads_past(*past, *there)) return Truth::Unknown;
    const auto& into = past->steps[there->steps.size() - 1].into;
    return std::ranges::any_of(into, [&](Bound s) { return member(s) == Truth::No; }) ? Truth::No : Truth::Unknown;
}

bool Proof::may_hold(const std::vector<ir::Clause>& when, const Scope* scope) {
    return std::ranges::all_of(
        when, [&](const ir::Clause& clause) { return valid(clause.bind) || holds(clause.expr, scope) != Truth::No; });
}

// The values of the map at this site under which no condition of the rule is known to be false, nor of an earlier step
// that the map is as it was at.
Values Proof::can_hold(Bound site, const ir::Rule& rule) {
    Values result = 0;
    site_ = &site;
    for (ordinal_ = 0; ordinal_ < count_; ++ordinal_)
        if (may_hold(rule.when, scope_) &&
            std::ranges::all_of(unchanged_, [&](const Step& step) { return may_hold(step.rule->when, step.scope); }))
            result |= only(ordinal_);
    site_ = nullptr;
    return result;
}

// A parameter is never none. Nor is anything that a condition requires to be a member of a set, or a step of a walk
// that a condition requires to reach one.
bool Proof::never_none(Bound site, const ir::Rule& rule) {
    const Bound p = resolve(site);
    if (!valid(p.expr)) return false;
    if (program_.exprs[p.expr].op == Op::Var && program_.types.kind(program_.exprs[p.expr].type) != TypeKind::Optional)
        return true;
    std::optional<Walk> there;
    if (program_.exprs[p.expr].op == Op::The) there = walk({program_.argument(p.expr, 0), p.scope});
    return std::ranges::any_of(rule.when, [&](const ir::Clause& clause) {
        return !valid(clause.bind) && needs_some({clause.expr, scope_}, p, there);
    });
}

// Whether the condition holds only where this value, or the target of this walk, is not none.
bool Proof::needs_some(Bound condition, Bound value, const std::optional<Walk>& there) {
    condition = resolve(condition);
    if (!valid(condition.expr)) return false;
    const auto arg = [&](std::size_t i) { return Bound{program_.argument(condition.expr, i), condition.scope}; };
    switch (program_.exprs[condition.expr].op) {
    case Op::And:
        return std::ranges::any_of(program_.arguments(condition.expr), [&](ExprId part) {
            return needs_some({part, condition.scope}, value, there);
        });
    case Op::Not: {
        const Bound of = resolve(arg(0));
        return valid(of.expr) && program_.exprs[of.expr].op == Op::IsNone &&
               same({program_.argument(of.expr, 0), of.scope}, value);
    }
    case Op::If: { // `if x is none: false else e`
        const Bound of = resolve(arg(0));
        const ir::Expr& none = program_.exprs[program_.argument(condition.expr, 1)];
        return valid(of.expr) && program_.exprs[of.expr].op == Op::IsNone && none.op == Op::Const && none.imm == 0 &&
               same({program_.argument(of.expr, 0), of.scope}, value);
    }
    case Op::In: return same(arg(0), value);
    case Op::Any: {
        const auto past = walk(arg(0));
        return there && past && leads_past(*past, *there);
    }
    default: return false;
    }
}

void Proof::suppose(const ir::Rule& rule) { scope_ = names_.enter(rule); }

bool Proof::keeps_truth(const ir::Rule& rule, const ir::Effect& assignment, ExprId condition, ExprId site) {
    const Values old = can_hold({assignment.indices[0], scope_}, rule), now = can_be({assignment.value, scope_}, &rule);
    const Bound here{site, nullptr};
    Truth all = Truth::Unknown;
    bool kept = true;
    site_ = &here;
    for (ordinal_ = 0; ordinal_ < count_ && kept; ++ordinal_) {
        if (((old | now) & only(ordinal_)) == 0) continue;
        const Truth here_holds = holds({condition, nullptr});
        kept = here_holds != Truth::Unknown && (all == Truth::Unknown || all == here_holds);
        all = here_holds;
    }
    site_ = nullptr;
    return kept;
}

// The values that an assigned expression can have; with a rule, under its conditions.
Values Proof::can_be(Bound value, const ir::Rule* rule) {
    value = resolve(value);
    const Values all = count_ == most_values ? ~Values{0} : only(count_) - 1;
    if (!valid(value.expr)) return all;
    const ir::Expr& x = program_.exprs[value.expr];
    const auto arg = [&](std::size_t i) { return Bound{program_.argument(value.expr, i), value.scope}; };
    if (x.op == Op::If) return can_be(arg(1), rule) | can_be(arg(2), rule);
    if (x.op == Op::MapGet && static_cast<ir::StateId>(x.imm) == map_)
        return rule != nullptr ? can_hold(arg(0), *rule) : all;
    const auto n = number(value);
    const auto ordinal = n ? program_.types.ordinal(type_, *n) : std::nullopt;
    if (ordinal) return only(*ordinal);
    if (x.op == Op::MakeTuple) return can_be_tuple(value);
    if (is_set_) return all; // the value is a set
    Values result = 0;
    for (std::uint64_t o = 0; o < count_; ++o)
        if (program_.types.ordinal(x.type, program_.types.value(type_, o))) result |= only(o);
    return result;
}

// The tuples that agree with those parts that are known. All parts fit their types, so that none is not among them.
Values Proof::can_be_tuple(Bound tuple) {
    const bool optional = program_.types.kind(type_) == TypeKind::Optional;
    const ir::TypeId type = optional ? program_.types.inner(type_) : type_;
    const ir::Type& parts = program_.types[type];
    const auto args = program_.arguments(tuple.expr);
    if (parts.kind != TypeKind::Tuple || parts.parts.size() != args.size()) return ~Values{0};
    std::vector<std::optional<std::int64_t>> known;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (program_.exprs[args[i]].type != parts.parts[i]) return ~Values{0};
        known.push_back(number({args[i], tuple.scope}));
    }
    Values result = 0;
    for (std::uint64_t o = 0; o < count_; ++o) {
        const std::int64_t value = program_.types.value(type_, o);
        if (value == ir::none) continue;
        bool fits = true;
        for (std::size_t i = 0; i < args.size() && fits; ++i)
            fits = !known[i] || *known[i] == program_.types.project(type, value, i);
        if (fits) result |= only(o);
    }
    return result;
}

} // namespace zug::run::proof
