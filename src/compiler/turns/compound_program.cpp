#include "compiler/turns/compound_program.hpp"

#include "compiler/turns/asked_steps.hpp"
#include "compiler/turns/compound_rule.hpp"
#include "compiler/turns/distinct_turns.hpp"
#include "compiler/turns/turn_variants.hpp"
#include "ir/print.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::RuleId;

// The codes of moves stay below this.
constexpr std::uint64_t most_codes = std::uint64_t{1} << 40;

class Builder {
public:
    // `original`: of each rule, that of which it is a copy.
    // `local_start`: a turn begins with the initial values of local variables.
    Builder(const ir::Program& steps, const std::vector<TurnVariant>& variants, const std::vector<RuleId>& original,
            bool local_start)
        : written_(steps), variants_(variants), original_(original), local_start_(local_start), program_(steps) {}

    bool build() {
        program_.loud.clear();
        for (std::size_t r = 0; r < written_.rules.size(); ++r)
            if (const auto id = static_cast<RuleId>(r); written_.rules[id].chance) keep(id);
        if (!std::ranges::all_of(variants_, [&](const TurnVariant& variant) { return add(variant); })) return false;
        program_.rules = std::move(rules_);
        program_.turn.reset();
        program_.notations.assign(program_.rules.size(), {});
        program_.tests.clear();
        if (!written_.has_loud()) program_.loud.clear();
        return true;
    }

    // Once it is built: removes all rules of turns but those of these variants.
    void keep_variants(const std::vector<bool>& kept) {
        IdVector<RuleId, ir::Rule> rules;
        std::vector<ir::ExprId> loud;
        std::vector<std::vector<CompoundMoves::Step>> of_kept;
        const std::size_t chances = program_.rules.size() - kept.size();
        for (std::size_t r = 0; r < program_.rules.size(); ++r) {
            if (r >= chances && !kept[r - chances]) continue;
            rules.push(std::move(program_.rules[static_cast<RuleId>(r)]));
            if (!program_.loud.empty()) loud.push_back(program_.loud[r]);
            of_kept.push_back(std::move(steps[r]));
        }
        program_.rules = std::move(rules);
        program_.loud = std::move(loud);
        program_.notations.resize(program_.rules.size());
        steps = std::move(of_kept);
    }

    // Adds conditions to all rules of turns.
    void add_to_all(const std::vector<ir::Clause>& conditions) {
        for (ir::Rule& rule : program_.rules)
            if (!rule.chance) rule.when.insert(rule.when.begin(), conditions.begin(), conditions.end());
    }

    std::vector<std::vector<CompoundMoves::Step>> steps;
    std::vector<Ascending> ascending; // by variant
    ir::Program& program() { return program_; }

private:
    CompoundMoves::Step step_of(RuleId id) const {
        return {original_[index(id)], written_.rules[id].first_code, written_.rules[id].code_count};
    }

    void keep(RuleId chance) {
        rules_.push(written_.rules[chance]);
        program_.loud.push_back(none_id<ir::ExprId>);
        steps.push_back({step_of(chance)});
    }

    bool add(const TurnVariant& variant) {
        if (variant.steps.size() > CompoundMoves::most_steps) return false;
        const std::vector<ir::Block>& end = written_.turn->then;
        CompoundRule compound(program_, local_start_);
        std::string name;
        for (std::size_t k = 0; k <= variant.steps.size(); ++k) {
            for (const Absence& absence : variant.absent)
                if (absence.at == k && !compound.forbid(absence)) return false;
            if (k == variant.steps.size()) break;
            const ir::Rule& step = written_.rules[variant.steps[k]];
            const bool last = k + 1 == variant.steps.size() && end.empty() && !absent_after(variant);
            if (!compound.add(step, written_.loud_when(variant.steps[k]), last)) return false;
            name += (k > 0 ? " " : "") + step.name;
        }
        if (!compound.end(end)) return false;
        Ascending& in_order = ascending.emplace_back(variant.steps.size());
        for (std::size_t k = 1; k < variant.steps.size() && !written_.turn->by_steps; ++k)
            in_order[k] = compound.exchange(k - 1);
        ir::Rule rule = compound.rule();
        rule.name = name;
        return number(std::move(rule), variant, compound.loud());
    }

    static bool absent_after(const TurnVariant& variant) {
        return std::ranges::any_of(variant.absent,
                                   [&](const Absence& absence) { return absence.at == variant.steps.size(); });
    }

