#include "run/interpreter_chains.hpp"

#include "run/hash.hpp"

#include <algorithm>

namespace zug::run {

InterpreterChains::InterpreterChains(Interpreter& game, std::span<const std::uint64_t> start)
    : game_(game), start_(start), mover_(static_cast<std::uint32_t>(start[game.turn_])) {}

void InterpreterChains::enter(const Run& run) {
    std::copy(run.slots.begin(), run.slots.end(), game_.frame_.get());
    game_.frame_[game_.compiled_->code.turned_reg] = static_cast<std::uint64_t>(run.turn.kind);
    game_.settled_ = run.steps.empty();
}

void InterpreterChains::take_turn(Run& run) {
    std::uint64_t* const frame = game_.frame_.get();
    const auto kind = static_cast<TurnChange::Kind>(frame[game_.compiled_->code.turned_reg]);
    if (kind != run.turn.kind) run.turn = {kind, static_cast<std::int64_t>(frame[game_.turn_])};
    frame[game_.turn_] = mover_;
}

void InterpreterChains::leave(Run& run) {
    take_turn(run);
    const std::uint64_t* const frame = game_.frame_.get();
    run.slots.assign(frame, frame + game_.state_words_);
}

double InterpreterChains::most(std::uint32_t chain, const Run& run) {
    enter(run);
    game_.settled_ = false;
    return game_.number(game_.compiled_->most[chain][mover_]);
}

WordsHash InterpreterChains::by(const Run& run) {
    enter(run);
    game_.settled_ = false;
    return game_.key_hash(game_.compiled_->plan_by[mover_]);
}

void InterpreterChains::steps(ir::RuleId id, const Run& from, std::vector<Run>& out) {
    const Compiled& code = *game_.compiled_;
    enter(from);
    const FindCode& find = code.steps[index(id)][mover_];
    if (game_.find(find) == 0) return;
    found_.clear();
    game_.each(find, [&](const Interpreter::Pick& p) { return found_.push_back(game_.code_of(p)), false; });
    std::ranges::sort(found_); // the order of step codes, as the reference finds them
    for (StepCode step : found_) {
        Run& run = out.emplace_back();
        run.steps.reserve(from.steps.size() + 1);
        run.steps = from.steps;
        run.steps.push_back(step);
        run.sums = from.sums;
        run.turn = from.turn;
        enter(from);
        game_.set_params(step);
        for (std::size_t c = 0; c < code.sums.size(); ++c)
            if (!code.sums[c][index(id)].empty()) run.sums[c] += game_.number(code.sums[c][index(id)][mover_]);
        game_.settled_ = false;
        const std::int32_t result = game_.run(code.rules[index(id)].apply[mover_]);
        if (result == troubled || run.steps.size() > max_chain) return fail(id, run);
        if (result == 1)
            out.pop_back(); // its `ensure` fails
        else
            leave(run);
    }
}

bool InterpreterChains::can_step(ir::RuleId id, const Run& from) {
    if (game_.program().rules[id].ensure.empty()) {
        enter(from);
        return game_.find(game_.compiled_->steps[index(id)][mover_]) > 0;
    }
    std::vector<Run> runs;
    steps(id, from, runs);
    return !runs.empty() || failed_;
}

bool InterpreterChains::finish(Run& run) {
    enter(run);
    if (!game_.program().turn->then.empty()) {
        if (game_.run(game_.compiled_->plan_then[mover_]) == troubled) {
            fail(none_id<ir::RuleId>, run);
            return false;
        }
        take_turn(run);
    }
    std::uint64_t* const frame = game_.frame_.get();
    if (run.turn.kind == TurnChange::Kind::Next) frame[game_.turn_] = static_cast<std::uint64_t>(run.turn.player);
    frame[game_.compiled_->code.turned_reg] = static_cast<std::uint64_t>(run.turn.kind);
    if (game_.program().keeps_last) frame[game_.compiled_->layout->last()] = mover_;
    game_.pass_turn(false);
    run.slots.assign(frame, frame + game_.state_words_);
    return true;
}

void InterpreterChains::fail(ir::RuleId rule, const Run& run) {
    failed_ = true;
    if (run.steps.size() > max_chain) {
        game_.fault_ = endless_turn(game_.program().rules[rule]);
        game_.fault_->rule = rule;
        game_.fault_->move.assign(run.steps.begin(), run.steps.end());
        game_.compiled_->layout->store(start_.data(), game_.fault_->slots);
    } else {
        game_.set_fault(rule, run.steps, start_);
    }
}

NodeKind Interpreter::list_chains(MoveList& moves) {
    const InterpreterChains::Words before(frame_.get(), frame_.get() + state_words_);
    const auto history = history_;
    const std::uint32_t mover = turn();
    InterpreterChains chains(*this, before);
    for (const InterpreterChains::Run& run : chains.moves()) {
        State result;
        if (program().keys.empty()) {
            result.words.assign(run.slots.begin(), run.slots.end());
        } else {
            std::copy(run.slots.begin(), run.slots.end(), frame_.get());
            history_ = history;
            settled_ = true;
            record(mover);
            leave(result);
        }
        moves.add_chain(run.steps, std::move(result));
    }
    std::copy(before.begin(), before.end(), frame_.get());
    history_ = history;
    settled_ = true;
    if (chains.failed()) {
        moves.clear();
        fault_of_chains(before);
        return NodeKind::Fault;
    }
    return moves.empty() ? stuck_node(moves) : NodeKind::Decision;
}

} // namespace zug::run
