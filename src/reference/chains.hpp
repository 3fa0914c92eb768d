#pragma once
// Turns of several steps: the moves of a position as the turn plan says ("Turns of several steps" in
// grammar/reference.md; the plan is ir::TurnPlan). This header is for the reference evaluator's own files.

#include "reference/reference.hpp"

#include <set>
#include <tuple>

namespace zug::run {

// A chain of steps, under way or complete.
struct Run {
    Slots slots; // the position after the last step
    std::vector<StepCode> steps;
    std::vector<double> sums; // by chain of the plan: what its `most sum` comes to so far
    TurnChange turn;
};

class ChainSearch {
public:
    // The position and its history must outlive the search.
    ChainSearch(const Reference& game, const Slots& start, const HistoryNode* history);

    // All moves, each with the position after the turn has passed, without repeats; of chains that are the same move,
    // the first in the order of step codes. Empty after a fault.
    std::vector<Run> moves();
    // What went wrong in moves(), if anything did.
    const std::optional<Fault>& fault() const { return fault_; }

private:
    using Repeat = ir::PlanStep::Repeat;

    // All that the continuation of a chain depends on.
    using Future = std::tuple<Slots, std::vector<std::uint64_t>, TurnChange>;
    static Future future(const Run& run);

    // The plan. Each appends to `out` the runs that continue `from`.
    void first_possible(const std::vector<std::uint32_t>& alternatives, const Run& from, std::vector<Run>& out);
    void chain(std::uint32_t chain, const Run& from, std::vector<Run>& out);
    void step(const ir::PlanStep& step, const Run& from, std::vector<Run>& out);
    void as_long_as_possible(const ir::PlanStep& step, const Run& from, std::vector<Run>& out, std::set<Future>& met);
    void once(const ir::PlanStep& step, const Run& from, std::vector<Run>& out);
    void rule(ir::RuleId id, const Run& from, std::vector<Run>& out);
    void keep_most(std::uint32_t chain, const Run& from, std::vector<Run>& runs);
    bool may_be_empty(std::uint32_t chain) const;
    bool may_be_empty(const ir::PlanStep& step) const;

    // Ends the turn of each run, and drops those that are the same move as one before them.
    void finish(std::vector<Run>& runs);
    bool finish(Run& run);

    void add_sums(ir::RuleId rule, Run& run);
    double most(std::uint32_t chain, const Run& run);
    double number(ir::ExprId expr);
    void fail(Fault fault, const Run& run);

    const Reference& game_;
    const ir::TurnPlan& plan_;
    const Slots& start_;
    const HistoryNode* history_;
    Asker asker_;
    std::optional<Fault> fault_;
};

} // namespace zug::run
