#include "compiler/normalise/deferred_conditions.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;

class DeferredConditions {
public:
    explicit DeferredConditions(ir::Program& program)
        : program_(program), tries_(program.exprs.size()), functions_(program.functions.size()) {}

    // The conditions of one rule.
    std::uint64_t defer(ir::Rule& rule) {
        std::vector<ir::Clause> kept, named, ensured;
        for (const ir::Clause& clause : rule.when) {
            if (valid(clause.bind) || !tries_moves(clause.expr)) {
                kept.push_back(clause);
                continue;
            }
            const ir::VarId before = program_.vars.push({"before", program_.types.boolean()});
            named.push_back({.expr = clause.expr, .bind = before});
            const Span span = program_.exprs[clause.expr].span;
            const auto name = static_cast<std::int64_t>(index(before));
            ensured.push_back(
                {.expr = ExpressionBuilder(program_).make(Op::Var, program_.types.boolean(), name, {}, span)});
        }
        if (named.empty()) return 0;
        rule.when = std::move(kept);
        if (rule.then.empty()) rule.then.emplace_back();
        std::vector<ir::Clause>& lets = rule.then.front().lets;
        lets.insert(lets.begin(), named.begin(), named.end());
        rule.ensure.insert(rule.ensure.begin(), ensured.begin(), ensured.end());
        return named.size();
    }

private:
    // Whether it asks for moves of a rule with an `ensure`, which have to be tried.
    bool tries_moves(ExprId e) {
        if (const std::optional<bool>& known = tries_[index(e)]) return *known;
        const ir::Expr& x = program_.exprs[e];
        bool result = x.op == Op::Can && !program_.rules[static_cast<ir::RuleId>(x.imm)].ensure.empty();
        if (x.op == Op::Call) result = tries_moves(static_cast<ir::FunctionId>(x.imm));
        for (const ExprId part : program_.arguments(e)) result = tries_moves(part) || result;
        tries_[index(e)] = result;
        return result;
    }
    bool tries_moves(ir::FunctionId id) {
        std::optional<bool>& known = functions_[index(id)];
        if (!known) {
            known = false; // what its own calls are told
            known = tries_moves(program_.functions[id].body);
        }
        return *known;
    }

    ir::Program& program_;
    std::vector<std::optional<bool>> tries_, functions_;
};

} // namespace

namespace {

// What an expression costs, roughly, in operations on words: those of a loop as often as a board has sites.
class Costs {
public:
    explicit Costs(const ir::Program& program)
        : program_(program), of_(program.exprs.size()), functions_(program.functions.size()) {}

    static constexpr std::uint64_t most = 1'000'000;

    std::uint64_t of(ExprId e) {
        if (of_[index(e)]) return *of_[index(e)];
        const ir::Expr& x = program_.exprs[e];
        std::uint64_t cost = 1;
        for (const ExprId part : program_.arguments(e)) cost += of(part);
        if (x.op == Op::Call) cost += of_function(static_cast<ir::FunctionId>(x.imm));
        if (x.op == Op::Can || x.op == Op::Earlier) cost = most;
        if (x.op == Op::Power || x.op == Op::Closure || (ir::binds_variable(x.op) && x.op != Op::Let)) cost *= times;
        of_[index(e)] = cost = std::min(cost, most);
        return cost;
    }

private:
    static constexpr std::uint64_t times = 8;

    std::uint64_t of_function(ir::FunctionId id) {
        std::optional<std::uint64_t>& known = functions_[index(id)];
        if (!known) {
            known = most; // what its own calls are told
            known = of(program_.functions[id].body);
        }
        return *known;
    }

    const ir::Program& program_;
    std::vector<std::optional<std::uint64_t>> of_, functions_;
};

} // namespace

std::uint64_t ask_cheap_conditions_first(ir::Program& program) {
    constexpr std::uint64_t dear = 400;
    Costs costs(program);
    std::uint64_t moved = 0;
    for (ir::Rule& rule : program.rules) {
        std::vector<ir::Clause> first, later;
        for (const ir::Clause& clause : rule.when) {
            const std::uint64_t cost = valid(clause.bind) ? 0 : costs.of(clause.expr);
            if (cost > dear) {
                later.push_back(clause);
                continue;
            }
            moved += later.empty() ? 0 : 1;
            first.push_back(clause);
        }
        first.insert(first.end(), later.begin(), later.end());
        rule.when = std::move(first);
    }
    return moved;
}

// With a turn plan moves are chains of steps, all of which are searched for; and what depends on the history is asked
// before a move.
std::uint64_t defer_conditions(ir::Program& program) {
    if (program.turn || !program.keys.empty()) return 0;
    DeferredConditions conditions(program);
    std::uint64_t deferred = 0;
    for (ir::Rule& rule : program.rules)
        if (!rule.chance && rule.params.empty()) deferred += conditions.defer(rule);
    return deferred;
}

} // namespace zug::run
