// Candidates along paths: the images or preimages of candidates.

#include "compiler/lower/candidate_finder.hpp"
#include "compiler/lower/path_lowering.hpp"
#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace zug::run {

using ir::Op;

bool CandidateFinder::follow(const Candidate& from, ir::ExprId e, const Walk& walk, Candidates& out) {
    if (graph_.is_empty(from.guard)) return true;
    if (failed() || !lowering_.within_budget() || too_large(out)) return false;
    const Scoped path = resolve(e, walk.in);
    const Walk inside{path.in, walk.lift, walk.back};
    const Op op = expr(path.expr).op;
    const auto arg = [&](std::size_t i) { return program_.argument(path.expr, i); };
    if (!depends(path.expr, path.in) && (op == Op::Step || op == Op::StepsOf || op == Op::Table || op == Op::Converse))
        return follow_constant(from, path, inside, out);
    switch (op) {
    case Op::Seq: return follow_seq(from, path, inside, out);
    case Op::Alt: return follow(from, arg(0), inside, out) && follow(from, arg(1), inside, out);
    case Op::Into: return follow_into(from, path, inside, out);
    case Op::Converse: return follow(from, arg(0), {path.in, walk.lift, !walk.back}, out);
    case Op::If: return follow_if(from, path, inside, out);
    case Op::PathOver:
        return lowering_.lifter().each_member(path, walk.lift, [&](NodeRef is_in, const Context& inner) {
            return follow({from.table, graph_.and_(from.guard, is_in)}, arg(1), {inner, walk.lift, walk.back}, out);
        });
    case Op::Power:
    case Op::Closure: return follow_repeats(from, path, inside, out);
    default: return false;
    }
}

// Along a union of constant steps.
bool CandidateFinder::follow_constant(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out) {
    PathLowering::StepTables steps;
    if (!lowering_.paths().constant_steps(path.expr, path.in, steps)) return false;
    for (const auto& step : steps) {
        if (!walk.back) {
            follow_step(from, step, walk.lift, out);
            continue;
        }
        std::vector<std::int64_t> origin(step.size(), -1);
        for (std::size_t b = 0; b < step.size(); ++b) {
            if (step[b] < 0) continue;
            if (origin[static_cast<std::size_t>(step[b])] >= 0) return false; // from several sites
            origin[static_cast<std::size_t>(step[b])] = static_cast<std::int64_t>(b);
        }
        follow_step(from, origin, walk.lift, out);
    }
    return true;
}

void CandidateFinder::follow_step(const Candidate& from, const std::vector<std::int64_t>& step, const Lift& lift,
                                  Candidates& out) {
    Candidate next{std::vector<std::int64_t>(from.table.size(), undefined), from.guard};
    for (std::size_t b = 0; b < from.table.size(); ++b) {
        if (from.table[b] < 0 || step[static_cast<std::size_t>(from.table[b])] < 0) continue;
        next.table[b] = step[static_cast<std::size_t>(from.table[b])];
    }
    const auto defined = [&](std::size_t b) { return next.table[b] != undefined; };
    next.guard = graph_.and_(next.guard, lowering_.lifter().constant_where(lift, defined));
    add(std::move(next), out);
}

bool CandidateFinder::follow_each(const Candidates& from, ir::ExprId path, const Walk& walk, Candidates& out) {
    return std::ranges::all_of(from, [&](const Candidate& c) { return follow(c, path, walk, out); });
}

bool CandidateFinder::follow_seq(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out) {
    Candidates middle;
    return follow(from, program_.argument(path.expr, walk.back ? 1 : 0), walk, middle) &&
           follow_each(middle, program_.argument(path.expr, walk.back ? 0 : 1), walk, out);
}

bool CandidateFinder::keep_members(const Candidate& candidate, ir::ExprId set, const Walk& walk, Candidates& out) {
    const NodeRef is_in = lowering_.lifter().lift_member(candidate.table, set, walk.in, walk.lift);
    if (is_in == no_node) return false;
    add({candidate.table, graph_.and_(candidate.guard, is_in)}, out);
    return true;
}

bool CandidateFinder::follow_into(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out) {
    const ir::ExprId inner = program_.argument(path.expr, 0), into = program_.argument(path.expr, 1);
    Candidates list;
    if (walk.back) return keep_members(from, into, walk, list) && follow_each(list, inner, walk, out);
    return follow(from, inner, walk, list) &&
           std::ranges::all_of(list, [&](const Candidate& c) { return keep_members(c, into, walk, out); });
}

