// Stratification (K. Apt, H. Blair, A. Walker, Towards a theory of declarative knowledge, 1988): a recursive definition
// is a least fixpoint, so each of its calls of itself must be in a monotone position. Likewise no rule may depend on
// whether it can itself be played.

#include "lang/check/instances.hpp"
#include "lang/core/scopes.hpp"
#include "lang/finish/finish.hpp"
#include "lang/finish/passes.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <set>

namespace zug::lang {

namespace {

using ir::FunctionId;

// The functions that each function calls, directly or through others.
class Callees {
public:
    explicit Callees(const ir::Program& program) : program_(program) {}

    const std::set<FunctionId>& of(FunctionId from) {
        auto [it, fresh] = reached_.try_emplace(from);
        if (!fresh) return it->second;
        std::set<FunctionId> found;
        std::vector<FunctionId> open{from};
        while (!open.empty()) {
            const FunctionId at = open.back();
            open.pop_back();
            for (FunctionId next : direct(at))
                if (found.insert(next).second) open.push_back(next);
        }
        return reached_[from] = std::move(found);
    }

private:
    const std::set<FunctionId>& direct(FunctionId id) {
        auto [it, fresh] = direct_.try_emplace(id);
        if (!fresh || !valid(program_.functions[id].body)) return it->second;
        std::set<ExprId> seen;
        std::vector<ExprId> open{program_.functions[id].body};
        while (!open.empty()) {
            const ExprId at = open.back();
            open.pop_back();
            if (!seen.insert(at).second) continue;
            const auto& e = program_.exprs[at];
            if (e.op == Op::Call) it->second.insert(static_cast<FunctionId>(e.imm));
            for (ExprId arg : program_.arguments(at)) open.push_back(arg);
        }
        return it->second;
    }

    const ir::Program& program_;
    std::map<FunctionId, std::set<FunctionId>> direct_, reached_;
};

// Whether an operation is monotone in its i-th argument.
bool grows_with(Op op, std::size_t i) {
    switch (op) {
    case Op::And:
    case Op::Or:
    case Op::Union:
    case Op::Inter:
    case Op::Single:
    case Op::Any:
    case Op::Retype:
    case Op::SetOf:
    case Op::UnionOver:
    case Op::Exists:
    case Op::PathOver:
    case Op::Image:
    case Op::Seq:
    case Op::Alt:
    case Op::Into:
    case Op::Converse:
    case Op::StepsOf: return true;
    case Op::Diff:
    case Op::Closure:
    case Op::Power: return i == 0;
    case Op::Let:
    case Op::In:
    case Op::ForAll: return i == 1;
    case Op::If: return i > 0;
    default: return false;
    }
}

class Strata {
public:
    Strata(const ir::Program& program, Callees& callees, FunctionId root)
        : program_(program), callees_(callees), root_(root) {}

    std::optional<ExprId> check(ExprId id, bool monotone) {
        if (!seen_.emplace(id, monotone).second) return {};
        const auto& e = program_.exprs[id];
        if (e.op == Op::Call && !monotone) {
            const auto callee = static_cast<FunctionId>(e.imm);
            if (callee == root_ || callees_.of(callee).contains(root_)) return id;
        }
        for (std::size_t i = 0; i < e.arg_count; ++i)
            if (auto found = check(program_.argument(id, i), monotone && grows_with(e.op, i))) return found;
        return {};
    }

private:
    const ir::Program& program_;
    Callees& callees_;
    FunctionId root_;
    std::set<std::pair<ExprId, bool>> seen_;
};

} // namespace

std::optional<ExprId> unstratified_call(const ir::Program& program, FunctionId function) {
    Callees callees(program);
    return Strata(program, callees, function).check(program.functions[function].body, true);
}

void Finish::check_recursion() {
    for (const auto& made : instances_.all()) {
        if (!made->recursive || !made->result.ok()) continue;
        if (const auto call = unstratified_call(program_, made->function))
            error(Message::NotStratified, builder_[*call].span, {made->declaration->name});
    }
    // A function that lies on a cycle of calls is recursive, whatever its definition says.
    Callees callees(program_);
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i) {
        const auto id = static_cast<FunctionId>(i);
        if (callees.of(id).contains(id)) program_.functions[id].recursive = true;
    }
}

