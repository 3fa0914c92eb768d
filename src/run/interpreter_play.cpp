// Random play, in the frame.

#include "run/interpreter.hpp"

#include <bit>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace zug::run {
namespace {

// The position of member `n`, counted from 0, of a word that has more than n.
inline std::uint32_t nth_bit(std::uint64_t word, std::uint32_t n) {
#ifdef __BMI2__
    word = _pdep_u64(std::uint64_t{1} << n, word);
#else
    for (; n > 0; --n) word &= word - 1;
#endif
    return static_cast<std::uint32_t>(std::countr_zero(word));
}

} // namespace

// Instance `number` of those in the frame, counted from 0.
Interpreter::Pick Interpreter::pick(const FindCode& code, std::uint64_t number) const {
    for (const CaseCode& c : code.cases)
        for (std::uint32_t k = 0; k < c.words; ++k) {
            std::uint64_t word = frame_[c.set + k];
            const auto here = static_cast<unsigned>(std::popcount(word));
            if (number >= here) {
                number -= here;
                continue;
            }
            return {&c, k * 64 + nth_bit(word, static_cast<std::uint32_t>(number)), 0};
        }
    return {nullptr, 0, emitted_[number]};
}

PlayoutResult Interpreter::playout(State& state, Random& random, std::uint32_t max_plies) {
    if (program().turn) return Executor::playout(state, random, max_plies);
    enter(state);
    PlayoutResult result;
    for (;;) {
        const Step step = play_random(random, result.plies < max_plies);
        result.finished = step == Step::Ended;
        if (step != Step::Played) break;
        ++result.plies;
    }
    leave(state);
    return result;
}

// One random move or event; `go_on`: false only asks whether the game has ended.
Interpreter::Step Interpreter::play_random(Random& random, bool go_on) {
    const std::uint32_t mover = turn();
    const bool plays = !compiled_->play.empty();
    if (plays && compiled_->play[mover].emits) emitted_.clear();
    const std::int32_t clause = run(plays ? compiled_->play[mover].entry : compiled_->ends[last()]);
    if (ending_of(clause) >= 0) return Step::Ended;
    if (!go_on) return clause < 0 && ending() >= 0 ? Step::Ended : Step::Failed;
    const bool joined = plays && clause < 0; // the moves are found already
    const FindCode& code = joined ? compiled_->play[mover] : compiled_->moves[mover];
    if (chances_) {
        const FindCode& events = compiled_->chances[mover];
        if (find(events) > 0) return play_chance(random, events);
    }
    const std::uint64_t total = joined ? found(code) : find(code);
    if (ensures_ && total > 0) return play_checked(random, code);
    if (total == 0) {
        if (const Step step = play_stuck(); step != Step::Played) return step;
    } else {
        const Pick p = pick(code, random.below(static_cast<std::uint32_t>(total)));
        const ir::RuleId rule = set_params(p);
        if (compiled_->rules[index(rule)].checks) save();
        if (apply(rule) == Applied::Fault) {
            const std::vector<std::uint64_t> before = saved_;
            fault_of_trouble(rule, code_of(p), before);
            return Step::Failed;
        }
    }
    if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(false);
    record(mover);
    return Step::Played;
}

Interpreter::Step Interpreter::play_chance(Random& random, const FindCode&) {
    if (!list_outcomes(nullptr)) return Step::Failed;
    double total = 0;
    for (const Outcome& o : outcomes_) total += o.weight;
    double left = random.unit() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < outcomes_.size() && left >= outcomes_[chosen].weight) left -= outcomes_[chosen++].weight;
    save();
    const StepCode code = outcomes_[chosen].code;
    const ir::RuleId rule = set_params(code);
    if (apply(rule) == Applied::Fault) {
        const std::vector<std::uint64_t> before = saved_;
        fault_of_trouble(rule, code, before);
        return Step::Failed;
    }
    pass_turn(true);
    return Step::Played;
}

// Draws until one passes its `ensure`: uniform over the legal moves.
Interpreter::Step Interpreter::play_checked(Random& random, const FindCode& code) {
    const std::uint32_t mover = turn();
    candidates_.clear();
    each(code, [&](const Pick& p) { return candidates_.push_back(code_of(p)), false; });
    save();
    while (!candidates_.empty()) {
        const std::size_t i = random.below(static_cast<std::uint32_t>(candidates_.size()));
        const StepCode step = candidates_[i];
        const ir::RuleId rule = set_params(step);
        const Applied applied = apply(rule);
        if (applied == Applied::Fault) {
            const std::vector<std::uint64_t> before = saved_;
            if (legal_by_reference(step, before)) {
                fault_of_trouble(rule, step, before);
                return Step::Failed;
            }
        }
        if (applied == Applied::Done) {
            if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
            pass_turn(false);
            record(mover);
            return Step::Played;
        }
        restore();
        candidates_[i] = candidates_.back();
        candidates_.pop_back();
    }
    if (const Step step = play_stuck(); step != Step::Played) return step;
    if (program().keeps_last) frame_[compiled_->layout->last()] = mover;
    pass_turn(false);
    record(mover);
    return Step::Played;
}

// The pass of a player without moves, as far as it has an effect of its own.
Interpreter::Step Interpreter::play_stuck() {
    MoveList moves;
    const NodeKind node = stuck_node(moves);
    if (node != NodeKind::Decision) return node == NodeKind::Terminal ? Step::Ended : Step::Failed;
    frame_[compiled_->code.turned_reg] = 0;
    return Step::Played;
}

} // namespace zug::run
