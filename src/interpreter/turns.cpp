// Random play and counting of turns that a plan describes, as far as they can do without a list of all chains.

#include "interpreter/chains.hpp"

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
const TurnOpening* Interpreter::find_opening() {
    for (const TurnOpening& opening : compiled_->openings)
        if (find(compiled_->steps[index(opening.rule)][turn()]) > 0) return &opening;
    return nullptr;
}

bool Interpreter::is_usable(const TurnOpening& opening) const {
    return (opening.whole || valid(opening.then)) && (!opening.from_initial_locals || locals_are_initial());
}

bool Interpreter::may_fail(const TurnOpening& opening) const {
    return compiled_->plan_checks || compiled_->rules[index(opening.rule)].checks ||
           (valid(opening.then) && compiled_->rules[index(opening.then)].checks);
}

// The moves of the state in the frame, if their number can be told without making all of them.
std::optional<std::uint64_t> Interpreter::count_turns() {
    const TurnOpening* const opening = find_opening();
    if (opening == nullptr || !is_usable(*opening) || may_fail(*opening)) return std::nullopt;
    if (opening->whole) return found(compiled_->steps[index(opening->rule)][turn()]);
    std::uint64_t total = 0;
    find_pairs(*opening);
    for (const Pair& pair : pairs_) total += std::max<std::uint64_t>(pair.further, 1);
    return total;
}

// How many steps can follow each of those that were found for the lead. False: one of them is a fault.
bool Interpreter::find_pairs(const TurnOpening& opening) {
    const std::uint32_t mover = turn();
    const FindCode& then = compiled_->steps[index(opening.then)][mover];
    pairs_.clear();
    each(compiled_->steps[index(opening.rule)][mover], [&](const Pick& p) {
        pairs_.push_back({p, code_of(p)});
        return false;
    });
    save();
    for (Pair& pair : pairs_) {
        restore();
        if (!make_step(set_params(pair), mover, true)) return false;
        pair.further = find(then);
    }
    restore();
    return true;
}

// Records don't outlast the search for what follows.
ir::RuleId Interpreter::set_params(const Pair& pair) {
    return pair.pick.found != nullptr ? set_params(pair.pick) : set_params(pair.step);
}

// One step of a turn, in the frame, with the parameters set. `first`: it begins the turn. False: a fault.
bool Interpreter::make_step(ir::RuleId rule, std::uint32_t mover, bool first) {
    if (first) frame_[compiled_->code.turned_reg] = 0;
    settled_ = first;
    return run(compiled_->rules[index(rule)].apply[mover]) != faulted;
}

// One random turn of the player to move, who is not at an end nor waiting for chance. A move that isn't drawn may be
// one that would be a fault.
Interpreter::Step Interpreter::play_turn(Random& random) {
    const TurnOpening* const opening = find_opening();
    if (opening == nullptr || !is_usable(*opening)) return play_chain(random);
    const std::uint32_t mover = turn();
    bool done = false;
    if (opening->whole) {
        const FindCode& code = compiled_->steps[index(opening->rule)][mover];
        const Pick drawn = pick(code, random.below(static_cast<std::uint32_t>(found(code))));
        save();
        done = make_step(set_params(drawn), mover, true);
    } else {
        done = find_pairs(*opening) && play_pair(random, *opening);
    }
    if (done && end_turn(mover)) {
        settled_ = true;
        record(mover);
        return Step::Played;
    }
    settled_ = true;
    fault_of_chains(saved_);
    return Step::Failed;
}

// Draws from the pairs that were found and makes the steps. False: a fault.
bool Interpreter::play_pair(Random& random, const TurnOpening& opening) {
    const std::uint32_t mover = turn();
    std::uint64_t total = 0;
    for (const Pair& pair : pairs_) total += std::max<std::uint64_t>(pair.further, 1);
    std::uint64_t number = random.below(static_cast<std::uint32_t>(total));
    auto pair = pairs_.begin();
    for (; number >= std::max<std::uint64_t>(pair->further, 1); ++pair)
        number -= std::max<std::uint64_t>(pair->further, 1);
    if (!make_step(set_params(*pair), mover, true)) return false;
    if (pair->further == 0) return true;
    const FindCode& then = compiled_->steps[index(opening.then)][mover];
    find(then);
    return make_step(set_params(pick(then, number)), mover, false);
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
        fault_of_chains(saved_);
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
    if (!program().turn->then.empty() && run(compiled_->plan_then[mover]) == faulted) return false;
    if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(false);
    return true;
}

} // namespace zug::run
