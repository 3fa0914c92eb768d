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

void InterpreterChains::leave(Run& run) {
    std::uint64_t* const frame = game_.frame_.get();
    const auto kind = static_cast<TurnChange::Kind>(frame[game_.compiled_->code.turned_reg]);
    if (kind != run.turn.kind) run.turn = {kind, static_cast<std::int64_t>(frame[game_.turn_])};
    frame[game_.turn_] = mover_;
    run.slots.assign(frame, frame + game_.state_words_);
}

double InterpreterChains::most(std::uint32_t chain, const Run& run) {
    enter(run);
    game_.settled_ = false;
    return game_.number(game_.compiled_->most[chain][mover_]);
}

std::array<std::uint64_t, 2> InterpreterChains::by(const Run& run) {
    enter(run);
    game_.settled_ = false;
    return game_.key_hash(game_.compiled_->plan_by[mover_]);
}

std::vector<InterpreterChains::Run> InterpreterChains::steps(ir::RuleId id, const Run& from) {
    const Compiled& code = *game_.compiled_;
    std::vector<Run> runs;
    enter(from);
    const FindCode& find = code.steps[index(id)][mover_];
    game_.find(find);
    std::vector<StepCode> found;
    game_.each(find, [&](const Interpreter::Pick& p) { return found.push_back(game_.code_of(p)), false; });
    std::ranges::sort(found); // the order of step codes, as the reference finds them
    for (StepCode step : found) {
        Run run = from;
        run.steps.push_back(step);
        enter(from);
        game_.set_params(step);
        for (std::size_t c = 0; c < code.sums.size(); ++c)
            if (!code.sums[c][index(id)].empty()) run.sums[c] += game_.number(code.sums[c][index(id)][mover_]);
        game_.settled_ = false;
        const std::int32_t result = game_.run(code.rules[index(id)].apply[mover_]);
        if (result == troubled || run.steps.size() > max_chain) {
            fail(id, run);
            return {};
        }
        if (result == 1) continue;
        leave(run);
        runs.push_back(std::move(run));
    }
    return runs;
}

bool InterpreterChains::finish(Run& run) {
    enter(run);
    const std::int32_t result = game_.run(game_.compiled_->plan_then[mover_]);
    if (result == troubled) {
        fail(none_id<ir::RuleId>, run);
        return false;
    }
    leave(run);
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
        game_.fault_->move = run.steps;
        game_.compiled_->layout->store(start_.data(), game_.fault_->slots);
    } else {
        game_.set_fault(rule, run.steps, start_);
    }
}

NodeKind Interpreter::list_chains(MoveList& moves) {
    const std::vector<std::uint64_t> before(frame_.get(), frame_.get() + state_words_);
    const auto history = history_;
    const std::uint32_t mover = turn();
    InterpreterChains chains(*this, before);
    for (const InterpreterChains::Run& run : chains.moves()) {
        std::copy(run.slots.begin(), run.slots.end(), frame_.get());
        history_ = history;
        settled_ = true;
        record(mover);
        State result;
        leave(result);
        moves.add_chain(run.steps, std::move(result));
    }
    std::copy(before.begin(), before.end(), frame_.get());
    history_ = history;
    settled_ = true;
    if (chains.failed()) {
        moves.clear();
        return NodeKind::Fault;
    }
    return moves.empty() ? stuck_node(moves) : NodeKind::Decision;
}

} // namespace zug::run