namespace {

// The rules that an expression asks about.
void asked_rules(const ir::Program& program, ExprId id, std::set<ExprId>& seen, std::set<ir::RuleId>& rules) {
    if (!valid(id) || !seen.insert(id).second) return;
    const auto& e = program.exprs[id];
    if (e.op == Op::Can) rules.insert(static_cast<ir::RuleId>(e.imm));
    if (e.op == Op::Call) asked_rules(program, program.functions[static_cast<FunctionId>(e.imm)].body, seen, rules);
    for (ExprId arg : program.arguments(id)) asked_rules(program, arg, seen, rules);
}

void asked_by_effects(const ir::Program& program, const std::vector<ir::EffectId>& effects, std::set<ExprId>& seen,
                      std::set<ir::RuleId>& rules) {
    for (auto id : effects) {
        const ir::Effect& effect = program.effects[id];
        for (ExprId index : effect.indices) asked_rules(program, index, seen, rules);
        asked_rules(program, effect.value, seen, rules);
        asked_by_effects(program, effect.yes, seen, rules);
        asked_by_effects(program, effect.no, seen, rules);
    }
}

std::set<ir::RuleId> asked_by(const ir::Program& program, const ir::Rule& rule) {
    std::set<ExprId> seen;
    std::set<ir::RuleId> rules;
    for (const auto& clause : rule.when) asked_rules(program, clause.expr, seen, rules);
    for (const auto& clause : rule.ensure) asked_rules(program, clause.expr, seen, rules);
    if (rule.ensure.empty()) return rules;
    // `ensure` reads the state after the effects, so their questions count as well.
    for (const auto& block : rule.then) {
        for (const auto& clause : block.lets) asked_rules(program, clause.expr, seen, rules);
        asked_by_effects(program, block.effects, seen, rules);
    }
    return rules;
}

} // namespace

std::optional<ir::RuleId> self_asking_rule(const ir::Program& program) {
    std::vector<std::set<ir::RuleId>> asks;
    for (const auto& rule : program.rules) asks.push_back(asked_by(program, rule));
    for (std::size_t i = 0; i < asks.size(); ++i) {
        std::set<ir::RuleId> reached = asks[i];
        std::vector<ir::RuleId> open(reached.begin(), reached.end());
        while (!open.empty()) {
            const auto at = open.back();
            open.pop_back();
            for (auto next : asks[index(at)])
                if (reached.insert(next).second) open.push_back(next);
        }
        if (reached.contains(static_cast<ir::RuleId>(i))) return static_cast<ir::RuleId>(i);
    }
    return {};
}

// Neither rules nor `turn` may ask whether there are moves, not even through a definition.
void Finish::check_stuck() {
    std::set<ExprId> seen;
    std::set<ir::RuleId> rules;
    const auto clauses = [&](const std::vector<ir::Clause>& list) {
        for (const auto& clause : list) asked_rules(program_, clause.expr, seen, rules);
    };
    const auto blocks = [&](const std::vector<ir::Block>& list) {
        for (const auto& block : list) {
            clauses(block.lets);
            asked_by_effects(program_, block.effects, seen, rules);
        }
    };
    const auto judge = [&](Span at) {
        if (std::ranges::any_of(seen, [&](ExprId id) { return builder_[id].op == Op::Stuck; }))
            error(Message::StuckHere, at);
        seen.clear();
    };
    for (const auto& rule : program_.rules) {
        clauses(rule.when);
        clauses(rule.ensure);
        asked_rules(program_, rule.weight, seen, rules);
        blocks(rule.then);
        judge(rule.span);
    }
    if (!program_.turn) return;
    for (const auto& chain : program_.turn->chains) {
        asked_rules(program_, chain.most, seen, rules);
        for (ExprId summand : chain.most_sum) asked_rules(program_, summand, seen, rules);
    }
    if (program_.turn->by)
        for (ExprId part : program_.turn->by->parts) asked_rules(program_, part, seen, rules);
    blocks(program_.turn->then);
    const InTree scope(context_, symbols_.turn().tree);
    judge(span(symbols_.turn().id));
}

// Notation, and which moves are loud, depend on the position alone, neither on the rules nor on the history.
void Finish::check_questions() {
    std::set<ExprId> seen;
    const auto check = [&](ExprId root, const char* what = "a notation") {
        std::set<ir::RuleId> rules;
        seen.clear();
        asked_rules(program_, root, seen, rules);
        const auto asks = [&](ExprId id) {
            return builder_[id].op == Op::Stuck || builder_[id].op == Op::Can || builder_[id].op == Op::Earlier;
        };
        if (const auto found = std::ranges::find_if(seen, asks); found != seen.end())
            error(Message::NotationAsks, builder_[root].span, {std::string(ir::op_text(builder_[*found].op)), what});
    };
    const auto parts = [&](const std::vector<ir::NotationPart>& all) {
        for (const auto& part : all) {
            check(part.when);
            check(part.expr);
        }
    };
    for (ExprId loud : program_.loud) check(loud, "`loud`");
    for (const auto& of_rule : program_.notations)
        for (const auto& notation : of_rule) {
            for (const auto& clause : notation.when) check(clause.expr);
            parts(notation.text);
            if (notation.later) parts(*notation.later);
        }
}

void Finish::check_can_cycles() {
    if (const auto rule = self_asking_rule(program_))
        error(Message::CanCycle, program_.rules[*rule].span, {program_.rules[*rule].name});
}

} // namespace zug::lang
