#pragma once
// Turns of several steps, as the turn plan says (see ir/program.hpp): finds the chains of one state.
//
// How steps are found and made is the World's business, so that executors share what a plan means:
//   using Slot                                   one piece of a position: positions are vectors of it
//   std::vector<ChainRun<Slot>> steps(RuleId, const ChainRun<Slot>& from)
//                                                the runs that one step of the rule leads to, its `ensure` asked,
//                                                `sums` and `turn` brought up to date; in the order of step codes
//   double most(std::uint32_t chain, const ChainRun<Slot>&)   the chain's `most` expression after the last step
//   std::array<std::uint64_t, 2> by(const ChainRun<Slot>&)   a hash of the plan's `by` values after the last step
//   bool finish(ChainRun<Slot>&)                 runs the plan's `then` and passes the turn; false: a fault
//   bool failed() const                          a fault has been found: stop

#include "run/executor.hpp"
#include "run/hash.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <tuple>
#include <vector>

namespace zug::run {

// Who moves after a step: as usual, or as an effect says.
struct TurnChange {
    enum class Kind : std::uint8_t { Usual, Again, Next };
    Kind kind = Kind::Usual;
    std::int64_t player = 0;

    friend bool operator==(const TurnChange&, const TurnChange&) = default;
};

// A chain under way or complete.
template <class Slot>
struct ChainRun {
    std::vector<Slot> slots;
    std::vector<StepCode> steps;
    std::vector<double> sums; // by chain of the plan: what its `most sum` comes to so far
    TurnChange turn;

    // Runs with equal keys have the same future, so the first of them stands for all.
    auto key() const { return std::tuple(slots, sums, turn.kind, turn.player); }
};

template <class World>
class ChainSearch {
public:
    using Run = ChainRun<typename World::Slot>;

    ChainSearch(const ir::TurnPlan& plan, World& world) : plan_(plan), world_(world) {}

    // All moves, each with the position after the turn has passed, first found first; without repeats. Empty after a
    // fault.
    std::vector<Run> moves(std::vector<typename World::Slot> position) {
        const Run start{
            .slots = std::move(position), .steps = {}, .sums = std::vector<double>(plan_.chains.size()), .turn = {}};
        std::vector<Run> runs = first_nonempty(plan_.alternatives, start);
        const bool empty_allowed = std::ranges::any_of(plan_.alternatives, [&](auto c) { return may_be_empty(c); });
        if (runs.empty() && empty_allowed) runs.push_back(start);
        return world_.failed() ? std::vector<Run>{} : finished(std::move(runs));
    }

private:
    using Repeat = ir::PlanStep::Repeat;

    std::vector<Run> without_repeats(std::vector<Run> runs) const {
        if (plan_.by_steps) return runs;
        std::set<decltype(runs.front().key())> seen;
        std::vector<Run> result;
        for (Run& run : runs)
            if (seen.insert(run.key()).second) result.push_back(std::move(run));
        return result;
    }

    // The runs of at least one step of the first alternative that has one.
    std::vector<Run> first_nonempty(const std::vector<std::uint32_t>& alternatives, const Run& from) {
        for (auto chain : alternatives) {
            std::vector<Run> runs = chain_runs(chain, from);
            std::erase_if(runs, [&](const Run& run) { return run.steps.size() == from.steps.size(); });
            if (!runs.empty()) return keep_most(chain, from, std::move(runs));
        }
        return {};
    }

    std::vector<Run> chain_runs(std::uint32_t chain, const Run& from) {
        std::vector<Run> runs{from};
        for (const ir::PlanStep& step : plan_.chains[chain].steps) {
            std::vector<Run> next;
            for (const Run& run : runs) step_runs(step, run, next);
            runs = without_repeats(std::move(next));
        }
        return runs;
    }

    std::vector<Run> keep_most(std::uint32_t chain, const Run& from, std::vector<Run> runs) {
        const ir::PlanChain& of = plan_.chains[chain];
        if (!valid(of.most) && of.most_sum.empty()) return runs;
        std::vector<double> values;
        for (const Run& run : runs)
            values.push_back(valid(of.most) ? world_.most(chain, run) : run.sums[chain] - from.sums[chain]);
        const double best = *std::ranges::max_element(values);
        std::vector<Run> kept;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (values[i] == best) kept.push_back(std::move(runs[i]));
        return kept;
    }

    void step_runs(const ir::PlanStep& step, const Run& from, std::vector<Run>& out) {
        if (step.repeat == Repeat::Star) return star_runs(step, from, out);
        std::vector<Run> runs = item_runs(step, from);
        if (runs.empty()) {
            if (step.repeat == Repeat::Optional || item_may_be_empty(step)) out.push_back(from);
            return;
        }
        for (Run& run : runs) {
            if (step.repeat == Repeat::Plus)
                star_runs(step, run, out);
            else
                out.push_back(std::move(run));
        }
    }

    void star_runs(const ir::PlanStep& step, const Run& from, std::vector<Run>& out) {
        std::vector<Run> layer{from};
        // Depth first, so that the first found is the least in the order of steps; equal runs are followed once.
        std::set<decltype(from.key())> seen;
        while (!layer.empty() && !world_.failed()) {
            const Run run = std::move(layer.back());
            layer.pop_back();
            if (!plan_.by_steps && !seen.insert(run.key()).second) continue;
            std::vector<Run> more = item_runs(step, run);
            if (more.empty()) {
                out.push_back(run);
                continue;
            }
            std::ranges::reverse(more);
            std::ranges::move(more, std::back_inserter(layer));
        }
    }

    // The runs that one time round the step adds, each at least one step long.
    std::vector<Run> item_runs(const ir::PlanStep& step, const Run& from) {
        if (world_.failed()) return {};
        return valid(step.rule) ? world_.steps(step.rule, from) : first_nonempty(step.group, from);
    }

    bool may_be_empty(std::uint32_t chain) const {
        return std::ranges::all_of(plan_.chains[chain].steps, [&](const ir::PlanStep& step) {
            return step.repeat == Repeat::Optional || step.repeat == Repeat::Star || item_may_be_empty(step);
        });
    }

    bool item_may_be_empty(const ir::PlanStep& step) const {
        return !valid(step.rule) && std::ranges::any_of(step.group, [&](auto chain) { return may_be_empty(chain); });
    }

    // Chains that lead to the same state are one move, unless the plan tells them apart.
    std::vector<Run> finished(std::vector<Run> runs) {
        std::map<std::vector<typename World::Slot>, std::vector<std::array<std::uint64_t, 2>>> seen;
        std::vector<Run> result;
        for (Run& run : runs) {
            const auto key = told_apart_by(run);
            if (!world_.finish(run)) return {};
            auto& keys = seen[run.slots];
            if (std::ranges::find(keys, key) != keys.end()) continue;
            keys.push_back(key);
            result.push_back(std::move(run));
        }
        return result;
    }

    std::array<std::uint64_t, 2> told_apart_by(const Run& run) {
        if (plan_.by_steps) return words_hash(run.steps);
        if (plan_.by) return world_.by(run);
        return {};
    }

    const ir::TurnPlan& plan_;
    World& world_;
};

} // namespace zug::run
