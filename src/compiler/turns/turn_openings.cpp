#include "compiler/turns/turn_openings.hpp"

namespace zug::run {
namespace {

using Repeat = ir::PlanStep::Repeat;

class Openings {
public:
    Openings(const ir::Program& program, Passes& passes) : program_(program), plan_(*program.turn), passes_(passes) {}

    // Adds the first steps of these chains. `whole`: no chain takes precedence over another, and the only step that may
    // follow is one of the rule `then`. False: some chain can skip its first step and continue, so that the first step
    // does not determine the alternative.
    bool add(const std::vector<std::uint32_t>& alternatives, bool whole, ir::RuleId then) {
        for (const auto c : alternatives) {
            const ir::PlanChain& chain = plan_.chains[c];
            if (chain.steps.empty()) return false;
            const ir::PlanStep& first = chain.steps.front();
            const bool once = first.repeat == Repeat::One || first.repeat == Repeat::Optional;
            const bool needed = first.repeat == Repeat::One || first.repeat == Repeat::Plus;
            if (chain.steps.size() > 1 && !needed) return false;
            bool single = whole && once && !first.may && !valid(chain.most) && chain.most_sum.empty();
            ir::RuleId next = then;
            if (chain.steps.size() > 1) {
                const ir::PlanStep& second = chain.steps[1];
                single = single && chain.steps.size() == 2 && !valid(then) && second.repeat == Repeat::Optional &&
                         !second.may && valid(second.rule) && program_.rules[second.rule].ensure.empty();
                next = second.rule;
            }
            if (!valid(first.rule)) {
                if (!add(first.group, single, next)) return false;
                continue;
            }
            openings.push_back({.rule = first.rule});
            if (!program_.rules[first.rule].ensure.empty()) continue;
            if (single) note_continuation(openings.back(), next);
            if (whole && chain.steps.size() == 1 && first.repeat == Repeat::Plus && !first.may && !valid(then) &&
                !valid(chain.most) && chain.most_sum.empty())
                note_repeatable(openings.back());
        }
        return true;
    }

    std::vector<TurnOpening> openings;

private:
    // The step is a whole turn, or is followed by at most one step of the rule `then`.
    void note_continuation(TurnOpening& opening, ir::RuleId then) const {
        TurnSteps steps{{opening.rule}, {true}};
        if (valid(then) && then == opening.rule && !plan_.by_steps) return;
        if (valid(then)) steps = {{opening.rule, then}, {true, false}};
        const Distinct distinct = distinct_results(program_, steps, passes_);
        if (!distinct.proved && !plan_.by_steps) return;
        opening.whole = !valid(then);
        opening.then = then;
        opening.from_initial_locals = !plan_.by_steps && distinct.from_initial_locals;
    }

    // A step that is repeated for as long as it is possible is a whole turn unless another one can follow.
    void note_repeatable(TurnOpening& opening) const {
        const Distinct distinct = distinct_results(program_, {{opening.rule}, {true}}, passes_);
        if (!distinct.proved && !plan_.by_steps) return;
        opening.unless = opening.rule;
        opening.from_initial_locals = !plan_.by_steps && distinct.from_initial_locals;
    }

    const ir::Program& program_;
    const ir::TurnPlan& plan_;
    Passes& passes_;
};

std::string text_of(const ir::Program& program, const TurnOpening& opening) {
    const auto name = [&](ir::RuleId id) { return "`" + program.rules[id].name + "`"; };
    std::string text = name(opening.rule) + " can begin a turn";
    if (opening.whole) text += ", and is one";
    if (valid(opening.then)) text += ", and may be followed by " + name(opening.then);
    if (valid(opening.unless)) text += ", and is one unless " + name(opening.unless) + " can follow";
    if (opening.from_initial_locals) text += ", if local variables have their initial values";
    return text + "\n";
}

} // namespace

std::vector<TurnOpening> turn_openings(const ir::Program& program, Passes& passes) {
    if (!passes.on(Pass::TurnOpenings)) return {};
    const Passes::Timer timer(passes, Pass::TurnOpenings);
    Openings openings(program, passes);
    if (!openings.add(program.turn->alternatives, true, none_id<ir::RuleId>)) openings.openings.clear();
    ++passes[Pass::TurnOpenings].runs;
    passes.changed(Pass::TurnOpenings, openings.openings.size());
    if (passes.dumps(Pass::TurnOpenings))
        for (const TurnOpening& opening : openings.openings) passes.dump(std::nullopt, text_of(program, opening));
    return std::move(openings.openings);
}

} // namespace zug::run
