// Which instances of a rule apply, and which of them are legal.

#include "reference/chains.hpp"
#include "reference/reference.hpp"

#include <algorithm>

namespace zug::run {

// Binds the parameters of a rule one after the other, values in ascending order.
struct InstanceSearch {
    const ir::Program& program;
    const ir::Rule& rule;
    const ConditionOrder& order;
    Asker& asker;
    ir::Work& work;
    Pattern pattern;
    const std::function<bool(std::span<const std::int64_t>)>& f;
    std::vector<std::int64_t> params; // those that are bound

    // Whether f returned true for an instance that begins with `params`.
    bool any() {
        const std::size_t bound = params.size();
        if (!asker.hold(order.clauses[bound]) || work.spent()) return false;
        if (bound == rule.params.size()) return f(params);
        const ir::TypeId type = program.vars[rule.params[bound]].type;
        const auto domains = values_of(order.domains[bound]);
        for (std::uint64_t i = 0; i < program.types.cardinality(type); ++i) {
            const std::int64_t value = program.types.value(type, i);
            if (bound < pattern.size() && pattern[bound] && *pattern[bound] != value) continue;
            if (!work.take(1)) return false;
            if (in_all(domains, value) && any_with(value)) return true;
        }
        return false;
    }

    bool any_with(std::int64_t value) {
        asker.eval().bind(rule.params[params.size()], ir::scalar_value(value));
        params.push_back(value);
        const bool found = any();
        params.pop_back();
        return found;
    }

    using Domain = std::pair<ir::TypeId, Bits>; // a set, and the type of its members

    std::vector<Domain> values_of(const std::vector<ir::ExprId>& sets) {
        std::vector<Domain> domains;
        for (const ir::ExprId set : sets)
            domains.emplace_back(program.types.inner(program.exprs[set].type), asker.eval().set(set));
        return domains;
    }

    bool in_all(const std::vector<Domain>& domains, std::int64_t value) const {
        return std::ranges::all_of(domains, [&](const Domain& domain) {
            const auto ordinal = program.types.ordinal(domain.first, value);
            return ordinal && domain.second.test(*ordinal);
        });
    }
};

bool Asker::hold(const std::vector<ir::Clause>& clauses) {
    for (const ir::Clause& clause : clauses) {
        if (valid(clause.bind)) {
            eval_.bind(clause.bind, eval_.value(clause.expr));
        } else if (!eval_.truth(clause.expr)) {
            return false;
        }
    }
    return true;
}

bool Reference::any_instance(Asker& asker, ir::RuleId id, Pattern pattern, const OnInstance& f) const {
    if (out_of_work()) return false;
    const bool found =
        InstanceSearch{*program_, program_->rules[id], orders_[index(id)], asker, work_, pattern, f, {}}.any();
    if (out_of_work() && !valid(busy_)) busy_ = id;
    return found;
}

bool Reference::any_legal(Asker& asker, ir::RuleId id, Pattern pattern, const OnInstance& f) const {
    const ir::Rule& rule = program_->rules[id];
    const Slots& slots = asker.slots();
    const HistoryNode* history = asker.history();
    const bool between_moves = asker.between_moves();
    return any_instance(asker, id, pattern, [&](auto params) {
        if (!rule.ensure.empty()) {
            Slots after = slots;
            TurnChange turn;
            apply(asker, rule.then, after, turn, Failing::Clamps);
            const bool legal = asker.hold(rule.ensure);
            asker.read(slots, history, between_moves);
            if (!legal) return false;
        }
        return f(params);
    });
}

bool Reference::legal(const Slots& slots, const HistoryNode* history, StepCode code) const {
    begin_work();
    ir::RuleId rule{};
    std::vector<std::int64_t> params;
    decode_step(*program_, code, rule, params);
    const std::vector<std::optional<std::int64_t>> pattern(params.begin(), params.end());
    Asker asker(*this);
    asker.set_me(mover(slots));
    asker.read(slots, history, true);
    return any_legal(asker, rule, pattern, [](auto) { return true; });
}

// A move is loud if one of its steps is, each asked of the state before it.
bool Reference::is_loud(const State& state, std::span<const StepCode> steps) {
    begin_work();
    Slots slots = slots_of(state);
    Asker asker(*this);
    asker.set_me(mover(slots));
    TurnChange turn;
    bool loud = false;
    for (std::size_t k = 0; k < steps.size() && !loud && steps[k] != pass_code; ++k) {
        ir::RuleId rule{};
        std::vector<std::int64_t> params;
        decode_step(*program_, steps[k], rule, params);
        const std::vector<std::optional<std::int64_t>> pattern(params.begin(), params.end());
        asker.read(slots, state.history.get(), k == 0);
        any_instance(asker, rule, pattern, [&](auto) {
            const ir::ExprId condition = program_->loud_when(rule);
            loud = valid(condition) && asker.eval().truth(condition);
            if (!loud) apply(asker, program_->rules[rule].then, slots, turn);
            return true;
        });
    }
    if (out_of_work()) fault_ = too_much_work(slots);
    return loud;
}

// Whether the player to move has a move, passes for being stuck not counted. A fault on the way is a move: it is found
// when the state is expanded.
bool Reference::has_move(const Slots& slots, const HistoryNode* history) const {
    if (program_->turn) {
        ChainSearch search(*this, slots, history);
        return !search.moves().empty() || search.fault();
    }
    Asker asker(*this);
    asker.set_me(mover(slots));
    for (std::size_t r = 0; r < program_->rules.size(); ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        asker.read(slots, history, true);
        if (!program_->rules[id].chance && any_legal(asker, id, {}, [](auto) { return true; })) return true;
    }
    return false;
}

} // namespace zug::run