    // Gives the rule its codes and adds it.
    bool number(ir::Rule&& rule, const TurnVariant& variant, ir::ExprId loud) {
        std::vector<CompoundMoves::Step>& own = steps.emplace_back();
        for (const RuleId id : variant.steps) {
            own.push_back(step_of(id));
            if (own.back().code_count > most_codes / rule.code_count) return false;
            rule.code_count *= own.back().code_count;
        }
        if (!variant.steps.empty()) rule.span = written_.rules[variant.steps[0]].span;
        rule.first_code = program_.code_count;
        program_.code_count += rule.code_count;
        program_.loud.push_back(loud);
        rules_.push(std::move(rule));
        return program_.code_count < most_codes;
    }

    const ir::Program& written_;
    const std::vector<TurnVariant>& variants_;
    const std::vector<RuleId>& original_;
    bool local_start_;
    ir::Program program_;
    IdVector<RuleId, ir::Rule> rules_; // that program_ will have; till then it has those of the steps
};

// That all local variables have their initial values, or an empty list if there are none; nullopt: it cannot be said.
std::optional<std::vector<ir::Clause>> initial_locals(ir::Program& program) {
    ExpressionBuilder builder(program);
    const ir::TypeId boolean = program.types.boolean();
    std::vector<ir::Clause> all;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const ir::StateVariable variable = program.states[static_cast<ir::StateId>(s)];
        if (!variable.local || !variable.assigned) continue;
        const ir::TypeKind kind = program.types.kind(variable.value);
        const bool is_set = kind == ir::TypeKind::Set;
        const auto is_zero = [](std::uint32_t slot) { return slot == 0; };
        if (!variable.indices.empty() || kind == ir::TypeKind::Real ||
            (is_set && !std::ranges::all_of(variable.initial, is_zero)))
            return std::nullopt;
        const ExprId read = builder.make(ir::Op::StateGet, variable.value, static_cast<std::int64_t>(s), {}, {});
        if (is_set) {
            all.push_back({builder.not_(builder.make(ir::Op::Any, boolean, 0, {read}, {})), none_id<ir::VarId>});
            continue;
        }
        const std::int64_t value = program.types.value(variable.value, variable.initial[0]);
        const ExprId same = value == ir::none ? builder.make(ir::Op::IsNone, boolean, 0, {read}, {})
                                              : builder.make(ir::Op::Eq, boolean, 0,
                                                             {read, builder.constant(variable.value, value, {})}, {});
        all.push_back({same, none_id<ir::VarId>});
    }
    return all;
}

// `local_start`: only turns that begin with the initial values of local variables.
std::shared_ptr<CompoundMoves> compound_moves(const std::shared_ptr<const ir::Program>& program,
                                              const ir::Program& terms, bool local_start, Passes& passes) {
    auto variants = turn_variants(*program->turn);
    if (!variants) return nullptr;
    ir::Program steps = terms;
    if (!write_out_asked_steps(steps)) return nullptr;
    const std::vector<RuleId> original = tell_steps_apart(steps, variants->all);
    Builder builder(steps, variants->all, original, local_start);
    if (original.empty() || !builder.build()) return nullptr;
    name_single_members(steps);
    const std::vector<bool> distinct = distinct_turns(steps, variants->all, builder.ascending, local_start, passes);
    if (std::ranges::count(distinct, true) == 0) return nullptr;
    builder.keep_variants(distinct);
    if (local_start) {
        const auto conditions = initial_locals(builder.program());
        if (!conditions || conditions->empty()) return nullptr;
        builder.add_to_all(*conditions);
    }
    auto result = std::make_shared<CompoundMoves>();
    result->written = program;
    result->program = std::make_shared<const ir::Program>(std::move(builder.program()));
    result->steps = std::move(builder.steps);
    result->others = std::move(variants->others);
    for (std::size_t v = 0; v < distinct.size(); ++v)
        for (const RuleId step : variants->all[v].steps)
            if (!distinct[v]) result->others.push_back(original[index(step)]);
    result->partial = !result->others.empty();
    result->from_initial_locals = local_start;
    return result;
}

} // namespace

std::shared_ptr<const CompoundMoves> compound_moves(const std::shared_ptr<const ir::Program>& program,
                                                    const ir::Program& terms, Passes& passes) {
    if (!program->turn || !passes.on(Pass::CompoundMoves)) return nullptr;
    const Passes::Timer timer(passes, Pass::CompoundMoves);
    ++passes[Pass::CompoundMoves].runs;
    auto result = compound_moves(program, terms, false, passes);
    if (!result || result->partial)
        if (auto more = compound_moves(program, terms, true, passes);
            more && (!result || more->steps.size() > result->steps.size()))
            result = std::move(more);
    if (!result) return nullptr;
    passes.changed(Pass::CompoundMoves, result->steps.size());
    if (passes.dumps(Pass::CompoundMoves)) passes.dump(std::nullopt, ir::print_rules(*result->program));
    return result;
}

} // namespace zug::run
