#include "interpreter/playout.hpp"

#include "base/copy_words.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

PlayoutResult RandomPlay::playout(Random& random, std::uint32_t max_plies) {
    const bool in_code = !play_.entries.empty();
    return in_code ? play_in_code(random, max_plies, 1) : play_by_steps(random, max_plies);
}

bool RandomPlay::tallies() {
    if (!std::exchange(found_, true)) payable_ = play_.tallies > 0 && find_utilities();
    return payable_;
}

// They depend on the clause and who moved last alone, so that any position in the frame will do.
bool RandomPlay::find_utilities() {
    const ir::Program& program = referee_.program();
    const std::size_t players = program.player_count(), ends = referee_.compiled().payoffs.size();
    utilities_.resize(play_.tallies * players);
    for (std::size_t tally = 0; tally < play_.tallies; ++tally) {
        const std::span<double> of_tally = std::span(utilities_).subspan(tally * players, players);
        referee_.values(referee_.compiled().payoffs[tally % ends][tally / ends], of_tally);
        if (!all_payable(of_tally)) return false;
    }
    return true;
}

// The games that the routine has restarted after. Tallies count down.
void RandomPlay::add_tallies(UtilitySums& sums) const {
    const std::size_t players = referee_.program().player_count();
    for (std::size_t tally = 0; tally < play_.tallies; ++tally)
        if (const std::uint64_t games = ~frame_[play_.tally + tally]; games > 0)
            sums.add(std::span(utilities_).subspan(tally * players, players), static_cast<double>(games));
}

Playouts RandomPlay::playouts(const State& start, const State& state, Random& random, std::uint32_t plies,
                              UtilitySums* sums) {
    referee_.enter(start);
    std::copy_n(frame_, referee_.state_words(), frame_ + play_.start);
    referee_.enter(state);
    std::fill_n(frame_ + play_.tally, play_.tallies, ~std::uint64_t{0});
    sums_ = sums;
    const PlayoutResult last = play_in_code(random, plies, plies);
    sums_ = nullptr;
    if (sums != nullptr) add_tallies(*sums);
    Playouts result{.plies = last.plies, .finished = plies - 1 - static_cast<std::uint32_t>(frame_[play_.games])};
    result.begun = plies - static_cast<std::uint32_t>(frame_[play_.begun]);
    if (last.finished) {
        ++result.finished;
        result.begun = result.plies;
        std::copy_n(frame_ + play_.start, referee_.state_words(), frame_);
    }
    return result;
}

PlayoutResult RandomPlay::play_by_steps(Random& random, std::uint32_t max_plies) {
    PlayoutResult result;
    for (;;) {
        const Step step = play_ply(random, result.plies < max_plies);
        result.finished = step == Step::Ended;
        if (step != Step::Played) return result;
        ++result.plies;
    }
}

// The routine plays; chance, passing and faults are dealt with here. More games than one only where it restarts.
PlayoutResult RandomPlay::play_in_code(Random& random, std::uint32_t max_plies, std::uint32_t games) {
    const ir::Program& program = referee_.program();
    std::ranges::copy(random.words(), frame_ + play_.random);
    frame_[play_.left] = frame_[play_.begun] = max_plies;
    frame_[play_.games] = games - 1;
    PlayoutResult result;
    for (Step step = Step::Played; step == Step::Played;) {
        if (program.turn && !referee_.locals_are_initial()) {
            step = with_random(random, [&] { return play_ply(random, frame_[play_.left] > 0); });
            if (step == Step::Played) --frame_[play_.left];
            result.finished = step == Step::Ended;
            continue;
        }
        step = play_after(run_play(), random);
        result.finished = step == Step::Ended;
        if (result.finished && sums_ != nullptr) add_ending();
        if (result.finished && restart()) step = Step::Played;
    }
    load_random(random);
    result.plies = max_plies - static_cast<std::uint32_t>(frame_[play_.left]);
    return result;
}

std::int32_t RandomPlay::run_play() {
    const ir::Program& program = referee_.program();
    const std::size_t node =
        program.keeps_last ? referee_.turn() * program.player_count() + referee_.last() : referee_.turn();
    return referee_.run(play_.entries[node]);
}

PlayoutResult RandomPlay::playout(Random& random, std::uint32_t max_plies, std::vector<PlayedMove>& played) {
    played_ = &played;
    const bool in_code = !play_.entries.empty();
    const PlayoutResult result = in_code ? record_in_code(random, max_plies) : play_by_steps(random, max_plies);
    played_ = nullptr;
    return result;
}

// The routine is let play one ply at a time: the move that it drew then stands in the frame.
PlayoutResult RandomPlay::record_in_code(Random& random, std::uint32_t max_plies) {
    std::ranges::copy(random.words(), frame_ + play_.random);
    frame_[play_.games] = 0;
    PlayoutResult result;
    std::uint64_t left = max_plies;
    for (Step step = Step::Played; step == Step::Played; left = frame_[play_.left]) {
        step = record_ply(random, left);
        result.finished = step == Step::Ended;
    }
    load_random(random);
    result.plies = max_plies - static_cast<std::uint32_t>(left);
    return result;
}

