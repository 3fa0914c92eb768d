#include "compiler/recursion/recursive_walks.hpp"

#include "compiler/recursion/recursive_calls.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

// From the site that the definition is asked of to the one at hand.
struct Way {
    ExprId path = none_id<ExprId>; // none_id: they are the same site
    ExprId into = none_id<ExprId>; // a set that the latter is in; none_id: any
};

// The site at hand: where it is, its name, and what holds of it.
struct Here {
    Way way;
    VarId site;
    bool is_second = false; // a step from where the definition is asked of
    std::vector<ExprId> conditions = {};
};

class RecursiveWalk {
public:
    RecursiveWalk(ir::Program& program, ir::FunctionId id)
        : program_(program), builder_(program), id_(id), span_(program.exprs[program.functions[id].body].span) {}

    bool follow() {
        const ir::Function function = program_.functions[id_];
        set_ = program_.exprs[function.body].type;
        const std::vector<std::size_t> varying = varying_arguments(program_, id_);
        if (program_.types.kind(set_) != TypeKind::Set || varying.size() != 1) return false;
        varies_ = varying.front();
        start_ = function.params[varies_];
        const ir::TypeId start = program_.vars[start_].type;
        const ir::Type& site = program_.types[program_.types.inner(set_)];
        from_set_ = start == set_;
        if (site.kind != TypeKind::Site || (!from_set_ && program_.types.inner(set_) != start)) return false;
        path_ = program_.types.path(static_cast<ir::BoardId>(site.ref));
        if (!decompose(function.body, {{}, start_}) || steps_.empty() || ends_.empty()) return false;
        if (invariant_ && alike_steps_ != steps_.size()) return false;
        program_.functions[id_].body = whole();
        program_.functions[id_].recursive = false;
        return true;
    }

private:
    ExprId make(Op op, ir::TypeId type, const std::vector<ExprId>& args, std::int64_t imm = 0) {
        return builder_.make(op, type, imm, args, span_);
    }
    ExprId arg(ExprId e, std::size_t i) const { return program_.argument(e, i); }
    const ir::Expr& expr(ExprId e) const { return program_.exprs[e]; }
    bool names(ExprId e, VarId var) const { return run::names(program_, e, var); }
    bool is_recursive(ExprId e) const {
        const ir::Expr& x = expr(e);
        return x.op == Op::Call && program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive;
    }
    bool recurs(ExprId e) const {
        return is_recursive(e) || std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return recurs(a); });
    }

    // -- ways

    ExprId finished(const Way& way) { return valid(way.into) ? make(Op::Into, path_, {way.path, way.into}) : way.path; }
    Way into(const Way& way, ExprId set) {
        return {way.path, valid(way.into) ? make(Op::Inter, set_, {way.into, set}) : set};
    }
    Way then(const Way& way, ExprId path) {
        if (!valid(way.path) && !valid(way.into)) return {path};
        if (valid(way.path)) return {make(Op::Seq, path_, {finished(way), path})};
        const ExprId back = make(Op::Converse, path_, {path}); // those steps that begin in the set
        return {make(Op::Converse, path_, {make(Op::Into, path_, {back, way.into})})};
    }
    ExprId those(VarId var, const std::vector<ExprId>& conditions) {
        return make(Op::SetOf, set_, {make(Op::Universe, set_, {}), builder_.junction(Op::And, conditions, span_)},
                    static_cast<std::int64_t>(index(var)));
    }

    // From the site at hand on to the members of a set.
    std::optional<Way> along(ExprId set, const Here& here) {
        if (expr(set).type != set_ || recurs(set)) return std::nullopt;
        switch (expr(set).op) {
        case Op::Var: return from_set_ && is_name(program_, set, here.site) ? std::optional(here.way) : std::nullopt;
        case Op::Single: {
            const ExprId one = arg(set, 0);
            if (is_name(program_, one, here.site)) return here.way;
            return expr(one).op == Op::The && leads_to_one(program_, arg(one, 0)) ? along(arg(one, 0), here)
                                                                                  : std::nullopt;
        }
        case Op::Image: {
            if (names(arg(set, 1), here.site)) return std::nullopt;
            const auto from = along(arg(set, 0), here);
            return from ? std::optional(then(*from, arg(set, 1))) : from;
        }
        case Op::Inter:
            for (std::size_t i = 0; i < 2; ++i)
                if (const ExprId other = arg(set, 1 - i); !names(other, here.site)) {
                    const auto to = along(arg(set, i), here);
                    return to ? std::optional(into(*to, other)) : to;
                }
            return into_alike(set, here);
        case Op::Diff: {
            if (names(arg(set, 1), here.site)) return std::nullopt;
            const auto to = along(arg(set, 0), here);
            return to ? std::optional(into(*to, without(arg(set, 1)))) : to;
        }
        case Op::SetOf: {
            const auto var = static_cast<VarId>(expr(set).imm);
            const auto to = along(arg(set, 0), here);
            if (!to || !may_be_said(arg(set, 1), var, here)) return std::nullopt;
            return into(*to, those(var, {arg(set, 1)}));
        }
        case Op::UnionOver: {
            const auto var = static_cast<VarId>(expr(set).imm);
            if (names(arg(set, 0), here.site)) {
                const auto to = along(arg(set, 0), here);
                return to && !names(arg(set, 1), here.site) ? along(arg(set, 1), {*to, var}) : std::nullopt;
            }
            const auto step = along(arg(set, 1), {{}, here.site});
            if (!step || !valid(step->path)) return std::nullopt;
            return then(here.way, make(Op::PathOver, path_, {arg(set, 0), finished(*step)}, expr(set).imm));
        }
        default: return std::nullopt;
        }
    }
    // From the site at hand into sites that have something in common with it, as in `c.adj & at.(at[c])`.
    std::optional<Way> into_alike(ExprId both, const Here& here) {
        for (std::size_t i = 0; i < 2; ++i) {
            const ExprId other = arg(both, 1 - i);
            if (expr(other).op != Op::SetOf || expr(arg(other, 0)).op != Op::Universe) continue;
            const auto to = along(arg(both, i), here);
            const auto var = static_cast<VarId>(expr(other).imm);
            if (to && may_be_said(arg(other, 1), var, here)) return into(*to, those(var, {arg(other, 1)}));
        }
        return std::nullopt;
    }
    ExprId without(ExprId set) { return make(Op::Diff, set_, {make(Op::Universe, set_, {}), set}); }

    // Whether a condition on a site that a step leads to does not name the site at hand; or says that something is the
    // same of both, as `at[n] = at[c]` does. If each step says so, it is the same of the first site, too.
    bool may_be_said(ExprId condition, VarId var, const Here& here) {
        for (const ExprId part : parts(program_, condition, Op::And)) {
            if (!names(part, here.site)) continue;
            if (from_set_ || here.site != start_ || expr(part).op != Op::Eq) return false;
            const bool left = names(arg(part, 0), var);
            const ExprId there = arg(part, left ? 0 : 1), same = arg(part, left ? 1 : 0);
            if (names(there, here.site) || names(same, var) || !alike_renamed(program_, there, var, same, start_))
                return false;
            if (invariant_ && !alike(program_, *invariant_, same)) return false;
            invariant_ = same;
            says_invariant_ = true;
        }
        return true;
    }

    // Those conditions on the site at hand that are about the only site of `next` become conditions on that; the others
    // narrow the way to the site at hand.
    std::optional<Way> on(ExprId next, Here here) {
        if (here.site != start_ && names(next, start_)) return std::nullopt; // the start would be another one
        std::vector<ExprId> sets, left;
        for (const ExprId condition : here.conditions) {
            const auto kept = of_next(condition, next, true);
            if (!kept || (valid(*kept) && names(*kept, here.site)))
                left.push_back(condition);
            else if (valid(*kept))
                sets.push_back(*kept);
        }
        if (!left.empty()) here.way = into(here.way, those(here.site, left));
        auto result = along(next, here);
        for (const ExprId set : sets)
            if (result) result = into(*result, set);
        return result;
    }
    // The set that the only site of `next` is in, if the condition says that (none_id: it says that there is one),
    // given that there is one. Nothing: it says something else.
    std::optional<ExprId> of_next(ExprId condition, ExprId next, bool holds) {
        while (expr(next).op == Op::Diff || expr(next).op == Op::Inter || expr(next).op == Op::SetOf)
            next = arg(next, expr(next).op == Op::Inter && !leads_to_one(program_, arg(next, 0)) ? 1 : 0);
        if (expr(next).op == Op::Single && expr(arg(next, 0)).op == Op::The) next = arg(arg(next, 0), 0);
        const ir::Expr& x = expr(condition);
        if (!leads_to_one(program_, next)) return std::nullopt;
        if (x.op == Op::Not) return of_next(arg(condition, 0), next, !holds);
        if (x.op == Op::Any && holds && alike(program_, arg(condition, 0), next)) return none_id<ExprId>;
        const auto is_next = [&](ExprId e) { return expr(e).op == Op::The && alike(program_, arg(e, 0), next); };
        if (x.op == Op::IsNone && !holds && is_next(arg(condition, 0))) return none_id<ExprId>;
        if (x.op == Op::In && expr(arg(condition, 1)).type == set_ && is_next(arg(condition, 0)))
            return holds ? arg(condition, 1) : without(arg(condition, 1));
        if (x.op != Op::And || holds) return std::nullopt;
        // Not all: not the one of them that does not hold anyway.
        std::optional<ExprId> only;
        for (const ExprId part : parts(program_, condition, Op::And)) {
            const auto one = of_next(part, next, true);
            if (!one || (valid(*one) && only)) return std::nullopt;
            if (valid(*one)) only = without(*one);
        }
        return only;
    }

    // -- what the definition says

    bool decompose(ExprId e, const Here& here) {
        if (!recurs(e)) return add_end(e, here);
        switch (expr(e).op) {
        case Op::Union: return decompose(arg(e, 0), here) && decompose(arg(e, 1), here);
        case Op::If: {
            if (from_set_ && here.site == start_) return false; // its conditions are not about single sites
            const ExprId condition = arg(e, 0);
            const bool of_both = here.site != start_ && names(condition, start_), said = says_invariant_;
            if (recurs(condition)) return false;
            if (of_both &&
                (!here.is_second || !is_empty(arg(e, 2)) || !may_be_said(condition, here.site, {{}, start_})))
                return false;
            Here yes = here, no = here;
            for (const ExprId part : parts(program_, condition, Op::And)) yes.conditions.push_back(part);
            no.conditions.push_back(builder_.not_(condition));
            const bool ok = decompose(arg(e, 1), yes);
            says_invariant_ = said;
            return ok && (of_both || decompose(arg(e, 2), no));
        }
        case Op::Let: return decompose_let(e, here);
        case Op::UnionOver: return decompose_each(e, here);
        case Op::Call: return add_step(arg(e, varies_), here);
        default: return false;
        }
    }

    // The value of a name where it is not none, as a step that is not there leads nowhere; any other is written out.
    bool decompose_let(ExprId e, const Here& here) {
        const ExprId value = arg(e, 0);
        const auto var = static_cast<VarId>(expr(e).imm);
        if (recurs(value)) return false;
        const auto cases = none_case(program_, e);
        if (cases && expr(value).op == Op::The && is_empty(cases->none) && expr(arg(value, 0)).type == set_)
            return decompose_from(make(Op::Single, set_, {value}), var, cases->some, here);
        Substitution write_out(program_, false);
        write_out.name(var, value);
        const ExprId body = write_out(arg(e, 1));
        return valid(body) && decompose(body, here);
    }
    bool is_empty(ExprId set) const {
        const ir::Expr& x = expr(set);
        return x.op == Op::SetConst && !program_.set_consts[static_cast<ir::SetConstId>(x.imm)].any();
    }

    bool decompose_each(ExprId e, const Here& here) {
        const auto var = static_cast<VarId>(expr(e).imm);
        const ExprId domain = arg(e, 0), body = arg(e, 1);
        if (recurs(domain)) return false;
        if (names(domain, here.site)) return decompose_from(domain, var, body, here);
        // Over something else than sites, as `union d in ortho: reach(c.d)` is.
        const std::size_t steps = steps_.size(), ends = ends_.size();
        if (valid(here.way.path) || !decompose(body, here)) return false;
        return along_each(domain, var, steps_, steps) && along_each(domain, var, ends_, ends);
    }

    // Ways from `first` on, each for all values of the variable.
    bool along_each(ExprId domain, VarId var, std::vector<Way>& ways, std::size_t first) {
        for (std::size_t i = first; i < ways.size(); ++i) {
            if (!valid(ways[i].path)) return false;
            ways[i] = {make(Op::PathOver, path_, {domain, finished(ways[i])}, static_cast<std::int64_t>(index(var)))};
        }
        return true;
    }

    bool decompose_from(ExprId domain, VarId var, ExprId body, const Here& here) {
        const bool said = std::exchange(says_invariant_, false);
        const auto to = on(domain, here);
        const bool is_first = here.site == start_;
        const bool ok = to && (is_first || !names(body, here.site)) && decompose(body, {*to, var, is_first});
        says_invariant_ = said;
        return ok;
    }

    bool add_step(ExprId site, const Here& here) {
        // What may be none is a name that is known not to be, or a step that leads nowhere then.
        if (expr(site).type != program_.vars[start_].type && !is_name(program_, site, here.site) &&
            expr(site).op != Op::The)
            return false;
        const auto to = on(from_set_ ? site : make(Op::Single, set_, {site}), here);
        if (!to || !valid(to->path)) return false;
        steps_.push_back(*to);
        alike_steps_ += says_invariant_ ? 1 : 0;
        return true;
    }

    bool add_end(ExprId set, const Here& here) {
        if (is_empty(set)) return true;
        const bool said = std::exchange(says_invariant_, false);
        const auto to = on(set, here);
        const bool ok = to && !says_invariant_;
        says_invariant_ = said;
        if (ok) ends_.push_back(*to);
        return ok;
    }

    // -- the whole

    // Those that lead the same way become one, into the union of their sets.
    void merge(std::vector<Way>& ways) {
        std::vector<Way> merged;
        for (const Way& way : ways) {
            const auto same = std::ranges::find_if(merged, [&](const Way& other) {
                if (!valid(way.path) || !valid(other.path)) return valid(way.path) == valid(other.path);
                return alike(program_, way.path, other.path);
            });
            if (same == merged.end())
                merged.push_back(way);
            else if (!valid(same->into) || !valid(way.into))
                same->into = none_id<ExprId>;
            else if (!alike(program_, same->into, way.into))
                same->into = make(Op::Union, set_, {same->into, way.into});
        }
        ways = std::move(merged);
    }

    ExprId whole() {
        merge(steps_);
        merge(ends_);
        ExprId step = none_id<ExprId>;
        for (const Way& way : steps_) step = valid(step) ? make(Op::Alt, path_, {step, finished(way)}) : finished(way);
        ExprId start =
            builder_.make(Op::Var, program_.vars[start_].type, static_cast<std::int64_t>(index(start_)), {}, span_);
        if (!from_set_) start = make(Op::Single, set_, {start});
        // The numbers 0 and 1 as truths: the layout of the state knows the types of the checked program only, and this
        // is one that every program has.
        const auto steps = [&](bool some) { return make(Op::Closure, path_, {step, builder_.truth(some, span_)}); };
        ExprId result = none_id<ExprId>;
        for (const Way& end : ends_) {
            ExprId path = none_id<ExprId>;
            if (!valid(end.path))
                path = steps(false);
            else if (alike(program_, finished(end), step))
                path = steps(true);
            else
                path = make(Op::Seq, path_, {steps(false), end.path});
            if (valid(end.into) && !(valid(end.path) && alike(program_, finished(end), step)))
                path = make(Op::Into, path_, {path, end.into});
            const ExprId there = make(Op::Image, set_, {start, path});
            result = valid(result) ? make(Op::Union, set_, {result, there}) : there;
        }
        return result;
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
    ir::FunctionId id_;
    Span span_;
    ir::TypeId set_{}, path_{};
    std::size_t varies_ = 0; // the parameter
    VarId start_{};
    bool from_set_ = false; // it is a set of sites, and no site
    std::vector<Way> steps_, ends_;
    std::optional<ExprId> invariant_; // what is the same of all sites on a way
    bool says_invariant_ = false;     // the step at hand
    std::size_t alike_steps_ = 0;     // steps that say so
};

} // namespace

bool follow_recursion(ir::Program& program, ir::FunctionId id) { return RecursiveWalk(program, id).follow(); }

} // namespace zug::run
