// How the reference executor makes the steps of a chain.

#include "reference/reference.hpp"

namespace zug::run {

ReferenceChains::ReferenceChains(const Reference& game, const Slots& start, const HistoryNode* history)
    : game_(game), plan_(&*game.program().turn), start_(start), history_(history), asker_(game) {
    asker_.set_me(game.mover(start));
}

double ReferenceChains::number(ir::ExprId expr) {
    const ir::Program& program = game_.program();
    const ir::Value value = asker_.eval().value(expr);
    const bool is_real = program.types.kind(program.exprs[expr].type) == ir::TypeKind::Real;
    return is_real ? value.real : static_cast<double>(value.scalar);
}

double ReferenceChains::most(std::uint32_t chain, const Run& run) {
    asker_.read(run.slots, history_, false);
    return number(plan_->chains[chain].most);
}

WordsHash ReferenceChains::by(const Run& run) {
    return game_.key_hash(*plan_->by, run.slots, history_, false, game_.mover(start_));
}

void ReferenceChains::steps(ir::RuleId id, const Run& from, std::vector<Run>& out) {
    const ir::Program& program = game_.program();
    const ir::Rule& rule = program.rules[id];
    const bool settled = from.steps.empty();
    asker_.read(from.slots, history_, settled);
    game_.any_instance(asker_, id, {}, [&](auto params) {
        Run run = from;
        run.steps.push_back(*ir::encode_step(program, id, params));
        add_sums(id, run);
        auto fault = game_.apply(asker_, rule.then, run.slots, run.turn);
        if (!fault && run.steps.size() > max_chain) fault = endless_turn(rule);
        if (fault) {
            fault->rule = id;
            fail(std::move(*fault), run);
        } else if (game_.ensured(asker_, rule)) {
            out.push_back(std::move(run));
        }
        asker_.read(from.slots, history_, settled);
        return fault_.has_value();
    });
}

bool ReferenceChains::can_step(ir::RuleId id, const Run& from) {
    std::vector<Run> runs;
    if (!game_.program().rules[id].ensure.empty()) {
        steps(id, from, runs);
        return !runs.empty() || failed();
    }
    asker_.read(from.slots, history_, from.steps.empty());
    return game_.any_instance(asker_, id, {}, [](auto) { return true; });
}

// What the step adds to each chain's `most sum`; asked before its effects.
void ReferenceChains::add_sums(ir::RuleId rule, Run& run) {
    for (std::size_t c = 0; c < plan_->chains.size(); ++c) {
        const auto& sums = plan_->chains[c].most_sum;
        if (index(rule) < sums.size() && valid(sums[index(rule)])) run.sums[c] += number(sums[index(rule)]);
    }
}

bool ReferenceChains::finish(Run& run) {
    asker_.read(run.slots, history_, run.steps.empty());
    Slots slots = run.slots;
    if (auto fault = game_.apply(asker_, plan_->then, slots, run.turn)) {
        fail(std::move(*fault), run);
        return false;
    }
    game_.pass_turn(slots, false, run.turn);
    run.slots = std::move(slots);
    return true;
}

void ReferenceChains::fail(Fault fault, const Run& run) {
    fault.move.assign(run.steps.begin(), run.steps.end());
    fault.slots = start_;
    fault_ = std::move(fault);
}

} // namespace zug::run
