#include "compiler/turns/turn_variants.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace zug::run {
namespace {

using Variants = std::vector<TurnVariant>;
using Repeat = ir::PlanStep::Repeat;

class Expansion {
public:
    explicit Expansion(const ir::TurnPlan& plan) : plan_(plan) {}

    bool failed = false;

    bool may_be_empty(const std::vector<std::uint32_t>& alternatives) const {
        return std::ranges::any_of(alternatives, [&](std::uint32_t c) {
            return std::ranges::all_of(plan_.chains[c].steps, [&](const ir::PlanStep& step) { return optional(step); });
        });
    }

    // The turns of at least one step that these alternatives give.
    Variants group(const std::vector<std::uint32_t>& alternatives) {
        Variants all;
        Absence earlier;
        for (const std::uint32_t c : alternatives) {
            if (is_open(c))
                failed = failed || &alternatives != &plan_.alternatives;
            else
                add_turns(c, earlier, all);
            const Variants ways = possible(c);
            earlier.ways.insert(earlier.ways.end(), ways.begin(), ways.end());
        }
        return all;
    }

    // Whether the alternative has turns of any number of steps, or compares them.
    bool is_open(std::uint32_t c) const {
        const ir::PlanChain& chain = plan_.chains[c];
        return valid(chain.most) || !chain.most_sum.empty() ||
               std::ranges::any_of(chain.steps, [&](const ir::PlanStep& step) {
                   return step.repeat == Repeat::Star || step.repeat == Repeat::Plus ||
                          std::ranges::any_of(step.group, [&](std::uint32_t inner) { return is_open(inner); });
               });
    }

    void add_rules(std::uint32_t c, std::vector<ir::RuleId>& rules) const {
        for (const ir::PlanStep& step : plan_.chains[c].steps) {
            if (valid(step.rule)) rules.push_back(step.rule);
            for (const std::uint32_t inner : step.group) add_rules(inner, rules);
        }
    }

    // Variants one of which is possible wherever the group has a turn of at least one step.
    Variants possible(const std::vector<std::uint32_t>& alternatives) {
        Variants all;
        for (const std::uint32_t c : alternatives)
            for (TurnVariant& variant : possible(c)) add(std::move(variant), all);
        return all;
    }

private:
    static constexpr std::size_t most = 24;

    // The step is left out where it can't be made.
    bool optional(const ir::PlanStep& step) const {
        return step.repeat == Repeat::Optional || step.repeat == Repeat::Star ||
               (!valid(step.rule) && may_be_empty(step.group));
    }

    void add_turns(std::uint32_t c, const Absence& earlier, Variants& all) {
        for (TurnVariant& variant : chain(plan_.chains[c].steps)) {
            if (variant.steps.empty()) continue;
            if (!earlier.ways.empty()) variant.absent.insert(variant.absent.begin(), earlier);
            add(std::move(variant), all);
        }
    }

    void add(TurnVariant&& variant, Variants& to) {
        if (to.size() < most)
            to.push_back(std::move(variant));
        else
            failed = true;
    }

    // What follows the last step that has to be made can be left out.
    Variants possible(std::uint32_t c) {
        std::vector<ir::PlanStep> steps = plan_.chains[c].steps;
        const auto needed = std::find_if(steps.rbegin(), steps.rend(), [&](auto& step) { return !optional(step); });
        if (needed != steps.rend()) {
            steps.erase(needed.base(), steps.end());
            if (steps.back().repeat == Repeat::Plus) steps.back().repeat = Repeat::One;
        }
        Variants all = chain(steps);
        std::erase_if(all, [](const TurnVariant& variant) { return variant.steps.empty(); });
        return all;
    }

    Variants chain(const std::vector<ir::PlanStep>& steps) {
        Variants all(1);
        for (const ir::PlanStep& step : steps) {
            if (step.repeat == Repeat::Star || step.repeat == Repeat::Plus) failed = true;
            if (failed) return {};
            const Variants items = valid(step.rule) ? Variants{{{step.rule}, {}, false}} : group(step.group);
            const bool left_out = step.may || optional(step);
            Variants longer;
            for (const TurnVariant& variant : all) {
                const bool chosen = variant.steps.empty() && step.may;
                for (const TurnVariant& item : items) add(joined(variant, item, chosen), longer);
                if (!left_out) continue;
                TurnVariant without = variant;
                without.may_differ = without.may_differ || chosen;
                if (!step.may) without.absent.push_back({variant.steps.size(), ways(step)});
                add(std::move(without), longer);
            }
            all = std::move(longer);
        }
        return all;
    }

    Variants ways(const ir::PlanStep& step) {
        return valid(step.rule) ? Variants{{{step.rule}, {}, false}} : possible(step.group);
    }

    static TurnVariant joined(const TurnVariant& first, const TurnVariant& then, bool chosen) {
        TurnVariant both = first;
        both.may_differ = first.may_differ || chosen || (first.steps.empty() && then.may_differ);
        for (Absence absence : then.absent) {
            absence.at += first.steps.size();
            both.absent.push_back(std::move(absence));
        }
        both.steps.insert(both.steps.end(), then.steps.begin(), then.steps.end());
        return both;
    }

    const ir::TurnPlan& plan_;
};

// Whether it has a step where it says that there can be none like it.
bool contradicts_itself(const TurnVariant& variant) {
    return std::ranges::any_of(variant.absent, [&](const Absence& absence) {
        const auto rest = std::span(variant.steps).subspan(absence.at);
        return std::ranges::any_of(absence.ways, [&](const TurnVariant& way) {
            return way.absent.empty() && !way.steps.empty() && way.steps.size() <= rest.size() &&
                   std::ranges::equal(way.steps, rest.first(way.steps.size()));
        });
    });
}

} // namespace

std::optional<TurnVariants> turn_variants(const ir::TurnPlan& plan) {
    Expansion expansion(plan);
    TurnVariants result;
    for (const std::uint32_t c : plan.alternatives)
        if (expansion.is_open(c)) expansion.add_rules(c, result.others);
    result.partial = !result.others.empty();
    result.all = expansion.group(plan.alternatives);
    if (expansion.may_be_empty(plan.alternatives)) {
        expansion.failed = expansion.failed || result.partial;
        result.all.push_back({{}, {{0, expansion.possible(plan.alternatives)}}, false});
    }
    std::erase_if(result.all, contradicts_itself);
    return expansion.failed || result.all.empty() ? std::nullopt : std::optional(std::move(result));
}

} // namespace zug::run
