#pragma once
// Turns of several steps, as the turn plan says (see ir/program.hpp): finds the chains of one state.
//
// How steps are found and made is the World's business, so that executors share what a plan means:
//   using Position                               a container of words or slots
//   using Run = ChainRun<Position>
//   void steps(RuleId, const Run& from, std::vector<Run>& out)
//                                                appends the runs that one step of the rule leads to, its `ensure`
//                                                asked, `sums` and `turn` brought up to date; in the order of step
//                                                codes
//   bool can_step(RuleId, const Run& from)       whether steps() would append a run, or find a fault
//   double most(std::uint32_t chain, const Run&) the chain's `most` expression after the last step
//   WordsHash by(const Run&)                     a hash of the plan's `by` values after the last step
//   bool finish(Run&)                            runs the plan's `then` and passes the turn; false: a fault
//   bool failed() const                          a fault has been found: stop
//
// Positions are told apart by 128-bit hashes, as those of the history are: a set of positions is a few words each.

#include "executor/executor.hpp"
#include "executor/hash.hpp"

#include <algorithm>
#include <bit>
#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <vector>

namespace zug::run {

// Who moves after a step: as usual, or as an effect says.
struct TurnChange {
    enum class Kind : std::uint8_t { Usual, Again, Next };
    Kind kind = Kind::Usual;
    std::int64_t player = 0;

    friend bool operator==(const TurnChange&, const TurnChange&) = default;
};

// A chain under way or complete. Runs are moved about a lot, and rarely long: what they hold is held in place.
template <class Words>
struct ChainRun {
    using Position = Words;

    Position slots;
    boost::container::small_vector<StepCode, 6> steps;
    boost::container::small_vector<double, 2> sums; // by chain of the plan: what its `most sum` comes to so far
    TurnChange turn;

    // Runs with equal hashes have the same future, so the first of them stands for all.
    WordsHash hash() const {
        WordsHasher hasher;
        for (auto slot : slots) hasher.add(slot);
        for (double sum : sums) hasher.add(std::bit_cast<std::uint64_t>(sum + 0.0)); // -0.0 is 0.0
        hasher.add(static_cast<std::uint64_t>(turn.kind));
        hasher.add(static_cast<std::uint64_t>(turn.player));
        return hasher.done();
    }
};

// The hashes that have been met. Most searches meet a few only, which are looked through one by one.
class MetHashes {
public:
    // False: it was there.
    bool insert(const WordsHash& hash) {
        if (!many_.empty()) return many_.insert(hash).second;
        if (std::ranges::find(few_, hash) != few_.end()) return false;
        few_.push_back(hash);
        if (few_.size() == most_few) many_.insert(few_.begin(), few_.end());
        return true;
    }

private:
    static constexpr std::size_t most_few = 16;
    struct Bucket {
        std::size_t operator()(const WordsHash& hash) const { return static_cast<std::size_t>(hash[0]); }
    };
    boost::container::small_vector<WordsHash, most_few> few_;
    boost::unordered_flat_set<WordsHash, Bucket> many_;
};

template <class World>
class ChainSearch {
public:
    using Run = typename World::Run;

    ChainSearch(const ir::TurnPlan& plan, World& world) : plan_(plan), world_(world) {}

    // All moves, each with the position after the turn has passed, first found first; without repeats. Empty after a
    // fault.
    std::vector<Run> moves(typename Run::Position position) {
        const Run start = start_at(std::move(position));
        std::vector<Run> runs;
        first_nonempty(plan_.alternatives, start, runs);
        const bool empty_allowed = std::ranges::any_of(plan_.alternatives, [&](auto c) { return may_be_empty(c); });
        if (runs.empty() && empty_allowed) runs.push_back(start);
        if (!world_.failed()) finish(runs);
        if (world_.failed()) runs.clear();
        return runs;
    }

    // Whether there are moves, or a fault stands in their way. Where every alternative is one rule's steps, the first
    // step tells.
    bool any(typename Run::Position position) {
        if (std::ranges::any_of(plan_.alternatives, [&](auto c) { return may_be_empty(c); })) return true;
        const Run start = start_at(std::move(position));
        return std::ranges::any_of(plan_.alternatives, [&](auto c) {
            const auto& steps = plan_.chains[c].steps;
            const bool one_rule = steps.size() == 1 && valid(steps.front().rule);
            return one_rule ? world_.can_step(steps.front().rule, start)
                            : !chain_runs(c, start).empty() || world_.failed();
        });
    }

private:
    using Repeat = ir::PlanStep::Repeat;

    Run start_at(typename Run::Position position) const {
        Run start;
        start.slots = std::move(position);
        start.sums.resize(plan_.chains.size());
        return start;
    }

