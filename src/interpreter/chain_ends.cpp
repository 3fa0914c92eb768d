// The end of a turn: which of its chains are one move, and the state that a move leads to.

#include "interpreter/chains.hpp"

#include "base/copy_words.hpp"

#include <algorithm>
#include <set>

namespace zug::run {

// Chains that lead to the same state are one move, unless the plan tells them apart: by steps, those of the same steps.
void TurnChains::finish(Nodes& nodes) {
    const Pool<MetNodes>::Loan met(mets_);
    const bool alone = plan_.by_steps || nodes.size() == 1;
    keep_if(nodes, [&](Node n) { return !failed_ && finish(n) && (alone || met->insert(arena_, n)); });
    if (!same_steps_ || nodes.size() == 1) return;
    std::set<std::vector<StepCode>> known;
    keep_if(nodes, [&](Node n) {
        std::vector<StepCode> codes;
        steps(n, codes);
        return known.insert(std::move(codes)).second;
    });
}

// Whether the end of the turn sets the same words of all nodes to the same values, keeps those apart that differ in
// others, and is a fault for all or none. Then equal turns are known without it.
bool TurnChains::end_is_alike(const Nodes& nodes) const {
    const Compiled& compiled = referee_.compiled();
    if (failed_ || !compiled.plan_end || plan_.by || plan_.by_steps || nodes.empty()) return false;
    const auto first = arena_.words(nodes.front());
    return std::ranges::all_of(nodes, [&](Node n) {
        const auto words = arena_.words(n);
        const auto is_same = [&](const auto& part) {
            return std::ranges::equal(words.subspan(part.first, part.second), first.subspan(part.first, part.second));
        };
        return words[kind_] == first[kind_] && words[player_] == first[player_] &&
               (!compiled.plan_checks || std::ranges::all_of(compiled.plan_end->adds, is_same));
    });
}

// Drops nodes that the end of the turn makes equal to one before.
void TurnChains::drop_alike(Nodes& nodes) {
    const Compiled& compiled = referee_.compiled();
    if (compiled.plan_checks && !finish(arena_.copy(nodes.front()))) return;
    const bool again = static_cast<TurnChange::Kind>(arena_.words(nodes.front())[kind_]) == TurnChange::Kind::Again;
    const Pool<MetNodes>::Loan met(mets_);
    keep_if(nodes, [&](Node n) {
        arena_.change(n, [&](std::uint64_t* words) {
            const auto forget = [&](const auto& list) {
                for (const auto& [reg, count] : list) std::fill_n(words + reg, count, 0);
            };
            forget(compiled.plan_end->sets);
            if (!again) forget(compiled.locals);
            std::fill(words + sums_, words + key_, 0);
        });
        return met->insert(arena_, n);
    });
}

std::span<const std::uint64_t> TurnChains::result(Node n) {
    if (ends_later_) finish(n);
    return arena_.words(n).first(state_words_);
}

// Ends the turn of a complete chain. False: a fault.
bool TurnChains::finish(Node n) {
    const Compiled& compiled = referee_.compiled();
    if (plan_.by) {
        enter(n);
        referee_.set_between_moves(false);
        const WordsHash key = referee_.key_hash(compiled.plan_by[mover_]);
        arena_.change(n, [&](std::uint64_t* words) { std::ranges::copy(key, words + key_); });
    }
    enter(n);
    in_frame_ = ChainArena::none;
    if (!plan_.then.empty() && referee_.run(compiled.plan_then[mover_]) == faulted)
        return fail(none_id<ir::RuleId>, n), false;
    arena_.change(n, [&](std::uint64_t* words) {
        leave(words);
        std::uint64_t* const frame = referee_.frame();
        const bool next = static_cast<TurnChange::Kind>(words[kind_]) == TurnChange::Kind::Next;
        frame[referee_.turn_reg()] = next ? words[player_] : mover_;
        if (referee_.program().keeps_last) frame[referee_.layout().last()] = mover_;
        referee_.pass_turn(false);
        copy_words(frame, state_words_, words);
        std::fill(words + kind_, words + key_, 0);
    });
    return true;
}

} // namespace zug::run
