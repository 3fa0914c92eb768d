// Random play and counting of turns that a plan describes, as far as they can do without a list of all chains.

#include "run/interpreter_chains.hpp"

#include <algorithm>

namespace zug::run {

// Whether all local variables of the state in the frame have their initial values.
bool Interpreter::locals_are_initial() const {
    return std::ranges::all_of(compiled_->locals, [&](const auto& local) {
        const auto [reg, words] = local;
        return std::equal(frame_.get() + reg, frame_.get() + reg + words, compiled_->initial.begin() + reg);
    });
}

// The first rule that has instances, which are then in the frame.
const TurnLead* Interpreter::find_lead() {
    for (const TurnLead& lead : compiled_->leads)
        if (find(compiled_->steps[index(lead.rule)][turn()]) > 0) return &lead;
    return nullptr;
}

bool Interpreter::is_whole(const TurnLead& lead) const {
    return lead.whole && (!lead.from_initial_locals || locals_are_initial());
}

bool Interpreter::may_fail(const TurnLead& lead) const {
    return compiled_->plan_checks || compiled_->rules[index(lead.rule)].checks;
}

// The moves of the state in the frame, if their number can be told without making them.
std::optional<std::uint64_t> Interpreter::count_turns() {
    const TurnLead* const lead = find_lead();
    if (lead == nullptr || !is_whole(*lead) || may_fail(*lead)) return std::nullopt;
    return found(compiled_->steps[index(lead->rule)][turn()]);
}

// One random turn of the player to move, who is not at an end nor waiting for chance. A move that isn't drawn may be
// one that would be a fault.
Interpreter::Step Interpreter::play_turn(Random& random) {
    const TurnLead* const lead = find_lead();
    if (lead == nullptr || !is_whole(*lead)) return play_chain(random);
    const std::uint32_t mover = turn();
    const FindCode& code = compiled_->steps[index(lead->rule)][mover];
    const Pick p = pick(code, random.below(static_cast<std::uint32_t>(found(code))));
    if (may_fail(*lead)) save();
    set_params(p);
    settled_ = false;
    frame_[compiled_->code.turned_reg] = 0;
    const bool done = run(compiled_->rules[index(lead->rule)].apply[mover]) != troubled && end_turn(mover);
    settled_ = true;
    if (done) {
        record(mover);
        return Step::Played;
    }
    const std::vector<std::uint64_t> before = saved_;
    fault_of_chains(before);
    return Step::Failed;
}

// The same by a search for all chains.
Interpreter::Step Interpreter::play_chain(Random& random) {
    const std::uint32_t mover = turn();
    save();
    const InterpreterChains::Nodes& moves = chains_->moves(InterpreterChains::Order::Any);
    if (moves.empty()) {
        restore();
        settled_ = true;
        if (!chains_->failed()) return pass_when_stuck();
        const std::vector<std::uint64_t> before = saved_;
        fault_of_chains(before);
        return Step::Failed;
    }
    const auto drawn = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
    std::ranges::copy(chains_->result(drawn), frame_.get());
    settled_ = true;
    record(mover);
    return Step::Played;
}

// Ends the turn of which all steps have been made in the frame. False: a fault.
bool Interpreter::end_turn(std::uint32_t mover) {
    if (!program().turn->then.empty() && run(compiled_->plan_then[mover]) == troubled) return false;
    if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(false);
    return true;
}

} // namespace zug::run