    // Asks each run in turn, once.
    template <class F>
    static void keep_if(std::vector<Run>& runs, F&& good) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (!good(runs[i])) continue;
            if (kept != i) runs[kept] = std::move(runs[i]);
            ++kept;
        }
        runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(kept), runs.end());
    }

    void drop_repeats(std::vector<Run>& runs) const {
        if (plan_.by_steps || runs.size() < 2) return;
        MetHashes met;
        keep_if(runs, [&](const Run& run) { return met.insert(run.hash()); });
    }

    // Appends the runs of at least one step of the first alternative that has one.
    void first_nonempty(const std::vector<std::uint32_t>& alternatives, const Run& from, std::vector<Run>& out) {
        for (auto chain : alternatives) {
            std::vector<Run> runs = chain_runs(chain, from);
            if (may_be_empty(chain))
                keep_if(runs, [&](const Run& run) { return run.steps.size() != from.steps.size(); });
            if (runs.empty()) continue;
            keep_most(chain, from, runs);
            if (out.empty())
                out = std::move(runs);
            else
                std::ranges::move(runs, std::back_inserter(out));
            return;
        }
    }

    std::vector<Run> chain_runs(std::uint32_t chain, const Run& from) {
        const auto& steps = plan_.chains[chain].steps;
        std::vector<Run> runs;
        if (steps.empty()) return {from};
        step_runs(steps.front(), from, runs);
        for (std::size_t i = 1; i < steps.size(); ++i) {
            drop_repeats(runs);
            std::vector<Run> next;
            for (const Run& run : runs) step_runs(steps[i], run, next);
            runs = std::move(next);
        }
        return runs;
    }

    void keep_most(std::uint32_t chain, const Run& from, std::vector<Run>& runs) {
        const ir::PlanChain& of = plan_.chains[chain];
        if ((!valid(of.most) && of.most_sum.empty()) || runs.size() < 2) return;
        std::vector<double> values;
        for (const Run& run : runs)
            values.push_back(valid(of.most) ? world_.most(chain, run) : run.sums[chain] - from.sums[chain]);
        const double best = *std::ranges::max_element(values);
        std::size_t i = 0;
        keep_if(runs, [&](const Run&) { return values[i++] == best; });
    }

    void step_runs(const ir::PlanStep& step, const Run& from, std::vector<Run>& out) {
        if (step.repeat == Repeat::Star) return star_runs(step, from, out);
        if (step.repeat == Repeat::Plus) {
            std::vector<Run> runs;
            item_runs(step, from, runs);
            if (runs.empty() && item_may_be_empty(step)) out.push_back(from);
            drop_repeats(runs);
            MetHashes met;
            for (Run& run : runs) star_runs(step, std::move(run), out, met);
            return;
        }
        const std::size_t before = out.size();
        item_runs(step, from, out);
        if (out.size() == before && (step.repeat == Repeat::Optional || item_may_be_empty(step))) out.push_back(from);
    }

    void star_runs(const ir::PlanStep& step, const Run& from, std::vector<Run>& out) {
        MetHashes met;
        star_runs(step, Run(from), out, met);
    }

    // Depth first, so that the first found is the least in the order of steps; equal runs are followed once.
    void star_runs(const ir::PlanStep& step, Run from, std::vector<Run>& out, MetHashes& met) {
        std::vector<Run> open;
        open.push_back(std::move(from));
        while (!open.empty() && !world_.failed()) {
            Run run = std::move(open.back());
            open.pop_back();
            if (!plan_.by_steps && !met.insert(run.hash())) continue;
            const auto before = static_cast<std::ptrdiff_t>(open.size());
            item_runs(step, run, open);
            if (open.size() == static_cast<std::size_t>(before))
                out.push_back(std::move(run));
            else
                std::reverse(open.begin() + before, open.end());
        }
    }

    // Appends the runs that one time round the step adds, each at least one step long.
    void item_runs(const ir::PlanStep& step, const Run& from, std::vector<Run>& out) {
        if (world_.failed()) return;
        if (valid(step.rule))
            world_.steps(step.rule, from, out);
        else
            first_nonempty(step.group, from, out);
    }

    bool may_be_empty(std::uint32_t chain) const {
        return std::ranges::all_of(plan_.chains[chain].steps, [&](const ir::PlanStep& step) {
            return step.repeat == Repeat::Optional || step.repeat == Repeat::Star || item_may_be_empty(step);
        });
    }

    bool item_may_be_empty(const ir::PlanStep& step) const {
        return !valid(step.rule) && std::ranges::any_of(step.group, [&](auto chain) { return may_be_empty(chain); });
    }

    // Ends the turn of each run. Chains that lead to the same state are one move, unless the plan tells them apart.
    void finish(std::vector<Run>& runs) {
        MetHashes met;
        keep_if(runs, [&](Run& run) {
            if (world_.failed()) return false;
            WordsHash key{};
            if (plan_.by_steps) key = words_hash(run.steps);
            if (plan_.by) key = world_.by(run);
            if (!world_.finish(run)) return false;
            WordsHasher hasher;
            for (auto slot : run.slots) hasher.add(slot);
            hasher.add(key[0]);
            hasher.add(key[1]);
            return met.insert(hasher.done());
        });
    }

    const ir::TurnPlan& plan_;
    World& world_;
};

} // namespace zug::run
