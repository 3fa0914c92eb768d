#include "interpreter/turns.hpp"

#include "interpreter/chains.hpp"

#include <algorithm>

namespace zug::run {

// The first opening whose rule has instances, which are then in the frame.
const TurnOpening* TurnPlay::find_opening() {
    for (const TurnOpening& opening : referee_.compiled().openings)
        if (referee_.find(instances_of(opening.rule)) > 0) return &opening;
    return nullptr;
}

bool TurnPlay::is_usable(const TurnOpening& opening) const {
    return (opening.whole || valid(opening.then)) && (!opening.from_initial_locals || referee_.locals_are_initial());
}

bool TurnPlay::may_fail(const TurnOpening& opening) const {
    const Compiled& compiled = referee_.compiled();
    return compiled.plan_checks || compiled.rules[index(opening.rule)].checks ||
           (valid(opening.then) && compiled.rules[index(opening.then)].checks);
}

std::optional<std::uint64_t> TurnPlay::count() {
    const TurnOpening* const opening = find_opening();
    if (opening == nullptr || !is_usable(*opening) || may_fail(*opening)) return std::nullopt;
    if (opening->whole) return referee_.found(instances_of(opening->rule));
    find_pairs(*opening);
    return total_turns();
}

std::uint64_t TurnPlay::total_turns() const {
    std::uint64_t total = 0;
    for (const Pair& pair : pairs_) total += pair.turns();
    return total;
}

// How many steps can follow each of those that were found for the opening. False: one of them is a fault.
bool TurnPlay::find_pairs(const TurnOpening& opening) {
    const std::uint32_t mover = referee_.turn();
    const FindCode& then = instances_of(opening.then);
    pairs_.clear();
    referee_.each(instances_of(opening.rule), [&](const Pick& p) {
        pairs_.push_back({p, referee_.code_of(p)});
        return false;
    });
    referee_.save();
    for (Pair& pair : pairs_) {
        referee_.restore();
        if (!make_step(referee_.set_params(pair.pick, pair.step), mover, true)) return false;
        pair.further = referee_.find(then);
    }
    referee_.restore();
    return true;
}

// One step of a turn, in the frame, with the parameters set. `first`: it begins the turn. False: a fault.
bool TurnPlay::make_step(ir::RuleId rule, std::uint32_t mover, bool first) {
    const Compiled& compiled = referee_.compiled();
    if (first) referee_.word(compiled.code.turned_reg) = 0;
    referee_.set_between_moves(first);
    return referee_.run(compiled.rules[index(rule)].apply[mover]) != faulted;
}

Step TurnPlay::play(Random& random) {
    const TurnOpening* const opening = find_opening();
    if (opening == nullptr) return play_chain(random, none_id<ir::RuleId>);
    if (!is_usable(*opening)) return play_chain(random, opening->rule);
    const std::uint32_t mover = referee_.turn();
    const bool made =
        opening->whole ? play_whole(random, *opening) : find_pairs(*opening) && play_pair(random, *opening);
    const bool done = made && end_turn(mover);
    referee_.set_between_moves(true);
    if (done) {
        referee_.record(mover);
        return Step::Played;
    }
    referee_.reference().describe_chains(referee_.saved());
    return Step::Failed;
}

// Draws one of the steps that were found, each of which is a turn. False: a fault.
bool TurnPlay::play_whole(Random& random, const TurnOpening& opening) {
    const FindCode& code = instances_of(opening.rule);
    const Pick drawn = referee_.pick(code, random.below(static_cast<std::uint32_t>(referee_.found(code))));
    referee_.save();
    return make_step(referee_.set_params(drawn), referee_.turn(), true);
}

// Draws from the pairs that were found and makes their steps. False: a fault.
bool TurnPlay::play_pair(Random& random, const TurnOpening& opening) {
    const std::uint32_t mover = referee_.turn();
    std::uint64_t number = random.below(static_cast<std::uint32_t>(total_turns()));
    auto pair = pairs_.begin();
    for (; number >= pair->turns(); ++pair) number -= pair->turns();
    if (!make_step(referee_.set_params(pair->pick, pair->step), mover, true)) return false;
    if (pair->further == 0) return true;
    const FindCode& then = referee_.compiled().steps[index(opening.then)][mover];
    referee_.find(then);
    return make_step(referee_.set_params(referee_.pick(then, number)), mover, false);
}

// Draws from all chains. `opening`: a rule whose instances have been found.
Step TurnPlay::play_chain(Random& random, ir::RuleId opening) {
    TurnChains& chains = referee_.chains();
    const std::uint32_t mover = referee_.turn();
    referee_.save();
    const TurnChains::Nodes& moves = chains.moves(TurnChains::Order::Any, opening);
    referee_.set_between_moves(true);
    if (moves.empty()) {
        referee_.restore();
        if (!chains.failed()) return referee_.pass_when_stuck();
        if (!chains.exceeded()) referee_.reference().describe_chains(referee_.saved());
        return Step::Failed;
    }
    const auto drawn = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
    std::ranges::copy(chains.result(drawn), referee_.frame());
    referee_.record(mover);
    return Step::Played;
}

// Ends the turn of which all steps have been made in the frame. False: a fault.
bool TurnPlay::end_turn(std::uint32_t mover) {
    const Compiled& compiled = referee_.compiled();
    if (!referee_.program().turn->then.empty() && referee_.run(compiled.plan_then[mover]) == faulted) return false;
    if (referee_.program().keeps_last) referee_.word(referee_.layout().last()) = mover;
    referee_.pass_turn(false);
    return true;
}

} // namespace zug::run
