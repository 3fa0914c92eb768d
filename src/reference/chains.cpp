#include "reference/chains.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

ChainSearch::ChainSearch(const Reference& game, const Slots& start, const HistoryNode* history)
    : game_(game), plan_(*game.program().turn), start_(start), history_(history), asker_(game) {
    asker_.set_me(game.mover(start));
}

std::vector<Run> ChainSearch::moves() {
    Run start;
    start.slots = start_;
    start.sums.resize(plan_.chains.size());
    std::vector<Run> runs;
    first_possible(plan_.alternatives, start, runs);
    const bool may_do_nothing = std::ranges::any_of(plan_.alternatives, [&](auto c) { return may_be_empty(c); });
    if (runs.empty() && may_do_nothing) runs.push_back(start);
    if (!fault_) finish(runs);
    if (fault_) runs.clear();
    return runs;
}

ChainSearch::Future ChainSearch::future(const Run& run) {
    std::vector<std::uint64_t> sums;
    for (const double sum : run.sums) sums.push_back(std::bit_cast<std::uint64_t>(sum + 0.0)); // -0.0 is 0.0
    return {run.slots, sums, run.turn};
}

// -- the plan

// `a else b`: the runs of at least one step of the first alternative that has one.
void ChainSearch::first_possible(const std::vector<std::uint32_t>& alternatives, const Run& from,
                                 std::vector<Run>& out) {
    for (const std::uint32_t alternative : alternatives) {
        std::vector<Run> runs;
        chain(alternative, from, runs);
        std::erase_if(runs, [&](const Run& run) { return run.steps.size() == from.steps.size(); });
        if (runs.empty()) continue;
        keep_most(alternative, from, runs);
        out.insert(out.end(), runs.begin(), runs.end());
        return;
    }
}

// `a b`: each of the steps continues what those before it led to.
void ChainSearch::chain(std::uint32_t chain, const Run& from, std::vector<Run>& out) {
    std::vector<Run> runs{from};
    for (const ir::PlanStep& next_step : plan_.chains[chain].steps) {
        std::vector<Run> next;
        for (const Run& run : runs) step(next_step, run, next);
        runs = std::move(next);
    }
    out.insert(out.end(), runs.begin(), runs.end());
}

// `most e` and `most sum d`.
void ChainSearch::keep_most(std::uint32_t chain, const Run& from, std::vector<Run>& runs) {
    const ir::PlanChain& of = plan_.chains[chain];
    if (!valid(of.most) && of.most_sum.empty()) return;
    std::vector<double> values;
    for (const Run& run : runs)
        values.push_back(valid(of.most) ? most(chain, run) : run.sums[chain] - from.sums[chain]);
    const double best = *std::ranges::max_element(values);
    std::vector<Run> kept;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (values[i] == best) kept.push_back(runs[i]);
    runs = std::move(kept);
}

// `a`, `a?`, `a*` and `a+`, and `may a`, `may a*` and `may a+`.
void ChainSearch::step(const ir::PlanStep& step, const Run& from, std::vector<Run>& out) {
    std::set<Future> met;
    if (step.repeat == Repeat::Star) return as_long_as_possible(step, from, out, met);
    std::vector<Run> runs;
    once(step, from, runs);
    const bool left_out = step.repeat == Repeat::Optional && (step.may || runs.empty());
    if (left_out || (runs.empty() && may_be_empty(step))) out.push_back(from);
    if (step.repeat != Repeat::Plus) {
        out.insert(out.end(), runs.begin(), runs.end());
        return;
    }
    for (const Run& run : runs) as_long_as_possible(step, run, out, met);
}

// Runs that have the same future are continued once, or a chain that comes back to a position would never end. Depth
// first, so that the first that is found is the first in the order of step codes.
void ChainSearch::as_long_as_possible(const ir::PlanStep& step, const Run& from, std::vector<Run>& out,
                                      std::set<Future>& met) {
    if (fault_ || (!plan_.by_steps && !met.insert(future(from)).second)) return;
    std::vector<Run> runs;
    once(step, from, runs);
    if (runs.empty() || step.may) out.push_back(from);
    for (const Run& run : runs) as_long_as_possible(step, run, out, met);
}

