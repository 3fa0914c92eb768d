#include "run/turn_leads.hpp"

namespace zug::run {
namespace {

using Repeat = ir::PlanStep::Repeat;

class Leads {
public:
    explicit Leads(const ir::Program& program) : program_(program), plan_(*program.turn) {}

    // `whole`: no step follows, and no chain is better than another. False: some chain may do without its first step
    // and yet go on, so that what comes first is not clear.
    bool add(const std::vector<std::uint32_t>& alternatives, bool whole) {
        for (const auto c : alternatives) {
            const ir::PlanChain& chain = plan_.chains[c];
            if (chain.steps.empty()) return false;
            const ir::PlanStep& first = chain.steps.front();
            const bool once = first.repeat == Repeat::One || first.repeat == Repeat::Optional;
            const bool needed = first.repeat == Repeat::One || first.repeat == Repeat::Plus;
            if (chain.steps.size() > 1 && !needed) return false;
            const bool alone = whole && chain.steps.size() == 1 && once && !valid(chain.most) && chain.most_sum.empty();
            if (!valid(first.rule)) {
                if (!add(first.group, alone)) return false;
                continue;
            }
            leads.push_back({.rule = first.rule});
            if (alone && program_.rules[first.rule].ensure.empty()) tell(leads.back());
        }
        return true;
    }

    std::vector<TurnLead> leads;

private:
    void tell(TurnLead& lead) const {
        const Distinct distinct = distinct_results(program_, {&lead.rule, 1});
        lead.whole = distinct.proved || plan_.by_steps;
        lead.from_initial_locals = !plan_.by_steps && distinct.from_initial_locals;
    }

    const ir::Program& program_;
    const ir::TurnPlan& plan_;
};

} // namespace

std::vector<TurnLead> turn_leads(const ir::Program& program) {
    Leads leads(program);
    if (!leads.add(program.turn->alternatives, true)) leads.leads.clear();
    return std::move(leads.leads);
}

} // namespace zug::run