bool CandidateFinder::follow_if(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out) {
    const NodeRef c = lift_truth(program_.argument(path.expr, 0), path.in, walk.lift);
    if (c == no_node) return false;
    return follow({from.table, graph_.and_(from.guard, c)}, program_.argument(path.expr, 1), walk, out) &&
           follow({from.table, graph_.and_not(from.guard, c)}, program_.argument(path.expr, 2), walk, out);
}

std::optional<std::int64_t> CandidateFinder::constant_number(ir::ExprId e, const Context& in) {
    if (depends(e, in)) return std::nullopt;
    const NodeRef number = eval(e, in);
    return graph_.is_constant(number) ? std::optional(graph_.constant_word(number)) : std::nullopt;
}

// Whether a path leads into the sites at which a map holds what it holds at the lifted variable.
bool CandidateFinder::keeps_value(const Scoped& path, const Lift& lift) {
    if (expr(path.expr).op != Op::Into || depends(program_.argument(path.expr, 0), path.in)) return false;
    const Scoped into = resolve(program_.argument(path.expr, 1), path.in);
    if (expr(into.expr).op != Op::SetOf || depends(program_.argument(into.expr, 0), into.in)) return false;
    const ir::ExprId condition = program_.argument(into.expr, 1);
    if (expr(condition).op != Op::Eq) return false;
    const ir::ExprId a = program_.argument(condition, 0), b = program_.argument(condition, 1);
    const auto is_read = [&](ir::ExprId e) { return expr(e).op == Op::MapGet && expr(e).arg_count == 1; };
    if (!is_read(a) || !is_read(b) || expr(a).imm != expr(b).imm) return false;
    const auto reads_at_member = [&](ir::ExprId read) {
        const ir::Expr& site = expr(program_.argument(read, 0));
        return site.op == Op::Var && site.imm == expr(into.expr).imm;
    };
    const auto reads_at_lifted = [&](ir::ExprId read) {
        const ir::ExprId site = program_.argument(read, 0);
        LiftedScalar t;
        return !reads_at_member(read) && lift_scalar(site, into.in, lift, t) && t.kind == LiftedScalar::Kind::Table &&
               t.table == lowering_.values_by_bit(expr(site).type, lift);
    };
    return (reads_at_member(a) && reads_at_lifted(b)) || (reads_at_member(b) && reads_at_lifted(a));
}

// A further step along such a path is possible where the first is possible from the site that it begins at.
bool CandidateFinder::follow_equals(const Candidate& from, const Candidate& first, const Lift& lift, Candidates& out) {
    Candidate next{std::vector<std::int64_t>(from.table.size(), undefined), no_node};
    for (std::size_t b = 0; b < from.table.size(); ++b)
        if (from.table[b] >= 0) next.table[b] = first.table[static_cast<std::size_t>(from.table[b])];
    const NodeRef possible = lowering_.lifter().preimage(from.table, first.guard, lift.shape, lift);
    if (possible == no_node) return false;
    next.guard = graph_.and_(from.guard, possible);
    add(std::move(next), out);
    return true;
}

// A power or closure, round by round, until nothing new is reached. Only for paths that do not branch, since floods
// have too many candidates.
bool CandidateFinder::follow_repeats(const Candidate& from, const Scoped& path, const Walk& walk, Candidates& out) {
    const auto low = constant_number(program_.argument(path.expr, 1), path.in);
    if (!low) return false;
    std::int64_t high = walk.lift.shape.bits;
    if (expr(path.expr).op == Op::Power) {
        const auto given = constant_number(program_.argument(path.expr, 2), path.in);
        if (!given) return false;
        high = *given;
    }
    const Scoped once = resolve(program_.argument(path.expr, 0), path.in);
    const bool equals = !walk.back && graph_.is_universe(from.guard) && keeps_value(once, walk.lift) &&
                        std::ranges::all_of(std::views::iota(std::size_t{0}, from.table.size()), [&](std::size_t b) {
                            return !walk.lift.is_real(b) || from.table[b] == static_cast<std::int64_t>(b);
                        });
    // What the first step needs is asked of sites that further steps lead to, too.
    Lift lift = walk.lift;
    if (equals) lift.within = no_node;
    Candidates current{from};
    std::optional<Candidate> first; // of the steps to sites with equal values
    for (std::int64_t k = 0; k <= high && !current.empty(); ++k) {
        if (k >= *low) out.insert(out.end(), current.begin(), current.end());
        if (too_large(out)) return false;
        if (k == high) break;
        Candidates next;
        if (first ? !follow_equals(current.front(), *first, lift, next)
                  : !follow_each(current, once.expr, {once.in, lift, walk.back}, next))
            return false;
        if (next.size() > current.size() && k > 0) return false;
        if (equals && k == 0 && next.size() == 1) first = next.front();
        current = std::move(next);
    }
    return true;
}

} // namespace zug::run
