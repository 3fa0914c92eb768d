// Turns of several steps, as the turn plan says (see ir/program.hpp).

#include "run/reference.hpp"

#include <algorithm>
#include <set>

namespace zug::run {

namespace {

using Repeat = ir::PlanStep::Repeat;

// Runs with equal keys have the same future, so the first of them stands for all.
auto key_of(const ChainRun& run) { return std::tuple(run.slots, run.sums, run.turn.kind, run.turn.player); }

std::vector<ChainRun> without_repeats(std::vector<ChainRun> runs) {
    std::set<decltype(key_of(runs.front()))> seen;
    std::vector<ChainRun> result;
    for (ChainRun& run : runs)
        if (seen.insert(key_of(run)).second) result.push_back(std::move(run));
    return result;
}

} // namespace

ChainSearch::ChainSearch(const Reference& game, const Slots& slots, const HistoryNode* history)
    : game_(game), plan_(*game.program().turn), start_(slots), history_(history), asker_(game) {
    asker_.set_me(game.mover(slots));
}

std::vector<ChainRun> ChainSearch::moves() {
    const ChainRun start{.slots = start_, .steps = {}, .sums = std::vector<double>(plan_.chains.size()), .turn = {}};
    std::vector<ChainRun> runs = first_nonempty(plan_.alternatives, start);
    const bool empty_allowed = std::ranges::any_of(plan_.alternatives, [&](auto c) { return may_be_empty(c); });
    if (runs.empty() && empty_allowed) runs.push_back(start);
    return fault_ ? std::vector<ChainRun>{} : finished(std::move(runs));
}

// The runs of at least one step of the first alternative that has one.
std::vector<ChainRun> ChainSearch::first_nonempty(const std::vector<std::uint32_t>& alternatives,
                                                  const ChainRun& from) {
    for (auto chain : alternatives) {
        std::vector<ChainRun> runs = chain_runs(chain, from);
        std::erase_if(runs, [&](const ChainRun& run) { return run.steps.size() == from.steps.size(); });
        if (!runs.empty()) return keep_most(chain, from, std::move(runs));
    }
    return {};
}

std::vector<ChainRun> ChainSearch::chain_runs(std::uint32_t chain, const ChainRun& from) {
    std::vector<ChainRun> runs{from};
    for (const ir::PlanStep& step : plan_.chains[chain].steps) {
        std::vector<ChainRun> next;
        for (const ChainRun& run : runs) step_runs(step, run, next);
        runs = without_repeats(std::move(next));
    }
    return runs;
}

std::vector<ChainRun> ChainSearch::keep_most(std::uint32_t chain, const ChainRun& from, std::vector<ChainRun> runs) {
    const ir::PlanChain& of = plan_.chains[chain];
    if (!valid(of.most) && of.most_sum.empty()) return runs;
    std::vector<double> values;
    for (const ChainRun& run : runs) {
        if (!valid(of.most)) {
            values.push_back(run.sums[chain] - from.sums[chain]);
            continue;
        }
        asker_.read(run.slots, history_, false);
        const ir::Value value = asker_.eval().value(of.most);
        const auto type = game_.program().exprs[of.most].type;
        const bool is_real = game_.program().types.kind(type) == ir::TypeKind::Real;
        values.push_back(is_real ? value.real : static_cast<double>(value.scalar));
    }
    const double best = *std::ranges::max_element(values);
    std::vector<ChainRun> kept;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (values[i] == best) kept.push_back(std::move(runs[i]));
    return kept;
}

void ChainSearch::step_runs(const ir::PlanStep& step, const ChainRun& from, std::vector<ChainRun>& out) {
    if (step.repeat == Repeat::Star) return star_runs(step, from, out);
    std::vector<ChainRun> runs = item_runs(step, from);
    if (runs.empty()) {
        if (step.repeat == Repeat::Optional || item_may_be_empty(step)) out.push_back(from);
        return;
    }
    for (ChainRun& run : runs) {
        if (step.repeat == Repeat::Plus) {
            star_runs(step, run, out);
        } else {
            out.push_back(std::move(run));
        }
    }
}

void ChainSearch::star_runs(const ir::PlanStep& step, const ChainRun& from, std::vector<ChainRun>& out) {
    std::vector<ChainRun> layer{from};
    // Depth first, so that the first found is the least in the order of steps; equal runs are followed once.
    std::set<decltype(key_of(from))> seen;
    while (!layer.empty() && !fault_) {
        const ChainRun run = std::move(layer.back());
        layer.pop_back();
        if (!seen.insert(key_of(run)).second) continue;
        std::vector<ChainRun> more = item_runs(step, run);
        if (more.empty()) {
            out.push_back(run);
            continue;
        }
        std::ranges::reverse(more);
        std::ranges::move(more, std::back_inserter(layer));
    }
}

// The runs that one time round the step adds, each at least one step long.
std::vector<ChainRun> ChainSearch::item_runs(const ir::PlanStep& step, const ChainRun& from) {
    if (fault_) return {};
    if (!valid(step.rule)) return first_nonempty(step.group, from);
    return rule_runs(step.rule, from);
}

std::vector<ChainRun> ChainSearch::rule_runs(ir::RuleId id, const ChainRun& from) {
    const ir::Program& program = game_.program();
    const ir::Rule& rule = program.rules[id];
    const bool settled = from.steps.empty();
    std::vector<ChainRun> runs;
    asker_.read(from.slots, history_, settled);
    game_.any_instance(asker_, id, {}, [&](auto params) {
        ChainRun run = from;
        run.steps.push_back(*ir::encode_step(program, id, params));
        add_sums(id, run);
        auto fault = game_.apply(asker_, rule.then, run.slots, run.turn);
        if (!fault && run.steps.size() > max_chain)
            fault = Fault{.kind = FaultKind::EndlessTurn,
                          .rule = id,
                          .move = {},
                          .slots = {},
                          .what = "the turn goes on for more than " + std::to_string(max_chain) + " steps",
                          .span = rule.span};
        if (fault) {
            fault->rule = id;
            fail(std::move(*fault), run);
        } else if (game_.ensured(asker_, rule)) {
            runs.push_back(std::move(run));
        }
        asker_.read(from.slots, history_, settled);
        return fault_.has_value();
    });
    return runs;
}

// What the step adds to each chain's `most sum`; asked before its effects.
void ChainSearch::add_sums(ir::RuleId rule, ChainRun& run) {
    for (std::size_t c = 0; c < plan_.chains.size(); ++c) {
        const auto& sums = plan_.chains[c].most_sum;
        if (index(rule) >= sums.size() || !valid(sums[index(rule)])) continue;
        const ir::Value value = asker_.eval().value(sums[index(rule)]);
        const auto type = game_.program().exprs[sums[index(rule)]].type;
        const bool is_real = game_.program().types.kind(type) == ir::TypeKind::Real;
        run.sums[c] += is_real ? value.real : static_cast<double>(value.scalar);
    }
}

bool ChainSearch::may_be_empty(std::uint32_t chain) const {
    return std::ranges::all_of(plan_.chains[chain].steps, [&](const ir::PlanStep& step) {
        return step.repeat == Repeat::Optional || step.repeat == Repeat::Star || item_may_be_empty(step);
    });
}

bool ChainSearch::item_may_be_empty(const ir::PlanStep& step) const {
    return !valid(step.rule) && std::ranges::any_of(step.group, [&](auto chain) { return may_be_empty(chain); });
}

// Runs the plan's own `then` and passes the turn; chains that lead to the same state are one move.
std::vector<ChainRun> ChainSearch::finished(std::vector<ChainRun> runs) {
    std::set<Slots> seen;
    std::vector<ChainRun> result;
    for (ChainRun& run : runs) {
        asker_.read(run.slots, history_, run.steps.empty());
        Slots slots = run.slots;
        if (auto fault = game_.apply(asker_, plan_.then, slots, run.turn)) {
            fail(std::move(*fault), run);
            return {};
        }
        game_.pass_turn(slots, false, run.turn);
        run.slots = std::move(slots);
        if (seen.insert(run.slots).second) result.push_back(std::move(run));
    }
    return result;
}

void ChainSearch::fail(Fault fault, const ChainRun& run) {
    fault.move = run.steps;
    fault.slots = start_;
    fault_ = std::move(fault);
}

} // namespace zug::run
