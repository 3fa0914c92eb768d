#include "compiler/geometry/ray_assignments.hpp"

#include "compiler/geometry/numbered_run.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run {
namespace {

using ir::Effect;
using ir::EffectId;
using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

class RayAssignments {
public:
    explicit RayAssignments(ir::Program& program) : program_(program), runs_(program) {}

    std::uint64_t replaced = 0;

    void replace(std::vector<ir::Block>& blocks) {
        for (ir::Block& block : blocks) replace(block.effects);
    }

private:
    using Effects = std::vector<EffectId>;

    // From the inside out.
    void replace(Effects& list) {
        for (const EffectId id : list) {
            // A copy, since the effects are moved when one is added.
            Effect effect = program_.effects[id];
            replace(effect.yes);
            replace(effect.no);
            if (effect.kind == EffectKind::For && !by_numbers(effect)) over_directions(effect);
            program_.effects[id] = std::move(effect);
        }
    }

    EffectId add(Effect effect) { return program_.effects.push(std::move(effect)); }

    // -- over numbers of steps

    bool by_numbers(Effect& loop) {
        if (loop.yes.size() != 1) return false;
        const Effect test = program_.effects[loop.yes[0]];
        if (test.kind != EffectKind::If || !test.no.empty()) return false;
        const auto run = runs_.find(loop.var, loop.value, parts(program_, test.value, Op::And));
        if (!run || run->low + run->passed < 1) return false;
        const bool up_to = run->tests_reached.empty();
        if (!up_to && !(runs_.reaches_site(*run) && runs_.is_unique(*run))) return false;
        Effects assignments;
        for (const EffectId id : test.yes) {
            const Effect effect = program_.effects[id];
            if (!(up_to ? sets_last(effect, *run, loop.var) : sets_all(effect, *run, loop.var))) return false;
            const Effect& assigns = up_to ? effect : program_.effects[effect.yes[0]];
            const ExprId sites = runs_.passed_sites(*run);
            if (!valid(sites)) return false;
            assignments.push_back(to_set(assigns, sites));
        }
        std::vector<ExprId> conditions = run->others;
        if (!up_to) conditions.push_back(runs_.some_reached(*run));
        if (!up_to && !valid(conditions.back())) return false;
        loop = under(runs_.junction(Op::And, conditions, test.span), std::move(assignments), test.span);
        ++replaced;
        return true;
    }

    EffectId to_set(Effect assignment, ExprId sites) {
        assignment.kind = EffectKind::AssignSet;
        assignment.indices = {sites};
        return add(std::move(assignment));
    }

    static Effect under(ExprId condition, Effects effects, Span span) {
        Effect result;
        result.kind = EffectKind::If;
        result.value = condition;
        result.yes = std::move(effects);
        result.span = span;
        return result;
    }

    // `at[site `distance` after `number`] := v` of the walk.
    bool assigns(const Effect& effect, const NumberedRun& run, VarId number, std::int64_t distance) const {
        if (effect.kind != EffectKind::Assign || effect.indices.size() != 1 || names(program_, effect.value, number) ||
            program_.states[effect.state].indices[0] != program_.vars[run.site].type)
            return false;
        const auto site = runs_.numbered_site(effect.indices[0]);
        return site && runs_.along(*site, run) && runs_.distance_from(site->number, number) == distance;
    }

    // The last of the sites passed.
    bool sets_last(const Effect& effect, const NumberedRun& run, VarId k) const {
        return assigns(effect, run, k, run.passed);
    }

    // `for j in 1..k + passed: at[site j] := v`.
    bool sets_all(const Effect& effect, const NumberedRun& run, VarId k) const {
        if (effect.kind != EffectKind::For || effect.yes.size() != 1) return false;
        const ir::Expr& range = program_.exprs[effect.value];
        if (range.op != Op::IntRange) return false;
        const ir::Expr& low = program_.exprs[program_.argument(effect.value, 0)];
        const ir::Type& type = program_.types[program_.types.inner(range.type)];
        const Effect& inner = program_.effects[effect.yes[0]];
        return low.op == Op::Const && low.imm == 1 && type.lo <= 1 && type.hi >= run.high + run.passed &&
               runs_.distance_from(program_.argument(effect.value, 1), k) == run.passed &&
               !names(program_, inner.value, k) && assigns(inner, run, effect.var, 0);
    }

    // -- over directions

    void over_directions(Effect& loop) {
        const ir::TypeId type = program_.vars[loop.var].type;
        if (program_.types.kind(type) != TypeKind::Dir || !rays_are_disjoint(type)) return;
        Effects assignments;
        if (!merge(loop.yes, loop, loop.value, assignments)) return;
        if (assignments.size() == 1) {
            loop = program_.effects[assignments[0]];
        } else {
            loop = under(runs_.truth(true, loop.span), std::move(assignments), loop.span);
        }
        ++replaced;
    }

