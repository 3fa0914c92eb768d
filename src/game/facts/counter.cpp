#include "game/facts/counter.hpp"

#include <algorithm>
#include <map>

namespace zug::game {

using ir::Expr;
using ir::ExprId;
using ir::Op;
using ir::StateId;

namespace {

std::optional<std::int64_t> constant(const ir::Program& program, ExprId id) {
    const Expr& e = program.exprs[id];
    return e.op == Op::Const ? std::optional(e.imm) : std::nullopt;
}

bool is_zero(const ir::Program& program, ExprId id) {
    const Expr& e = program.exprs[id];
    if (e.op == Op::ToReal || e.op == Op::Neg) return is_zero(program, program.argument(id, 0));
    return (e.op == Op::Const || e.op == Op::RealConst) && e.imm == 0;
}

class CounterFinder {
public:
    CounterFinder(const ir::Program& program, StateId id)
        : program_(program), id_(id), state_(program.states[id]), mentions_(program, id) {}

    std::optional<Counter> find(std::span<const ProgramPoint> points) {
        const bool number = program_.types.kind(state_.value) == ir::TypeKind::Int;
        if (!number || state_.local) return std::nullopt;
        counter_.goes_back = !state_.indices.empty(); // a slot may get the value of another
        if (!std::ranges::all_of(points, [&](const ProgramPoint& point) { return fits(point); })) return std::nullopt;
        if (passes_by()) return std::nullopt;
        return counter_;
    }

private:
    bool fits(const ProgramPoint& point) {
        if (point.target == id_) {
            step_ = 0;
            if (point.adds ? !adds(point.expr) : !steps(point.expr)) return false;
            const std::int64_t step = point.repeated ? many : std::min(step_, many);
            std::int64_t& most = valid(point.rule) ? by_rule_[point.rule] : after_turn_;
            most = std::min(most + step, many);
            return true;
        }
        if (!mentions_.in(point.expr)) return true;
        return point.kind == ProgramPoint::Kind::EndCondition && is_draw(program_.ends[point.end], program_) &&
               draws(point.expr);
    }

    // The counter itself, or one slot of it.
    bool reads(ExprId id) {
        const Expr& e = program_.exprs[id];
        return (e.op == Op::StateGet || e.op == Op::MapGet) && static_cast<StateId>(e.imm) == id_ &&
               std::ranges::none_of(program_.arguments(id), [&](ExprId x) { return mentions_.in(x); });
    }

    bool adds(ExprId id) {
        const auto amount = constant(program_, id);
        step_ = std::max(step_, amount.value_or(0));
        return amount && *amount >= 0;
    }

    // Whether the next value is the same, the same plus a constant, or a constant.
    bool steps(ExprId id) {
        const Expr& e = program_.exprs[id];
        const auto arg = [&](std::size_t i) { return program_.argument(id, i); };
        switch (e.op) {
        case Op::Const: highest_ = std::max(highest_, e.imm); return counter_.goes_back = true;
        case Op::StateGet:
        case Op::MapGet: return reads(id);
        case Op::Add: return (reads(arg(0)) && adds(arg(1))) || (reads(arg(1)) && adds(arg(0)));
        case Op::If: return !mentions_.in(arg(0)) && steps(arg(1)) && steps(arg(2));
        default: return false;
        }
    }

    // Whether the condition, if it depends on the counter, holds for all values from some value on. `= k` counts as
    // such if no turn can skip k.
    bool draws(ExprId id) {
        if (!mentions_.in(id)) return true;
        const Expr& e = program_.exprs[id];
        if (e.op == Op::Or) return std::ranges::all_of(program_.arguments(id), [&](ExprId arg) { return draws(arg); });
        if (e.op == Op::Call) {
            const ir::Function& function = program_.functions[static_cast<ir::FunctionId>(e.imm)];
            return !function.recursive && function.params.empty() && draws(function.body);
        }
        const auto least = least_count(program_, id, [&](ExprId x) { return reads(x); });
        if (least && e.op == Op::Eq) lowest_draw_ = std::min(lowest_draw_, *least);
        return least.has_value();
    }

    // Whether one turn may take the counter from below the least k of a draw `n = k` to above it. At k the game is
    // over, and no value exceeds the range.
    bool passes_by() const {
        if (lowest_draw_ >= program_.types[state_.value].hi) return false;
        const std::int64_t first = program_.types.value(state_.value, std::ranges::max(state_.initial));
        return std::max(first, highest_) > lowest_draw_ || turn_step() > 1;
    }

    // The most that is added in one turn.
    std::int64_t turn_step() const {
        std::int64_t most = 0;
        if (!program_.turn) {
            for (const auto& [rule, step] : by_rule_) most = std::max(most, step);
            return most;
        }
        for (const auto chain : program_.turn->alternatives) most = std::max(most, chain_step(chain));
        return std::min(most + after_turn_, many);
    }
    std::int64_t chain_step(std::uint32_t chain) const {
        std::int64_t sum = 0;
        for (const ir::PlanStep& step : program_.turn->chains[chain].steps) {
            std::int64_t most = 0;
            if (const auto own = by_rule_.find(step.rule); own != by_rule_.end()) most = own->second;
            for (const auto inner : step.group) most = std::max(most, chain_step(inner));
            const bool again = step.repeat == ir::PlanStep::Repeat::Star || step.repeat == ir::PlanStep::Repeat::Plus;
            sum = std::min(sum + (again && most > 0 ? many : most), many);
        }
        return sum;
    }

    static constexpr std::int64_t many = 1 << 20;

