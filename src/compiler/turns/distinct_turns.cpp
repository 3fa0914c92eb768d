#include "compiler/turns/distinct_turns.hpp"

#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/turns/rule_copy.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace zug::run {

using ir::RuleId;

namespace {

// The rule under other names, added to the program. nullopt: something cannot be expressed.
std::optional<RuleId> add_copy(ir::Program& program, RuleId id) {
    RuleCopy copy(program);
    const ir::Rule rule = program.rules[id];
    ir::Rule other = rule;
    for (ir::VarId& param : other.params) param = copy.renamed(param);
    other.when.clear();
    other.then.clear();
    other.ensure.clear();
    if (!copy.clauses(rule.when, other.when)) return std::nullopt;
    ir::ExprId loud = program.loud_when(id);
    if (valid(loud))
        if (loud = copy(loud); !valid(loud)) return std::nullopt;
    for (const ir::Block& block : rule.then)
        if (!copy.block(block, other.then.emplace_back())) return std::nullopt;
    if (!copy.clauses(rule.ensure, other.ensure)) return std::nullopt;
    if (!program.loud.empty()) program.loud.push_back(loud);
    return program.rules.push(std::move(other));
}

} // namespace

std::vector<RuleId> tell_steps_apart(ir::Program& program, std::vector<TurnVariant>& variants) {
    const std::size_t rules = program.rules.size();
    std::vector<RuleId> original;
    for (std::size_t r = 0; r < rules; ++r) original.push_back(static_cast<RuleId>(r));
    std::vector<std::vector<RuleId>> copies(rules); // by rule: itself, then its copies
    for (std::size_t r = 0; r < rules; ++r) copies[r].push_back(static_cast<RuleId>(r));
    for (TurnVariant& variant : variants) {
        std::vector<std::size_t> used(rules);
        for (RuleId& step : variant.steps) {
            const std::size_t r = index(step), k = used[r]++;
            if (k == copies[r].size()) {
                const auto copy = add_copy(program, step);
                if (!copy) return {};
                copies[r].push_back(*copy);
                original.push_back(step);
            }
            step = copies[r][k];
        }
    }
    return original;
}

namespace {

// Of variants that begin with the same rule: the steps of all, in an order that each keeps.
class CommonSteps {
public:
    // False: there is no such order.
    bool add(const TurnVariant& variant, const Ascending& ascending) {
        std::size_t at = 0;
        for (std::size_t k = 0; k < variant.steps.size(); ++k) {
            const RuleId rule = variant.steps[k];
            auto known = static_cast<std::size_t>(std::ranges::find(steps_.rules, rule) - steps_.rules.begin());
            if (known < at) return false;
            if (known == steps_.rules.size()) insert(known = at, rule);
            ++turns_with_[known];
            steps_.kinds[known] |= std::uint32_t{1} << turns_; // there are at most 24
            if (ascending[k]) {
                ++ascending_in_[known];
                before_[known] = variant.steps[k - 1];
            }
            at = known + 1;
        }
        ++turns_;
        return true;
    }

    // nullopt: the variants disagree on which steps can be exchanged. (Where they agree, one that can be is made only
    // after the one before, so that their number tells which were made.)
    std::optional<TurnSteps> steps() && {
        for (std::size_t i = 0; i < steps_.rules.size(); ++i) {
            steps_.always.push_back(turns_with_[i] == turns_);
            steps_.ascending.push_back(ascending_in_[i] > 0);
            if (ascending_in_[i] == 0) continue;
            if (ascending_in_[i] != turns_with_[i] || steps_.rules[i - 1] != before_[i]) return std::nullopt;
        }
        return std::move(steps_);
    }

private:
    void insert(std::size_t at, RuleId rule) {
        const auto offset = static_cast<std::ptrdiff_t>(at);
        steps_.rules.insert(steps_.rules.begin() + offset, rule);
        turns_with_.insert(turns_with_.begin() + offset, 0);
        steps_.kinds.insert(steps_.kinds.begin() + offset, 0);
        ascending_in_.insert(ascending_in_.begin() + offset, 0);
        before_.insert(before_.begin() + offset, none_id<RuleId>);
    }

    TurnSteps steps_;
    std::size_t turns_ = 0;
    std::vector<std::size_t> turns_with_, ascending_in_; // by step
    std::vector<RuleId> before_;                         // of one that is in ascending order, with which
};

// The steps of all variants that begin with this rule. nullopt: they have no order, or nothing is known of them.
std::optional<TurnSteps> steps_after(RuleId begin, const std::vector<TurnVariant>& variants,
                                     const std::vector<Ascending>& ascending) {
    CommonSteps common;
    for (std::size_t v = 0; v < variants.size(); ++v)
        if (!variants[v].steps.empty() && variants[v].steps[0] == begin && !common.add(variants[v], ascending[v]))
            return std::nullopt;
    return std::move(common).steps();
}

} // namespace

void name_single_members(ir::Program& program) {
    ExpressionBuilder builder(program);
    replace_each(program, [&](ir::ExprId e) {
        const ir::Expr x = program.exprs[e];
        if (x.op != ir::Op::Union && x.op != ir::Op::Diff) return false;
        for (std::size_t i = 0; i < x.arg_count; ++i) {
            const ir::ExprId arg = program.argument(e, i);
            if (program.exprs[arg].op != ir::Op::Image || !leads_to_one(program, arg)) continue;
            const ir::TypeId site = program.types.optional(program.types.inner(x.type));
            const ir::ExprId member = builder.make(ir::Op::The, site, 0, {arg}, x.span);
            program.args[x.first_arg + i] = builder.make(ir::Op::Single, x.type, 0, {member}, x.span);
        }
        return true;
    });
}

std::vector<bool> distinct_turns(const ir::Program& program, const std::vector<TurnVariant>& variants,
                                 const std::vector<Ascending>& ascending, bool local_start, Passes& passes) {
    const std::vector<bool> none(variants.size(), false);
    const auto is_twice = [&](const TurnVariant& variant) {
        return std::ranges::count(variants, variant.steps, &TurnVariant::steps) > 1;
    };
    if (std::ranges::any_of(variants, is_twice)) return none;
    if (program.turn->by_steps) return std::vector<bool>(variants.size(), true);
    if (std::ranges::any_of(variants, &TurnVariant::may_differ)) return none;
    std::map<RuleId, bool> known; // by the first step: turns with different ones exclude each other
    std::vector<bool> result;
    for (const TurnVariant& variant : variants) {
        if (variant.steps.empty()) {
            result.push_back(true);
            continue;
        }
        const RuleId begin = variant.steps[0];
        if (!known.contains(begin)) {
            const auto steps = steps_after(begin, variants, ascending);
            const Distinct found = steps ? distinct_results(program, *steps, passes) : Distinct{};
            known[begin] = found.proved && (local_start || !found.from_initial_locals);
        }
        result.push_back(known[begin]);
    }
    return result;
}

} // namespace zug::run
