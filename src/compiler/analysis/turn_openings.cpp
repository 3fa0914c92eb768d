#include "compiler/analysis/turn_openings.hpp"

#include <array>

namespace zug::run {
namespace {

using Repeat = ir::PlanStep::Repeat;

class Openings {
public:
    explicit Openings(const ir::Program& program) : program_(program), plan_(*program.turn) {}

    // `whole`: no chain is better than another, and no step follows but one of the rule `then`, if it can be made.
    // False: some chain may do without its first step and yet go on, so that what comes first is not clear.
    bool add(const std::vector<std::uint32_t>& alternatives, bool whole, ir::RuleId then) {
        for (const auto c : alternatives) {
            const ir::PlanChain& chain = plan_.chains[c];
            if (chain.steps.empty()) return false;
            const ir::PlanStep& first = chain.steps.front();
            const bool once = first.repeat == Repeat::One || first.repeat == Repeat::Optional;
            const bool needed = first.repeat == Repeat::One || first.repeat == Repeat::Plus;
            if (chain.steps.size() > 1 && !needed) return false;
            bool early_exit = whole && once && !valid(chain.most) && chain.most_sum.empty();
            ir::RuleId next = then;
            if (chain.steps.size() > 1) {
                const ir::PlanStep& second = chain.steps[1];
                early_exit = early_exit && chain.steps.size() == 2 && !valid(then) &&
                             second.repeat == Repeat::Optional && valid(second.rule) &&
                             program_.rules[second.rule].ensure.empty();
                next = second.rule;
            }
            if (!valid(first.rule)) {
                if (!add(first.group, early_exit, next)) return false;
                continue;
            }
            openings.push_back({.rule = first.rule});
            if (!program_.rules[first.rule].ensure.empty()) continue;
            if (early_exit) tell(openings.back(), next);
            if (whole && chain.steps.size() == 1 && first.repeat == Repeat::Plus && !valid(then) &&
                !valid(chain.most) && chain.most_sum.empty())
                tell_unless(openings.back());
        }
        return true;
    }

    std::vector<TurnOpening> openings;

private:
    void tell(TurnOpening& opening, ir::RuleId then) const {
        const std::array steps{opening.rule, then};
        const Distinct distinct = distinct_results(program_, {steps.data(), valid(then) ? std::size_t{2} : 1});
        if (!distinct.proved && !plan_.by_steps) return;
        opening.whole = !valid(then);
        opening.then = then;
        opening.from_initial_locals = !plan_.by_steps && distinct.from_initial_locals;
    }

    // Of one that is made again and again.
    void tell_unless(TurnOpening& opening) const {
        const Distinct distinct = distinct_results(program_, {&opening.rule, 1});
        if (!distinct.proved && !plan_.by_steps) return;
        opening.unless = opening.rule;
        opening.from_initial_locals = !plan_.by_steps && distinct.from_initial_locals;
    }

    const ir::Program& program_;
    const ir::TurnPlan& plan_;
};

} // namespace

std::vector<TurnOpening> turn_openings(const ir::Program& program) {
    Openings openings(program);
    if (!openings.add(program.turn->alternatives, true, none_id<ir::RuleId>)) openings.openings.clear();
    return std::move(openings.openings);
}

} // namespace zug::run