// At most one ply is played by the routine, and at most one by its caller. `left` counts down in the frame.
Step RandomPlay::record_ply(Random& random, std::uint64_t left) {
    std::uint64_t& in_frame = frame_[play_.left];
    const std::uint32_t mover = referee_.turn();
    in_frame = std::min<std::uint64_t>(left, 1);
    const std::int32_t stopped = run_play();
    const bool begun = left > 0 && in_frame == 0; // a ply was counted
    const bool made = begun && (stopped == PlayCode::out_of_plies || stopped >= 0);
    in_frame = begun ? left - 1 : left;
    if (made) {
        const Pick drawn = Machine::pick(frame_ + play_.drawn, play_.move_sets, referee_.records);
        record(code_drawn(drawn), mover, referee_.program().rules[referee_.rule_of(drawn)].chance);
    }
    if (made && stopped == PlayCode::out_of_plies && in_frame > 0) return Step::Played;
    return play_after(stopped, random);
}

StepCode RandomPlay::code_drawn(const Pick& drawn) const {
    StepCode code = referee_.code_of(drawn);
    if (drawn.found == nullptr) return code;
    for (const MoveSetCode::Later& later : drawn.found->later) code += later.codes[frame_[later.bit]];
    return code;
}

// A game that was not restarted by the routine has ended.
void RandomPlay::add_ending() {
    const std::size_t players = referee_.program().player_count(), ends = referee_.compiled().payoffs.size();
    const std::size_t tally = referee_.last() * ends + static_cast<std::size_t>(referee_.ending());
    sums_->add(std::span(utilities_).subspan(tally * players, players));
}

// Begins the next game after one that has ended. False: there is none to play.
bool RandomPlay::restart() {
    if (frame_[play_.games] == 0) return false;
    --frame_[play_.games];
    frame_[play_.begun] = frame_[play_.left];
    copy_words(frame_ + play_.start, referee_.state_words(), frame_);
    return true;
}

// The generator as the routine has left it in the frame.
void RandomPlay::load_random(Random& random) const {
    const std::uint64_t* const words = frame_ + play_.random;
    random.set_words({words[0], words[1], words[2], words[3]});
}

// Lets f draw from the generator in the frame.
template <class F>
Step RandomPlay::with_random(Random& random, F&& f) {
    load_random(random);
    const Step step = f();
    std::ranges::copy(random.words(), frame_ + play_.random);
    return step;
}

// Does what the routine leaves to its caller, given why it stopped.
Step RandomPlay::play_after(std::int32_t stopped, Random& random) {
    std::uint64_t& left = frame_[play_.left];
    if (stopped == PlayCode::out_of_plies) return referee_.ends_for_stuck() ? Step::Ended : Step::Failed;
    if (stopped >= 0) {
        if (referee_.ending_of(stopped) >= 0) return Step::Ended;
        // The clause holds only for a player who can move, and this one can't.
        if (left == 0) return Step::Failed;
        --left;
        stopped = PlayCode::no_move;
    }
    const bool is_stuck = stopped == PlayCode::no_move && !referee_.program().turn;
    const Step step =
        with_random(random, [&] { return is_stuck ? play_when_none(random) : draw_after(stopped, random); });
    if (step != Step::Played) ++left; // it was counted as a ply
    return step;
}

// No move was found.
Step RandomPlay::play_when_none(Random& random) {
    Referee* const other = referee_.beyond();
    if (other == nullptr) return pass_when_stuck();
    const Step step = TurnPlay(*other).play(random);
    referee_.enter(other->frame());
    referee_.set_history(other->history());
    return step;
}

Step RandomPlay::pass_when_stuck() {
    const std::uint32_t mover = referee_.turn();
    const Step step = referee_.pass_when_stuck();
    if (step == Step::Played) record(pass_code, mover);
    return step;
}

Step RandomPlay::draw_after(std::int32_t stopped, Random& random) {
    if (stopped == PlayCode::search_due || stopped == PlayCode::no_move) return turns_.play(random);
    if (stopped != PlayCode::chance_due) return play_failed_draw(random);
    const std::uint64_t found = referee_.find_chances();
    return found > 0 ? play_chance(random, found) : Step::Failed;
}

