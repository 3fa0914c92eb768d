#include "compiler/geometry/counted_runs.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::VarId;

// The sites that steps through members of a set lead to from one site, the site itself among them or not.
struct Run {
    ExprId step, set;
    bool with_start;
    bool both_ways; // or along the converse of the step
};

class CountedRuns {
public:
    explicit CountedRuns(ir::Program& program) : program_(program), builder_(program) {
        for (std::size_t b = 0; b < program.boards.size(); ++b)
            in_lines_.push_back(steps_in_lines(program.boards[static_cast<ir::BoardId>(b)]));
    }

    bool replace(ExprId e) {
        const ir::Expr binder = expr(e);
        if (binder.op != Op::Exists) return false;
        const auto var = static_cast<VarId>(binder.imm);
        std::vector<ExprId> inside; // quantifiers over directions, for the most part
        ExprId body = arg(e, 1);
        while (expr(body).op == Op::Exists && !names(program_, arg(body, 0), var)) {
            inside.push_back(body);
            body = arg(body, 1);
        }
        std::vector<ExprId> said = parts(program_, body, Op::And);
        const auto about = [&](ExprId part) { return names(program_, part, var); };
        const auto part = std::ranges::find_if(said, about);
        if (part == said.end() || std::ranges::count_if(said, about) != 1) return false;
        const ExprId line = line_of(*part, var, arg(e, 0));
        if (!valid(line)) return false;
        *part = line;
        ExprId result = builder_.junction(Op::And, said, binder.span);
        for (auto inner = inside.rbegin(); inner != inside.rend(); ++inner)
            result = make(Op::Exists, {arg(*inner, 0), result}, *inner);
        program_.exprs[e] = program_.exprs[result];
        return true;
    }

private:
    const ir::Expr& expr(ExprId e) const { return program_.exprs[e]; }
    ExprId arg(ExprId e, std::size_t i) const { return program_.argument(e, i); }
    // Of the type, number and location of another expression.
    ExprId make(Op op, const std::vector<ExprId>& args, ExprId like) {
        const ir::Expr of = expr(like);
        return builder_.make(op, of.type, of.imm, args, of.span);
    }

    // Whether each direction leads to a site from one site at most, and never comes round to where it was.
    static bool steps_in_lines(const ir::Board& board) {
        const std::size_t sites = board.sites.size();
        for (std::uint32_t d = 0; d < board.dir_count; ++d) {
            const auto& to = board.steps[static_cast<ir::StepId>(d)].to;
            std::vector<int> met(sites, 0);
            for (std::size_t s = 0; s < sites; ++s)
                if (to[s] >= 0 && ++met[static_cast<std::size_t>(to[s])] > 1) return false;
            // What has no step that leads to it begins a line; sites of no line are on a cycle.
            std::size_t in_lines = 0;
            for (std::size_t s = 0; s < sites; ++s)
                for (auto at = static_cast<std::int64_t>(s); met[s] == 0 && at >= 0; ++in_lines)
                    at = to[static_cast<std::size_t>(at)];
            if (in_lines < sites) return false;
        }
        return true;
    }

    std::optional<Run> run_of(ExprId count, VarId var) const {
        if (expr(count).op != Op::Count) return std::nullopt;
        const ExprId image = arg(count, 0);
        if (expr(image).op != Op::Image || expr(arg(image, 0)).op != Op::Single) return std::nullopt;
        const ExprId from = arg(image, 0), closure = arg(image, 1);
        if (!is_name(program_, arg(from, 0), var) || expr(closure).op != Op::Closure) return std::nullopt;
        const auto some = builder_.known(arg(closure, 1));
        const ExprId into = arg(closure, 0);
        if (!some || expr(into).op != Op::Into) return std::nullopt;
        Run run{arg(into, 0), arg(into, 1), !*some, false};
        if (expr(run.step).op == Op::Alt && are_converse(arg(run.step, 0), arg(run.step, 1)))
            run = {arg(run.step, 0), run.set, true, true}; // from a member of the set back to it
        const ExprId step = expr(run.step).op == Op::Converse ? arg(run.step, 0) : run.step;
        const auto board = static_cast<std::size_t>(program_.types[expr(step).type].ref);
        if (expr(step).op != Op::Step || !in_lines_[board] || names(program_, closure, var)) return std::nullopt;
        return run;
    }
    bool are_converse(ExprId a, ExprId b) const {
        const auto is_back_of = [&](ExprId back, ExprId step) {
            return expr(back).op == Op::Converse && alike(program_, arg(back, 0), step);
        };
        return is_back_of(a, b) || is_back_of(b, a);
    }
    // Names that they bind may differ.
    bool is_same_set(ExprId a, ExprId b) const {
        if (expr(a).op != Op::SetOf || expr(b).op != Op::SetOf) return alike(program_, a, b);
        return is_same_set(arg(a, 0), arg(b, 0)) && alike_renamed(program_, arg(a, 1), static_cast<VarId>(expr(a).imm),
                                                                  arg(b, 1), static_cast<VarId>(expr(b).imm));
    }