    // The assignments of the list, each over the directions of `domain`. False: not all are along rays.
    bool merge(const Effects& list, const Effect& loop, ExprId domain, Effects& result) {
        return std::ranges::all_of(list, [&](EffectId id) {
            const Effect effect = program_.effects[id];
            const ir::TypeId type = program_.exprs[domain].type;
            const auto var = static_cast<std::int64_t>(index(loop.var));
            if (effect.kind == EffectKind::If) {
                if (!effect.no.empty()) return false;
                const ExprId where = runs_.make(Op::SetOf, type, var, {domain, effect.value}, effect.span);
                return merge(effect.yes, loop, where, result);
            }
            if (effect.kind != EffectKind::AssignSet || names(program_, effect.value, loop.var) ||
                !is_along(effect.indices[0], loop.var))
                return false;
            const ir::TypeId sites = program_.exprs[effect.indices[0]].type;
            result.push_back(
                to_set(effect, runs_.make(Op::UnionOver, sites, var, {domain, effect.indices[0]}, effect.span)));
            return true;
        });
    }

    // Whether all members are on the line that leads from one site in this direction.
    bool is_along(ExprId set, VarId direction) const {
        const ir::Expr& x = program_.exprs[set];
        const auto arg = [&](std::size_t i) { return program_.argument(set, i); };
        switch (x.op) {
        case Op::If: return is_along(arg(1), direction) && is_along(arg(2), direction);
        case Op::SetConst: return !program_.set_consts[static_cast<ir::SetConstId>(x.imm)].any();
        case Op::Inter: return is_along(arg(0), direction) || is_along(arg(1), direction);
        case Op::Diff: return is_along(arg(0), direction);
        case Op::Call: return is_call_along(set, direction);
        case Op::Image:
            return program_.exprs[arg(0)].op == Op::Single && !names(program_, arg(0), direction) &&
                   steps_along(arg(1), direction) > 0;
        default: return false;
        }
    }

    // A definition that takes the direction as one argument, and does not name it in another.
    bool is_call_along(ExprId call, VarId direction) const {
        const ir::Function& called = program_.functions[static_cast<ir::FunctionId>(program_.exprs[call].imm)];
        std::optional<VarId> parameter;
        for (std::size_t i = 0; i < called.params.size(); ++i) {
            const ExprId argument = program_.argument(call, i);
            if (!names(program_, argument, direction)) continue;
            if (parameter || !is_name(program_, argument, direction)) return false;
            parameter = called.params[i];
        }
        return parameter && !called.recursive && is_along(called.body, *parameter);
    }

    // The least number of steps of a path that goes in this direction only; -1: it is none.
    std::int64_t steps_along(ExprId path, VarId direction) const {
        const auto arg = [&](std::size_t i) { return program_.argument(path, i); };
        const auto times = [&](std::int64_t once) -> std::int64_t {
            const ir::Expr& low = program_.exprs[arg(1)];
            return once < 0 ? once : low.op == Op::Const ? once * low.imm : 0;
        };
        switch (program_.exprs[path].op) {
        case Op::Step: return is_name(program_, arg(0), direction) ? 1 : -1;
        case Op::Into: return steps_along(arg(0), direction);
        case Op::Power:
        case Op::Closure: return times(steps_along(arg(0), direction));
        case Op::Seq: {
            const std::int64_t first = steps_along(arg(0), direction), then = steps_along(arg(1), direction);
            return first < 0 || then < 0 ? -1 : first + then;
        }
        default: return -1;
        }
    }

    // Whether no site is on the way from another in two directions.
    bool rays_are_disjoint(ir::TypeId type) const {
        const ir::Board& board = program_.boards[static_cast<ir::BoardId>(program_.types[type].ref)];
        const std::size_t sites = board.sites.size();
        for (std::size_t from = 0; from < sites; ++from) {
            Bits met(sites);
            for (std::uint32_t d = 0; d < board.dir_count; ++d) {
                const auto& to = board.steps[static_cast<ir::StepId>(d)].to;
                Bits on_the_way(sites);
                for (std::int32_t at = to[from]; at >= 0; at = to[static_cast<std::size_t>(at)]) {
                    const auto site = static_cast<std::size_t>(at);
                    if (on_the_way.test(site)) break; // it comes round
                    if (met.test(site)) return false;
                    on_the_way.set(site);
                }
                for (std::size_t s = 0; s < sites; ++s)
                    if (on_the_way.test(s)) met.set(s);
            }
        }
        return true;
    }

    ir::Program& program_;
    NumberedRuns runs_;
};

} // namespace

std::uint64_t assign_along_rays(ir::Program& program) {
    RayAssignments assignments(program);
    for (ir::Rule& rule : program.rules) assignments.replace(rule.then);
    if (program.turn) assignments.replace(program.turn->then);
    return assignments.replaced;
}

} // namespace zug::run
