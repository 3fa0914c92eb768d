#include "compiler/geometry/lines_between.hpp"

#include "compiler/analysis/dependence.hpp"
#include "compiler/analysis/substitution.hpp"
#include "ir/evaluate.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

constexpr std::size_t most_line_sites = 400; // of a board

class LinesBetween {
public:
    LinesBetween(const ir::Program& before, ir::Program& program)
        : before_(before), dependences_(before), evaluator_(before, nullptr, &work_), program_(program),
          builder_(program) {}

    bool replace(ExprId e) {
        if (before_.exprs[e].op != Op::Any) return false;
        const ExprId both = before_.argument(e, 0);
        if (before_.exprs[both].op != Op::Inter) return false;
        const ExprId a = before_.argument(both, 0), b = before_.argument(both, 1);
        return replace(e, a, b) || replace(e, b, a);
    }

private:
    using Between = std::vector<std::vector<Bits>>; // by the sites at both ends

    bool replace(ExprId e, ExprId set, ExprId obstacles) {
        const Dependence& on = dependences_.of(set);
        if (on.on_more || !on.computes || on.names.size() != 2) return false;
        const ir::VarId from = on.names[0], to = on.names[1];
        const ir::TypeId site = before_.vars[from].type;
        if (before_.types.kind(site) != TypeKind::Site || before_.vars[to].type != site ||
            before_.exprs[set].type != program_.types.set(site) || names(before_, obstacles, from) ||
            names(before_, obstacles, to))
            return false;
        const auto board = static_cast<ir::BoardId>(before_.types[site].ref);
        const auto steps = steps_along(set, from, to, before_.boards[board]);
        if (steps.empty()) return false;
        const Span span = before_.exprs[e].span;
        const ir::TypeId path = program_.types.path(board), sets = before_.exprs[set].type;
        const auto variable = [&](ir::VarId v) {
            return builder_.make(Op::Var, site, static_cast<std::int64_t>(index(v)), {}, span);
        };
        const ExprId all = builder_.make(Op::Universe, sets, 0, {}, span);
        const ExprId free = builder_.make(Op::Diff, sets, 0, {all, obstacles}, span);
        // The least number of steps as a truth: the layout of the state knows no type that the checker has not made.
        const ExprId none = builder_.truth(false, span);
        ExprId open = none_id<ExprId>;
        for (const ir::StepId id : steps) {
            const ExprId step = builder_.make(Op::Table, path, static_cast<std::int64_t>(index(id)), {}, span);
            const ExprId through = builder_.make(Op::Into, path, 0, {step, free}, span);
            const ExprId far = builder_.make(Op::Closure, path, 0, {through, none}, span);
            const ExprId line = builder_.make(Op::Seq, path, 0, {far, step}, span);
            open = valid(open) ? builder_.make(Op::Alt, path, 0, {open, line}, span) : line;
        }
        const auto is_in = [&](ExprId there) {
            return builder_.make(Op::In, before_.exprs[e].type, 0, {variable(to), there}, span);
        };
        // {t | some between(f, t)} is a table by f.
        const ExprId some = builder_.make(Op::Any, before_.exprs[e].type, 0, {set}, span);
        const ExprId distant = builder_.make(Op::SetOf, sets, static_cast<std::int64_t>(index(to)), {all, some}, span);
        const ExprId start = builder_.make(Op::Single, sets, 0, {variable(from)}, span);
        const ExprId reached = builder_.make(Op::Image, sets, 0, {start, open}, span);
        const ExprId obstructed = builder_.junction(Op::And, {is_in(distant), builder_.not_(is_in(reached))}, span);
        program_.exprs[e] = program_.exprs[obstructed];
        return true;
    }

    // The steps that pass the members of the set on the way between two sites; none: not all members are passed so.
    std::vector<ir::StepId> steps_along(ExprId set, ir::VarId from, ir::VarId to, const ir::Board& board) {
        const std::size_t sites = board.sites.size();
        if (sites > most_line_sites) return {};
        Between between(sites);
        for (std::size_t a = 0; a < sites; ++a) {
            evaluator_.bind(from, ir::scalar_value(static_cast<std::int64_t>(a)));
            for (std::size_t b = 0; b < sites; ++b) {
                evaluator_.bind(to, ir::scalar_value(static_cast<std::int64_t>(b)));
                between[a].push_back(evaluator_.set(set));
                if (work_.spent()) return {};
            }
        }
        std::vector<ir::StepId> steps;
        std::vector<bool> passed(sites * sites, false);
        for (std::size_t s = 0; s < board.steps.size(); ++s)
            if (passes(board.steps[static_cast<ir::StepId>(s)].to, between, passed))
                steps.push_back(static_cast<ir::StepId>(s));
        for (std::size_t a = 0; a < sites; ++a)
            for (std::size_t b = 0; b < sites; ++b)
                if (between[a][b].any() && !passed[a * sites + b]) return {};
        return steps;
    }

    // Whether the sites on the way along a step, from any site to any other, are those between the two, and no other
    // step has passed them. Notes which ways it has.
    static bool passes(const std::vector<std::int32_t>& step, const Between& between, std::vector<bool>& passed) {
        const std::size_t sites = step.size();
        std::vector<std::size_t> ways;
        bool longer = false;
        for (std::size_t a = 0; a < sites; ++a) {
            Bits on_the_way(sites);
            for (std::int32_t at = step[a]; at >= 0; at = step[static_cast<std::size_t>(at)]) {
                const auto b = static_cast<std::size_t>(at);
                const std::size_t way = a * sites + b;
                if (b == a || on_the_way.test(b) || passed[way] || between[a][b] != on_the_way) return false;
                longer = longer || on_the_way.any();
                on_the_way.set(b);
                ways.push_back(way);
            }
        }
        if (longer)
            for (const std::size_t way : ways) passed[way] = true;
        return longer;
    }

    const ir::Program& before_;
    Dependences dependences_;
    ir::Work work_{static_work};
    ir::Evaluator evaluator_;
    ir::Program& program_;
    ExpressionBuilder builder_;
};

} // namespace

std::uint64_t follow_lines_between(ir::Program& program) {
    const ir::Program before = program; // which the sets are evaluated in
    LinesBetween lines(before, program);
    return replace_each(before, [&](ExprId e) { return lines.replace(e); });
}

} // namespace zug::run