    const ir::Program& program_;
    const StateId id_;
    const ir::StateVariable& state_;
    Mentions mentions_;
    Counter counter_;
    std::int64_t step_ = 0;                      // the most that the current assignment adds
    std::map<ir::RuleId, std::int64_t> by_rule_; // the most that all assignments of a rule add
    std::int64_t after_turn_ = 0;                // the most that the effects of the turn add
    std::int64_t highest_ = ir::int_min;         // constant that is assigned
    std::int64_t lowest_draw_ = ir::int_max;     // by `n = k`
};

// Whether an expression depends on the variable only through the comparison with the parameter.
class Comparisons {
public:
    Comparisons(const ir::Program& program, StateId id, const PartialUse& use)
        : program_(program), id_(id), parameter_(program.rules[use.rule].params[use.parameter]),
          mentions_(program, id) {}

    bool only(ExprId id) {
        if (!mentions_.in(id)) return true;
        const Expr& e = program_.exprs[id];
        const auto arg = [&](std::size_t i) { return program_.argument(id, i); };
        switch (e.op) {
        case Op::StateGet:
        case Op::MapGet: return false;
        case Op::Call:
            if (mentions_.in(program_.functions[static_cast<ir::FunctionId>(e.imm)].body)) return false;
            break;
        case Op::Eq:
            if (is_parameter(arg(0)) && is_get(program_, arg(1), id_)) return true;
            if (is_parameter(arg(1)) && is_get(program_, arg(0), id_)) return true;
            break;
        case Op::In:
            if (is_parameter(arg(0))) return only_member(arg(1));
            break;
        default: break;
        }
        return std::ranges::all_of(program_.arguments(id), [&](ExprId x) { return only(x); });
    }
    bool mentioned(ExprId id) { return mentions_.in(id); }

private:
    bool is_parameter(ExprId id) const {
        const Expr& e = program_.exprs[id];
        return e.op == Op::Var && static_cast<ir::VarId>(e.imm) == parameter_;
    }

    // Whether a set depends on the variable in that one member only.
    bool only_member(ExprId id) {
        if (!mentions_.in(id)) return true;
        const Expr& e = program_.exprs[id];
        const auto args = program_.arguments(id);
        const auto member = [&](ExprId x) { return only_member(x); };
        switch (e.op) {
        case Op::Single: return is_get(program_, args[0], id_);
        case Op::Union:
        case Op::Inter:
        case Op::Diff:
        case Op::Retype: return std::ranges::all_of(args, member);
        case Op::If: return only(args[0]) && std::ranges::all_of(args.subspan(1), member);
        default: return false;
        }
    }

    const ir::Program& program_;
    const StateId id_;
    const ir::VarId parameter_;
    Mentions mentions_;
};

} // namespace

bool is_get(const ir::Program& program, ExprId expr, StateId id) {
    const Expr& e = program.exprs[expr];
    return e.op == Op::StateGet && static_cast<StateId>(e.imm) == id;
}

bool is_draw(const ir::EndClause& clause, const ir::Program& program) {
    return std::ranges::all_of(clause.payoffs, [&](ExprId payoff) { return is_zero(program, payoff); });
}

std::optional<std::int64_t> least_count(const ir::Program& program, ExprId comparison,
                                        const std::function<bool(ExprId)>& counts) {
    const Expr& e = program.exprs[comparison];
    const bool negated = e.op == Op::Not;
    const ExprId inner = negated ? program.argument(comparison, 0) : comparison;
    const Op op = program.exprs[inner].op;
    if (op != Op::Lt && (negated || op != Op::Eq)) return std::nullopt;
    const ExprId a = program.argument(inner, 0), b = program.argument(inner, 1);
    if (op == Op::Eq && counts(b)) return constant(program, a);
    if (counts(a) && (negated || op == Op::Eq)) return constant(program, b); // n = k, not n < k
    if (!counts(b) || negated) return std::nullopt;
    const auto below = constant(program, a); // k < n
    return below ? std::optional(*below + 1) : std::nullopt;
}

std::optional<Counter> find_counter(const ir::Program& program, std::span<const ProgramPoint> points, StateId id) {
    return CounterFinder(program, id).find(points);
}

std::optional<PartialUse> find_partial_use(const ir::Program& program, ExprId part, StateId id) {
    const Expr& e = program.exprs[part];
    if (e.op != Op::SetOf) return std::nullopt;
    const ExprId domain = program.argument(part, 0);
    if (program.exprs[domain].op != Op::Single || !is_get(program, program.argument(domain, 0), id))
        return std::nullopt;
    ExprId can = program.argument(part, 1);
    while (program.exprs[can].op == Op::Exists) can = program.argument(can, 1);
    if (program.exprs[can].op != Op::Can) return std::nullopt;
    // The player to move: in keys, `me` is the player who moved last.
    const auto args = program.arguments(can);
    const bool next =
        program.exprs[args[0]].op == Op::NextPlayer && program.exprs[program.argument(args[0], 0)].op == Op::Me;
    if (!next) return std::nullopt;
    for (std::size_t i = 1; i < args.size(); ++i) {
        const Expr& arg = program.exprs[args[i]];
        if (arg.op == Op::Var && arg.imm == e.imm)
            return PartialUse{static_cast<ir::RuleId>(program.exprs[can].imm), i - 1};
    }
    return std::nullopt;
}

bool used_only_by(const ir::Program& program, std::span<const ProgramPoint> points, StateId id, const PartialUse& use) {
    Comparisons comparisons(program, id, use);
    return std::ranges::all_of(points, [&](const ProgramPoint& point) {
        return !comparisons.mentioned(point.expr) || (point.rule == use.rule && comparisons.only(point.expr));
    });
}

} // namespace zug::game
