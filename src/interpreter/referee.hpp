#pragma once
// What the rules say of the position in a machine's frame: whether the game is over, whether chance is due, whether a
// move is legal, whether the player to move is stuck. Answers what byte code asks at run time.
//
// Most clauses about `stuck` can't hold for a player who can move. So the clauses are tried for such a player first,
// and only when the search for moves, which has to be done anyway, finds none, for one who is stuck.

#include "interpreter/machine.hpp"
#include "interpreter/reference_link.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zug::run {

class TurnChains;

// What came of one ply of play.
enum class Step : std::uint8_t { Played, Ended, Failed };

class Referee final : public Machine {
public:
    // `beyond`: of Compiled::beyond.
    Referee(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines,
            std::shared_ptr<RoutineTable> beyond, std::optional<Fault>& fault);
    ~Referee() override;

    // Whether the program has chance rules, moves that have to be tried, and end clauses that depend on `stuck`.
    bool has_chance() const { return has_chance_; }
    bool has_ensure() const { return has_ensure_; }
    bool ends_ask_stuck() const { return ends_ask_stuck_; }

    // -- ends: the number of the clause that holds, or -1

    std::int32_t ending();
    // As far as can be told without a search for moves: most clauses that hold for a player who is stuck are not seen.
    std::int32_t ending_before_moves() { return ending_of(run(compiled().ends[last()])); }
    // Given the result of that routine.
    std::int32_t ending_of(std::int32_t clause);
    // Given that the player to move is stuck.
    std::int32_t ending_if_stuck() { return ends_ask_stuck_ ? run(compiled().stuck_ends[last()]) : -1; }
    // Whether the game is over because the player to move is stuck.
    bool ends_for_stuck() { return ends_ask_stuck_ && is_stuck() && ending_if_stuck() >= 0; }

    // -- chance

    // The instances of chance rules for the position, which stay found. More than none: chance is due.
    std::uint64_t find_chances() { return has_chance_ ? find(compiled().chances[turn()]) : 0; }
    bool chance_is_due() { return find_chances() > 0; }
    // Whether no chance rule of the program states a weight: then each instance is an outcome of weight 1.
    bool is_uniform() const { return is_uniform_; }
    // Calls f(pick, weight) for each outcome of weight above zero of a chance node whose instances have been found.
    // False: a fault.
    template <class F>
    bool each_outcome(F&& f);

    // -- moves

    // Calls f(pick) for each instance that was found and whose `ensure` holds, until it returns true. Leaves the
    // position as it is.
    template <class F>
    bool each_legal(const FindCode& code, F&& f);
    // Whether there are more than max_moves of those found; then that is the fault.
    bool exceeds(const FindCode& code);
    // How many of those found are legal.
    std::uint64_t count_legal(const FindCode& code);
    bool has_move();
    // What to do with a position that has no move: adds a pass to the list, or finds an end or a fault.
    NodeKind stuck_node(MoveList& moves);
    // The same, and makes the pass.
    Step pass_when_stuck();

    std::optional<Fault>& fault() { return fault_; }
    ReferenceLink& reference() { return reference_; }
    const ReferenceLink& reference() const { return reference_; }
    TurnChains& chains() { return *chains_; } // only with a turn plan
    // Where compound moves are not those of the position in the frame, in which none was found: the referee of
    // Compiled::beyond, with the position in its frame. Else null.
    Referee* beyond();

private:
    void ask(const Question& question, std::uint64_t* frame, Reg into) override;
    void ask_can(const Question& question, std::uint64_t* frame, Reg into);
    bool is_stuck() { return !chance_is_due() && !has_move(); }
    // Of a position without a move: an end clause holds, the player passes (a decision), or it is a fault.
    NodeKind stuck_kind();
    bool all_stuck();
    bool has_chain();
    bool is_within_limits();
    bool wrong_weight(ir::RuleId rule, double weight);
    void set_fault(FaultKind kind, ir::RuleId rule, std::string what);
    bool needs_trial(const Pick& p) const {
        return has_ensure_ && !is_known_legal(p) && compiled().rules[index(rule_of(p))].ensures;
    }
    bool passes_trial(const Pick& p); // from the position before_trial_, to which it returns
    // Its result; the state is then `before` again.
    std::int32_t run_trial(Entry trial, const Pick& p, const std::vector<std::uint64_t>& before);

    std::optional<Fault>& fault_;
    ReferenceLink reference_;
    std::unique_ptr<TurnChains> chains_;
    std::unique_ptr<Referee> beyond_; // null: Compiled has none
    std::vector<std::uint32_t> slots_;
    bool has_chance_ = false, has_ensure_ = false, ends_ask_stuck_ = false, is_uniform_ = true;
    std::vector<std::uint64_t> before_trial_;
    // What a routine that asks `can` uses, kept while moves are tried; by how many such questions it is within.
    struct Aside {
        std::vector<std::uint64_t> state, params;
        Records records;
    };
    std::deque<Aside> aside_;
    std::size_t can_depth_ = 0;
};

template <class F>
bool Referee::each_legal(const FindCode& code, F&& f) {
    bool saved = false; // each trial begins from the same position
    return each(code, [&](const Pick& p) {
        if (!needs_trial(p)) return f(p);
        if (!std::exchange(saved, true)) before_trial_.assign(frame(), frame() + state_words());
        return passes_trial(p) && f(p);
    });
}

template <class F>
bool Referee::each_outcome(F&& f) {
    ir::RuleId wrong = none_id<ir::RuleId>;
    double wrong_number = 0;
    bool any = false;
    const auto look_at = [&](const Pick& p, double weight) {
        if (is_bad(weight) || (weight == 0 && !any)) {
            wrong = rule_of(p);
            wrong_number = weight;
        } else if (weight > 0) {
            any = true;
            f(p, weight);
        }
        return is_bad(weight);
    };
    const bool bad = each_set(compiled().chances[turn()], [&](const Pick& in, const auto* set, auto words) {
        const RuleCode& code = compiled().rules[index(rule_of(in))];
        if (code.weight.empty()) return each_member(in, set, words, [&](const Pick& p) { return look_at(p, 1); });
        const NumberCode& weight = code.weight[turn()];
        return each_member(in, set, words, [&](const Pick& p) {
            set_params(p);
            return look_at(p, number(weight));
        });
    });
    return (any && !bad) || wrong_weight(wrong, wrong_number);
}

} // namespace zug::run