// The move that was drawn failed a check. It is a fault, unless the move isn't legal: then another is drawn.
Step RandomPlay::play_failed_draw(Random& random) {
    const Pick drawn = Machine::pick(frame_ + play_.drawn, play_.move_sets, referee_.records);
    const StepCode code = code_drawn(drawn);
    const ir::RuleId rule = referee_.rule_of(drawn);
    const bool chance = referee_.program().rules[rule].chance;
    ReferenceLink& reference = referee_.reference();
    referee_.set_between_moves(true);
    const std::span<const std::uint64_t> before(frame_ + play_.before, referee_.state_words());
    if (referee_.program().turn && !chance) {
        reference.describe_chains(before);
        return Step::Failed;
    }
    if (chance || !referee_.compiled().rules[index(rule)].ensures || reference.is_legal(code, before)) {
        reference.describe_step(rule, code, before);
        return Step::Failed;
    }
    std::ranges::copy(before, frame_);
    const FindCode& moves = referee_.compiled().moves[referee_.turn()];
    const std::uint64_t total = referee_.find(moves);
    return play_legal(random, moves, total);
}

// One random move or event; without `may_move`, only asks whether the game has ended.
Step RandomPlay::play_ply(Random& random, bool may_move) {
    if (referee_.ending_before_moves() >= 0) return Step::Ended;
    if (!may_move) return referee_.ending() >= 0 ? Step::Ended : Step::Failed;
    if (const std::uint64_t found = referee_.find_chances(); found > 0) return play_chance(random, found);
    if (referee_.program().turn) return turns_.play(random);
    const FindCode& code = referee_.compiled().moves[referee_.turn()];
    const std::uint64_t total = referee_.find(code);
    if (total == 0) return play_when_none(random);
    return referee_.has_ensure() ? play_legal(random, code, total) : play_any(random, code, total);
}

// Draws one of those found, all of which are legal.
Step RandomPlay::play_any(Random& random, const FindCode& code, std::uint64_t total) {
    const std::uint32_t mover = referee_.turn();
    const Pick p = referee_.pick(code, random.below(static_cast<std::uint32_t>(total)));
    const StepCode step = referee_.code_of(p);
    const ir::RuleId rule = referee_.set_params(p);
    if (referee_.compiled().rules[index(rule)].checks) referee_.save();
    if (referee_.apply(rule) == Machine::Applied::Fault) {
        referee_.reference().describe_step(rule, step, referee_.saved());
        return Step::Failed;
    }
    record(step, mover);
    referee_.end_move(mover);
    return Step::Played;
}

Step RandomPlay::play_chance(Random& random, std::uint64_t found) {
    if (!referee_.is_uniform()) return play_weighted_outcome(random);
    // What a draw by weights of 1 would give.
    const auto number = static_cast<std::uint64_t>(random.unit() * static_cast<double>(found));
    const FindCode& chances = referee_.compiled().chances[referee_.turn()];
    return play_outcome(referee_.pick(chances, std::min(number, found - 1)));
}

Step RandomPlay::play_weighted_outcome(Random& random) {
    outcomes_.clear();
    double total = 0;
    const bool good = referee_.each_outcome([&](const Pick& p, double weight) { outcomes_.push_back({p, weight}); });
    if (!good) return Step::Failed;
    for (const Outcome& o : outcomes_) total += o.weight;
    double left = random.unit() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < outcomes_.size() && left >= outcomes_[chosen].weight) left -= outcomes_[chosen++].weight;
    return play_outcome(outcomes_[chosen].pick);
}

Step RandomPlay::play_outcome(const Pick& p) {
    const StepCode event = referee_.code_of(p);
    const ir::RuleId rule = referee_.set_params(p);
    if (referee_.compiled().rules[index(rule)].checks) referee_.save();
    const std::uint32_t mover = referee_.turn();
    if (referee_.apply(rule) == Machine::Applied::Fault) {
        referee_.reference().describe_step(rule, event, referee_.saved());
        return Step::Failed;
    }
    record(event, mover, true);
    referee_.pass_turn(true);
    return Step::Played;
}

// Draws from those found until one passes its `ensure`: uniform over the legal moves.
Step RandomPlay::play_legal(Random& random, const FindCode& code, std::uint64_t total) {
    const std::uint32_t mover = referee_.turn();
    referee_.save();
    refused_.clear(); // numbers, because the sets themselves can't be changed: they may be constants, or shared
    while (refused_.size() < total) {
        std::uint64_t number = random.below(static_cast<std::uint32_t>(total - refused_.size()));
        auto at = refused_.begin();
        for (; at != refused_.end() && *at <= number; ++at) ++number;
        const Pick p = referee_.pick(code, number);
        const StepCode step = referee_.code_of(p);
        const ir::RuleId rule = referee_.set_params(p);
        const Machine::Applied applied = referee_.apply(rule);
        if (applied == Machine::Applied::Fault && referee_.reference().is_legal(step, referee_.saved())) {
            referee_.reference().describe_step(rule, step, referee_.saved());
            return Step::Failed;
        }
        if (applied == Machine::Applied::Done) {
            record(step, mover);
            referee_.end_move(mover);
            return Step::Played;
        }
        referee_.restore();
        refused_.insert(at, number);
    }
    return pass_when_stuck();
}

} // namespace zug::run
