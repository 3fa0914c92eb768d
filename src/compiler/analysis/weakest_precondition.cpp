#include "compiler/analysis/weakest_precondition.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

// The conjuncts of a condition.
void split(const ir::Program& program, ExprId e, std::vector<ExprId>& parts) {
    if (program.exprs[e].op != Op::And) return parts.push_back(e);
    for (const ExprId part : program.arguments(e)) split(program, part, parts);
}

// Solves a condition for a parameter: `p = value` or `p in {value}`, where no parameter occurs in the value and the
// value is never none.
std::optional<std::pair<VarId, ExprId>> solved(const ir::Program& program, Substitution& substitution, ExprId e,
                                               const std::vector<VarId>& params) {
    const ir::Expr& x = program.exprs[e];
    if (x.op != Op::Eq && x.op != Op::In) return std::nullopt;
    ExprId a = program.argument(e, 0), b = program.argument(e, 1);
    if (x.op == Op::In && program.exprs[b].op != Op::Single) return std::nullopt;
    if (x.op == Op::In) b = program.argument(b, 0);
    for (const auto& [var, value] : {std::pair{a, b}, std::pair{b, a}}) {
        const ir::Expr& v = program.exprs[var];
        if (v.op == Op::Var && program.types.kind(v.type) == TypeKind::Site &&
            std::ranges::find(params, static_cast<VarId>(v.imm)) != params.end() &&
            !substitution.names_any(value, params) && substitution.is_some(value))
            return std::pair{static_cast<VarId>(v.imm), value};
    }
    return std::nullopt;
}

} // namespace

std::vector<FirstStep> first_steps(ir::Program& program, ir::RuleId id, bool local_start) {
    FirstStep step;
    step.rule = program.rules[id];
    Substitution substitution(program, local_start);
    std::vector<VarId> own = step.rule.params;
    for (ir::Clause& clause : step.rule.when) {
        if (const ExprId e = substitution(clause.expr); valid(e)) clause.expr = e;
        if (valid(clause.bind)) own.push_back(clause.bind);
    }
    std::erase_if(step.rule.when, [&](const ir::Clause& clause) {
        const bool of_state_alone = !valid(clause.bind) && !substitution.names_any(clause.expr, own) &&
                                    !substitution.reads_beyond_state(clause.expr);
        if (of_state_alone && substitution.known(clause.expr) != true) step.possible.push_back(clause.expr);
        return of_state_alone;
    });
    // The first clause that is a disjunction of conditions on the state alone and of others is split into two cases:
    // one in which the former hold, one in which they do not.
    for (std::size_t c = 0; c < step.rule.when.size(); ++c) {
        const ExprId clause = step.rule.when[c].expr;
        if (valid(step.rule.when[c].bind) || program.exprs[clause].op != Op::Or) continue;
        std::vector<ExprId> closed, open;
        for (const ExprId part : program.arguments(clause))
            (substitution.names_any(part, own) || substitution.reads_beyond_state(part) ? open : closed)
                .push_back(part);
        if (closed.empty() || open.empty()) continue;
        FirstStep other = step;
        step.given = other.given = substitution.junction(Op::Or, closed, program.exprs[clause].span);
        step.holds = false;
        step.rule.when[c].expr = substitution.junction(Op::Or, open, program.exprs[clause].span);
        other.rule.when.erase(other.rule.when.begin() + static_cast<std::ptrdiff_t>(c));
        return {step, other};
    }
    return {step};
}

namespace {

// Builds a continuation in four stages, each of which returns false where it reads something whose value after the
// first step cannot be expressed.
class ContinuationBuilder {
public:
    ContinuationBuilder(ir::Program& program, const FirstStepOf& first, const ir::Rule& next)
        : program_(program), first_(first), next_(next), substitution_(program, first.local_start) {
        result.rule = next;
        result.rule.when.clear();
    }

    bool build() {
        if (first_.rule.then.size() != 1 || !next_.ensure.empty() || !substitute_first_step()) return false;
        rename_parameters();
        // A parameter that has been solved for may make a condition solvable for another one.
        for (std::size_t again = 0; again < next_.params.size(); ++again)
            if (!solve_parameters()) return false;
        return sort_conditions();
    }

    Continuation result;

private:
    bool substitute_first_step() {
        for (const auto* list : {&first_.rule.when, &first_.rule.then[0].lets})
            for (const ir::Clause& clause : *list) {
                if (!valid(clause.bind)) continue;
                const ExprId value = substitution_(clause.expr);
                if (!valid(value)) return false;
                substitution_.name(clause.bind, value);
            }
        substitution_.suppose(first_);
        substitution_.apply(first_.rule.then[0].effects);
        return true;
    }

    // Gives the second step variables of its own, since both steps may be of the same rule.
    void rename_parameters() {
        std::vector<VarId>& params = result.rule.params;
        for (std::size_t p = 0; p < params.size(); ++p) {
            const ir::Variable variable = program_.vars[next_.params[p]];
            params[p] = program_.vars.push(variable);
            const auto number = static_cast<std::int64_t>(index(params[p]));
            substitution_.name(next_.params[p], substitution_.make(Op::Var, variable.type, number, {}, next_.span));
        }
    }

    bool solve_parameters() {
        std::vector<VarId>& params = result.rule.params;
        for (const ir::Clause& clause : next_.when) {
            const ExprId e = substitution_(clause.expr);
            if (!valid(e)) return false;
            if (valid(clause.bind)) {
                substitution_.name(clause.bind, e);
                continue;
            }
            const auto found = solved(program_, substitution_, e, params);
            if (!found) continue;
            // The positions of parameters shift as they are removed, so the parameter is identified by its variable in
            // the rule as it was written.
            for (const VarId written : next_.params) {
                const ExprId stands = substitution_.value_of(written);
                if (program_.exprs[stands].op == Op::Var &&
                    static_cast<VarId>(program_.exprs[stands].imm) == found->first)
                    substitution_.name(written, found->second);
            }
            params.erase(std::ranges::find(params, found->first));
        }
        return true;
    }

    // Divides the conditions into those in which only parameters of the first step occur, and those of the second step.
    bool sort_conditions() {
        const std::vector<VarId>& params = result.rule.params;
        for (const ir::Clause& clause : next_.when) {
            const ExprId e = substitution_(clause.expr);
            if (!valid(e)) return false;
            if (valid(clause.bind)) {
                substitution_.name(clause.bind, e);
                continue;
            }
            std::vector<ExprId> parts;
            split(program_, e, parts);
            for (const ExprId part : parts) {
                if (substitution_.known(part) == true) continue;
                if (!substitution_.names_any(part, params)) {
                    result.gate.push_back(part);
                    continue;
                }
                result.rule.when.push_back({part, none_id<VarId>});
                result.independent = result.independent && !substitution_.names_any(part, first_.rule.params);
            }
        }
        return true;
    }

    ir::Program& program_;
    FirstStepOf first_;
    const ir::Rule& next_;
    Substitution substitution_;
};

} // namespace

std::optional<Continuation> continuation_after(ir::Program& program, ir::RuleId first_id, ir::RuleId next_id,
                                               std::int64_t me, bool local_start) {
    const ir::Rule first = program.rules[first_id], next = program.rules[next_id];
    ContinuationBuilder builder(program, {program, first, me, local_start}, next);
    if (!builder.build()) return std::nullopt;
    return std::move(builder.result);
}

} // namespace zug::run