// The rule or group of the step, with at least one step made.
void ChainSearch::once(const ir::PlanStep& step, const Run& from, std::vector<Run>& out) {
    if (fault_ || game_.out_of_work()) return;
    if (valid(step.rule))
        rule(step.rule, from, out);
    else
        first_possible(step.group, from, out);
}

// The instances of the rule whose `ensure` holds, in the order of step codes.
void ChainSearch::rule(ir::RuleId id, const Run& from, std::vector<Run>& out) {
    const ir::Program& program = game_.program();
    const ir::Rule& rule = program.rules[id];
    const bool between_moves = from.steps.empty();
    asker_.read(from.slots, history_, between_moves);
    game_.any_instance(asker_, id, {}, [&](auto params) {
        if (!game_.work_.take(16 * (from.slots.size() + from.steps.size()))) return true;
        Run run = from;
        run.steps.push_back(*ir::encode_step(program, id, params));
        add_sums(id, run);
        auto fault = game_.apply(asker_, rule.then, run.slots, run.turn);
        if (!fault && run.steps.size() > max_chain) fault = endless_turn(rule);
        if (fault) {
            fault->rule = id;
            fail(std::move(*fault), run);
        } else if (asker_.hold(rule.ensure)) {
            out.push_back(run);
        }
        asker_.read(from.slots, history_, between_moves);
        return fault_.has_value();
    });
}

bool ChainSearch::may_be_empty(std::uint32_t chain) const {
    return std::ranges::all_of(plan_.chains[chain].steps, [&](const ir::PlanStep& step) {
        return step.repeat == Repeat::Optional || step.repeat == Repeat::Star || may_be_empty(step);
    });
}

bool ChainSearch::may_be_empty(const ir::PlanStep& step) const {
    return !valid(step.rule) && std::ranges::any_of(step.group, [&](auto chain) { return may_be_empty(chain); });
}

// -- the end of a turn

void ChainSearch::finish(std::vector<Run>& runs) {
    using Steps = std::vector<StepCode>;
    std::set<std::tuple<Slots, KeyWords, Steps>> met;
    std::vector<Run> kept;
    for (Run& run : runs) {
        KeyWords by;
        if (plan_.by) by = game_.key_words(*plan_.by, run.slots, history_, false, game_.mover(start_));
        if (!finish(run)) return;
        if (met.insert({run.slots, by, plan_.by_steps ? run.steps : Steps()}).second) kept.push_back(run);
    }
    runs = std::move(kept);
}

// The plan's `then`, and the turn passes. False: a fault.
bool ChainSearch::finish(Run& run) {
    Slots slots = run.slots;
    asker_.read(slots, history_, run.steps.empty());
    if (auto fault = game_.apply(asker_, plan_.then, slots, run.turn)) {
        fail(std::move(*fault), run);
        return false;
    }
    game_.pass_turn(slots, false, run.turn);
    run.slots = std::move(slots);
    return true;
}

// -- values

// What the step adds to each chain's `most sum`; asked before its effects.
void ChainSearch::add_sums(ir::RuleId rule, Run& run) {
    for (std::size_t c = 0; c < plan_.chains.size(); ++c) {
        const auto& sums = plan_.chains[c].most_sum;
        if (index(rule) < sums.size() && valid(sums[index(rule)])) run.sums[c] += number(sums[index(rule)]);
    }
}

double ChainSearch::most(std::uint32_t chain, const Run& run) {
    asker_.read(run.slots, history_, false);
    return number(plan_.chains[chain].most);
}

double ChainSearch::number(ir::ExprId expr) {
    const ir::Program& program = game_.program();
    const ir::Value value = asker_.eval().value(expr);
    const bool is_real = program.types.kind(program.exprs[expr].type) == ir::TypeKind::Real;
    return is_real ? value.real : static_cast<double>(value.scalar);
}

void ChainSearch::fail(Fault fault, const Run& run) {
    fault.move.assign(run.steps.begin(), run.steps.end());
    fault.slots = start_;
    fault_ = std::move(fault);
}

} // namespace zug::run