    // What is counted, and how much the whole has to be more than that.
    struct Counted {
        std::vector<ExprId> counts;
        std::int64_t known = 0;
    };
    bool add(ExprId number, Counted& to) const {
        const ir::Expr& x = expr(number);
        if (x.op == Op::Add) return add(arg(number, 0), to) && add(arg(number, 1), to);
        if (x.op == Op::Const)
            to.known += x.imm;
        else
            to.counts.push_back(number);
        return x.op == Op::Const || x.op == Op::Count;
    }

    // The question whether a line begins at a member of the domain; none_id: something else is said.
    ExprId line_of(ExprId said, VarId var, ExprId domain) {
        const bool at_least = expr(said).op == Op::Not; // not less than
        const ExprId less = at_least ? arg(said, 0) : said;
        if (expr(less).op != Op::Lt) return none_id<ExprId>;
        const ExprId limit = arg(less, at_least ? 1 : 0);
        Counted counted;
        if (expr(limit).op != Op::Const || !add(arg(less, at_least ? 0 : 1), counted)) return none_id<ExprId>;
        if (counted.counts.empty() || counted.counts.size() > 2) return none_id<ExprId>;
        const auto run = run_of(counted.counts[0], var);
        if (!run) return none_id<ExprId>;
        std::int64_t steps = expr(limit).imm + (at_least ? 0 : 1) - counted.known - (run->with_start ? 1 : 0);
        if (counted.counts.size() == 2) {
            const auto other = run_of(counted.counts[1], var);
            if (!other || run->both_ways || other->both_ways || !are_converse(run->step, other->step) ||
                !is_same_set(run->set, other->set))
                return none_id<ExprId>;
            steps -= other->with_start ? 1 : 0;
        }
        // The end of a line both ways is a member of the domain if all sites of the line are.
        const auto is_run = [&](ExprId set) { return is_same_set(set, run->set); };
        if ((run->both_ways || counted.counts.size() == 2) &&
            !std::ranges::all_of(intersected(program_, domain), is_run))
            return none_id<ExprId>;
        return steps > 0 && steps <= most_steps ? steps_from(domain, *run, steps, said) : none_id<ExprId>;
    }

    // Whether so many steps lead from a member of the domain through members of the set.
    ExprId steps_from(ExprId domain, const Run& run, std::int64_t steps, ExprId said) {
        const Span span = expr(said).span;
        const ir::TypeId path = expr(run.step).type, number = program_.types.integer(steps, steps);
        const ExprId into = builder_.make(Op::Into, path, 0, {run.step, run.set}, span);
        const ExprId times = builder_.constant(number, steps, span);
        const ExprId power = builder_.make(Op::Power, path, 0, {into, times, times}, span);
        const ExprId sites = builder_.make(Op::Image, expr(domain).type, 0, {domain, power}, span);
        return builder_.make(Op::Any, program_.types.boolean(), 0, {sites}, span);
    }

    static constexpr std::int64_t most_steps = 16;
    ir::Program& program_;
    ExpressionBuilder builder_;
    std::vector<bool> in_lines_; // by board: whether steps run in lines
};

} // namespace

std::uint64_t follow_counted_runs(ir::Program& program) {
    CountedRuns runs(program);
    return replace_each(program, [&](ExprId e) { return runs.replace(e); });
}

} // namespace zug::run
