// Random play, in the frame.

#include "interpreter/interpreter.hpp"

#include "base/nth_bit.hpp"
#include "bytecode/vm_set_ops.hpp"

#include <bit>

namespace zug::run {

// Instance `number` of those in the frame, counted from 0.
Interpreter::Pick Interpreter::pick(const FindCode& code, std::uint64_t number) const {
    for (std::size_t n = 0; n < code.sets.size(); ++n)
        for (std::uint32_t k = 0; k < code.sets[n].second; ++k) {
            const std::uint64_t word = frame_[code.sets[n].first + k];
            const auto here = static_cast<unsigned>(std::popcount(word));
            if (number < here)
                return {&code.move_sets[n], nullptr, k * 64 + nth_bit(word, static_cast<std::uint32_t>(number))};
            number -= here;
        }
    const RecordMember member = record_member(records, compiled_->code.shapes, static_cast<std::uint32_t>(number));
    return {nullptr, member.record, member.bit};
}

PlayoutResult Interpreter::playout(State& state, Random& random, std::uint32_t max_plies) {
    enter(state);
    const PlayoutResult result =
        compiled_->play.entries.empty() ? play_by_steps(random, max_plies) : play_in_code(random, max_plies);
    leave(state);
    return result;
}

Playouts Interpreter::playouts(const State& start, State& state, Random& random, std::uint32_t plies) {
    const PlayCode& play = compiled_->play;
    if (!play.restarts || plies == 0) return Executor::playouts(start, state, random, plies);
    enter(start);
    std::copy_n(frame_.get(), state_words_, frame_.get() + play.start);
    enter(state);
    const PlayoutResult last = play_in_code(random, plies, plies);
    Playouts result{.plies = last.plies, .finished = plies - 1 - static_cast<std::uint32_t>(frame_[play.games])};
    result.begun = plies - static_cast<std::uint32_t>(frame_[play.begun]);
    if (last.finished) {
        ++result.finished;
        result.begun = result.plies;
        std::copy_n(frame_.get() + play.start, state_words_, frame_.get());
    }
    leave(state);
    return result;
}

PlayoutResult Interpreter::play_by_steps(Random& random, std::uint32_t max_plies) {
    PlayoutResult result;
    for (;;) {
        const Step step = play_random(random, result.plies < max_plies);
        result.finished = step == Step::Ended;
        if (step != Step::Played) return result;
        ++result.plies;
    }
}

// Chance, passing and faults are dealt with here; the routine does all else. More games than one only where it
// restarts.
PlayoutResult Interpreter::play_in_code(Random& random, std::uint32_t max_plies, std::uint32_t games) {
    const PlayCode& play = compiled_->play;
    std::uint64_t* const words = frame_.get() + play.random;
    std::ranges::copy(random.words(), words);
    frame_[play.left] = frame_[play.begun] = max_plies;
    frame_[play.games] = games - 1;
    PlayoutResult result;
    for (Step step = Step::Played; step == Step::Played;) {
        if (program().turn && !locals_are_initial()) {
            step = play_random(random, frame_[play.left] > 0);
            if (step == Step::Played) --frame_[play.left];
            result.finished = step == Step::Ended;
            std::ranges::copy(random.words(), words);
            continue;
        }
        const std::size_t node = program().keeps_last ? turn() * program().player_count() + last() : turn();
        const std::int32_t stopped = run(play.entries[node]);
        random.set_words({words[0], words[1], words[2], words[3]});
        step = play_on(stopped, random);
        std::ranges::copy(random.words(), words);
        result.finished = step == Step::Ended;
        if (result.finished && frame_[play.games] > 0) {
            --frame_[play.games];
            frame_[play.begun] = frame_[play.left];
            std::copy_n(frame_.get() + play.start, state_words_, frame_.get());
            step = Step::Played;
        }
    }
    result.plies = max_plies - static_cast<std::uint32_t>(frame_[play.left]);
    return result;
}

// What the routine of random play leaves to do.
Interpreter::Step Interpreter::play_on(std::int32_t stopped, Random& random) {
    std::uint64_t& left = frame_[compiled_->play.left];
    if (stopped == PlayCode::out_of_plies)
        return ends_ask_stuck_ && is_stuck() && ending_if_stuck() >= 0 ? Step::Ended : Step::Failed;
    if (stopped >= 0) {
        if (ending_of(stopped) >= 0) return Step::Ended;
        // The clause holds only for a player who can move, and this one can't.
        if (left == 0) return Step::Failed;
        --left;
        stopped = PlayCode::no_move;
    }
    Step step = Step::Failed;
    if (stopped == PlayCode::search_due || (stopped == PlayCode::no_move && program().turn))
        step = play_turn(random);
    else if (stopped == PlayCode::no_move)
        step = pass_when_stuck();
    else if (stopped == PlayCode::chance_due)
        step = find(compiled_->chances[turn()]) > 0 ? play_chance(random) : Step::Failed;
    else
        step = play_after_fault(random);
    if (step != Step::Played) ++left; // it was counted as a ply
    return step;
}

// The move that was drawn failed a check. It is a fault, unless the move isn't legal: then another is drawn.
Interpreter::Step Interpreter::play_after_fault(Random& random) {
    const PlayCode& play = compiled_->play;
    const Pick drawn = pick_of(frame_.get() + play.drawn, play.move_sets, records);
    const StepCode code = code_of(drawn);
    const ir::RuleId rule = drawn.found != nullptr ? drawn.found->rule : shape_of(drawn.record).rule;
    settled_ = true;
    const std::span<const std::uint64_t> before(frame_.get() + play.before, state_words_);
    if (program().turn) {
        fault_of_chains(before);
        return Step::Failed;
    }
    if (!compiled_->rules[index(rule)].ensures || legal_by_reference(code, before)) {
        fault_of_check(rule, code, before);
        return Step::Failed;
    }
    std::ranges::copy(before, frame_.get());
    const FindCode& moves = compiled_->moves[turn()];
    const std::uint64_t total = find(moves);
    return play_checked(random, moves, total);
}

// Passes the turn of a player without a move, unless that ends the game or is a fault.
Interpreter::Step Interpreter::pass_when_stuck() {
    MoveList moves;
    const std::uint32_t mover = turn();
    const NodeKind node = stuck_node(moves);
    if (node != NodeKind::Decision) return node == NodeKind::Terminal ? Step::Ended : Step::Failed;
    frame_[compiled_->code.turned_reg] = 0;
    end_move(mover);
    return Step::Played;
}

// One random move or event; `go_on`: false only asks whether the game has ended.
Interpreter::Step Interpreter::play_random(Random& random, bool go_on) {
    const std::uint32_t mover = turn();
    if (ending_before_moves() >= 0) return Step::Ended;
    if (!go_on) return ending() >= 0 ? Step::Ended : Step::Failed;
    if (chances_ && find(compiled_->chances[mover]) > 0) return play_chance(random);
    if (program().turn) return play_turn(random);
    const FindCode& code = compiled_->moves[mover];
    const std::uint64_t total = find(code);
    if (total == 0) return pass_when_stuck();
    if (ensures_) return play_checked(random, code, total);
    const Pick p = pick(code, random.below(static_cast<std::uint32_t>(total)));
    const ir::RuleId rule = set_params(p);
    if (compiled_->rules[index(rule)].checks) save();
    if (apply(rule) == Applied::Fault) {
        fault_of_check(rule, code_of(p), saved_);
        return Step::Failed;
    }
    end_move(mover);
    return Step::Played;
}

Interpreter::Step Interpreter::play_chance(Random& random) {
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
        fault_of_check(rule, code, saved_);
        return Step::Failed;
    }
    pass_turn(true);
    return Step::Played;
}

// Draws until one passes its `ensure`: uniform over the legal moves.
Interpreter::Step Interpreter::play_checked(Random& random, const FindCode& code, std::uint64_t total) {
    const std::uint32_t mover = turn();
    save();
    refused_.clear(); // their numbers, in order; the sets themselves may be shared, by constants too
    while (refused_.size() < total) {
        std::uint64_t number = random.below(static_cast<std::uint32_t>(total - refused_.size()));
        auto place = refused_.begin();
        for (; place != refused_.end() && *place <= number; ++place) ++number;
        const Pick p = pick(code, number);
        const ir::RuleId rule = set_params(p);
        const Applied applied = apply(rule);
        if (applied == Applied::Fault && legal_by_reference(code_of(p), saved_)) {
            fault_of_check(rule, code_of(p), saved_);
            return Step::Failed;
        }
        if (applied == Applied::Done) {
            end_move(mover);
            return Step::Played;
        }
        restore();
        refused_.insert(place, number);
    }
    return pass_when_stuck();
}

} // namespace zug::run
