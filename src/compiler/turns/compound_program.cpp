#include "compiler/turns/compound_program.hpp"

#include "compiler/analysis/move_injectivity.hpp"
#include "compiler/turns/compound_rule.hpp"
#include "compiler/turns/turn_variants.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace zug::run {
namespace {

using ir::RuleId;

// The codes of moves stay below this.
constexpr std::uint64_t most_codes = std::uint64_t{1} << 40;

// Whether it is asked which moves are legal, which here would be steps.
bool asks_for_steps(const ir::Program& program) {
    return std::ranges::any_of(program.exprs, [](const ir::Expr& x) { return x.op == ir::Op::Can; });
}

// Whether no two turns that are possible in one position are the same move.
class Distinctness {
public:
    Distinctness(const ir::Program& program, Passes& passes) : program_(program), passes_(passes) {}

    bool of(const std::vector<TurnVariant>& variants) {
        for (const TurnVariant& variant : variants)
            if (std::ranges::count(variants, variant.steps, &TurnVariant::steps) > 1) return false;
        if (program_.turn->by_steps) return true;
        for (const TurnVariant& first : variants) {
            if (first.may_differ) return false;
            if (first.steps.empty()) continue;
            TurnSteps steps;
            std::size_t turns = 0;
            for (const TurnVariant& other : variants) {
                if (other.steps.empty() || other.steps[0] != first.steps[0]) continue;
                if (!merge(other.steps, steps.rules)) return false;
                ++turns;
            }
            for (const RuleId rule : steps.rules) steps.always.push_back(turns == with(rule, first.steps[0], variants));
            const Distinct result = distinct_results(program_, steps, passes_);
            if (!result.proved || result.from_initial_locals) return false;
        }
        return true;
    }

private:
    // Inserts rules into a sequence that is to contain them in this order, each once.
    static bool merge(const std::vector<RuleId>& steps, std::vector<RuleId>& all) {
        std::size_t at = 0;
        for (const RuleId rule : steps) {
            if (std::ranges::count(steps, rule) > 1) return false;
            auto known = static_cast<std::size_t>(std::ranges::find(all, rule) - all.begin());
            if (known < at) return false;
            if (known == all.size()) all.insert(all.begin() + static_cast<std::ptrdiff_t>(known = at), rule);
            at = known + 1;
        }
        return true;
    }

    // How many variants that begin with `first` have a step of this rule.
    static std::size_t with(RuleId rule, RuleId first, const std::vector<TurnVariant>& variants) {
        return static_cast<std::size_t>(std::ranges::count_if(variants, [&](const TurnVariant& variant) {
            return !variant.steps.empty() && variant.steps[0] == first &&
                   std::ranges::find(variant.steps, rule) != variant.steps.end();
        }));
    }

    const ir::Program& program_;
    Passes& passes_;
};

class Builder {
public:
    Builder(const ir::Program& written, std::vector<TurnVariant> variants)
        : written_(written), variants_(std::move(variants)), program_(written) {}

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

    std::vector<std::vector<CompoundMoves::Step>> steps;
    ir::Program& program() { return program_; }

private:
    CompoundMoves::Step step_of(RuleId id) const {
        return {id, written_.rules[id].first_code, written_.rules[id].code_count};
    }

    void keep(RuleId chance) {
        rules_.push(written_.rules[chance]);
        program_.loud.push_back(none_id<ir::ExprId>);
        steps.push_back({step_of(chance)});
    }

    bool add(const TurnVariant& variant) {
        if (variant.steps.size() > CompoundMoves::most_steps) return false;
        const std::vector<ir::Block>& end = written_.turn->then;
        CompoundRule compound(program_);
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
    std::vector<TurnVariant> variants_;
    ir::Program program_;
    IdVector<RuleId, ir::Rule> rules_; // that program_ will have; till then it has those of the steps
};

} // namespace

std::shared_ptr<const CompoundMoves> compound_moves(const std::shared_ptr<const ir::Program>& program, Passes& passes) {
    if (!program->turn || !passes.on(Pass::CompoundMoves) || asks_for_steps(*program)) return nullptr;
    const Passes::Timer timer(passes, Pass::CompoundMoves);
    ++passes[Pass::CompoundMoves].runs;
    auto variants = turn_variants(*program->turn);
    if (!variants || !Distinctness(*program, passes).of(*variants)) return nullptr;
    Builder builder(*program, std::move(*variants));
    if (!builder.build()) return nullptr;
    auto result = std::make_shared<CompoundMoves>();
    result->written = program;
    result->program = std::make_shared<const ir::Program>(std::move(builder.program()));
    result->steps = std::move(builder.steps);
    passes.changed(Pass::CompoundMoves, result->steps.size());
    return result;
}

} // namespace zug::run
