#pragma once
// Counting and random play of turns of several steps without a list of all chains, where an opening step of the plan
// allows it (bytecode/turn_opening.hpp); else by the search for chains.

#include "interpreter/referee.hpp"

#include <optional>
#include <vector>

namespace zug::run {

class TurnPlay {
public:
    explicit TurnPlay(Referee& referee) : referee_(referee) {}

    // The number of moves of the state in the frame, if it can be told without making all of them. Leaves the state.
    std::optional<std::uint64_t> count();
    // Makes a uniformly random turn in the frame, where no end clause holds and no chance is due. Faults of moves that
    // aren't drawn may stay unseen.
    Step play(Random& random);

private:
    // A first step of a turn, and how many steps can follow it.
    struct Pair {
        Pick pick;
        StepCode step = 0;
        std::uint64_t further = 0;
        std::uint64_t turns() const { return further > 0 ? further : 1; }
    };

    const TurnOpening* find_opening();
    bool is_usable(const TurnOpening& opening) const;
    bool may_fail(const TurnOpening& opening) const;
    const FindCode& instances_of(ir::RuleId rule) const {
        return referee_.compiled().steps[index(rule)][referee_.turn()];
    }
    bool find_pairs(const TurnOpening& opening);
    std::uint64_t total_turns() const;
    bool make_step(ir::RuleId rule, std::uint32_t mover, bool first);
    bool play_whole(Random& random, const TurnOpening& opening);
    bool play_pair(Random& random, const TurnOpening& opening);
    Step play_chain(Random& random, ir::RuleId opening);
    bool end_turn(std::uint32_t mover);

    Referee& referee_;
    std::vector<Pair> pairs_;
};

} // namespace zug::run
