// Which instances of a rule apply: nested loops over its parameters in order, each clause asked as soon as the
// parameters it mentions are bound, and before that, whether what is bound leaves it possible. Expressions are pure and
// total, so asking early changes nothing but the cost.

#include "reference/reference.hpp"

#include <algorithm>
#include <map>

namespace zug::run {

namespace {

using Levels = std::map<ir::VarId, std::size_t>; // names and how many parameters must be bound before they are

// Notes for the expression and all below it how many parameters must be bound before it can be evaluated.
std::size_t note_levels(const ir::Program& program, ir::ExprId id, const Levels& names,
                        std::map<ir::ExprId, std::size_t>& levels) {
    if (const auto known = levels.find(id); known != levels.end()) return known->second;
    const ir::Expr& e = program.exprs[id];
    std::size_t level = 0;
    if (e.op == ir::Op::Var)
        if (const auto it = names.find(static_cast<ir::VarId>(e.imm)); it != names.end()) level = it->second;
    for (auto arg : program.arguments(id)) level = std::max(level, note_levels(program, arg, names, levels));
    return levels[id] = level;
}

} // namespace

SearchPlan Reference::plan_search(const ir::Rule& rule) const {
    const ir::Program& program = *program_;
    SearchPlan plan;
    plan.clauses.resize(rule.params.size() + 1);
    plan.domains.resize(rule.params.size());
    Levels names;
    for (std::size_t i = 0; i < rule.params.size(); ++i) names[rule.params[i]] = i + 1;
    for (std::size_t c = 0; c < rule.when.size(); ++c) {
        const ir::Clause& clause = rule.when[c];
        const std::size_t level = note_levels(program, clause.expr, names, plan.levels);
        plan.clauses[level].push_back(c);
        if (valid(clause.bind)) {
            names[clause.bind] = level;
            continue;
        }
        const ir::Expr& e = program.exprs[clause.expr];
        if (e.op != ir::Op::In || level == 0) continue;
        const ir::Expr& left = program.exprs[program.argument(clause.expr, 0)];
        const ir::ExprId set = program.argument(clause.expr, 1);
        if (left.op == ir::Op::Var && static_cast<ir::VarId>(left.imm) == rule.params[level - 1] &&
            plan.levels.at(set) < level)
            plan.domains[level - 1].push_back(set);
    }
    return plan;
}

namespace {

// One search for instances of one rule.
struct InstanceSearch {
    const ir::Program& program;
    const ir::Rule& rule;
    const SearchPlan& plan;
    Asker& asker;
    Pattern pattern;
    const std::function<bool(std::span<const std::int64_t>)>& f;
    std::vector<std::int64_t> params;

    bool visit(std::size_t level) {
        for (auto c : plan.clauses[level]) {
            const ir::Clause& clause = rule.when[c];
            if (valid(clause.bind)) {
                asker.eval().bind(clause.bind, asker.eval().value(clause.expr));
            } else if (!asker.eval().truth(clause.expr)) {
                return false;
            }
        }
        if (level == rule.params.size()) return f(params);
        for (std::size_t later = level + 1; level > 0 && later < plan.clauses.size(); ++later)
            for (auto c : plan.clauses[later])
                if (!valid(rule.when[c].bind) && !possible(rule.when[c].expr, level)) return false;
        if (level < pattern.size() && pattern[level]) return with(level, *pattern[level]);
        return any_value(level);
    }

    // False only if the condition can't hold, whatever the parameters from `level` on will be.
    bool possible(ir::ExprId id, std::size_t level) {
        if (plan.levels.at(id) <= level) return asker.eval().truth(id);
        const auto args = program.arguments(id);
        switch (program.exprs[id].op) {
        case ir::Op::And: return std::ranges::all_of(args, [&](auto arg) { return possible(arg, level); });
        case ir::Op::Or: return std::ranges::any_of(args, [&](auto arg) { return possible(arg, level); });
        case ir::Op::Exists: return plan.levels.at(args[0]) > level || possible_for_some(id, level);
        default: return true;
        }
    }

    bool possible_for_some(ir::ExprId exists, std::size_t level) {
        const ir::ExprId domain = program.argument(exists, 0);
        const auto var = static_cast<ir::VarId>(program.exprs[exists].imm);
        const ir::TypeId type = program.types.inner(program.exprs[domain].type);
        const Bits members = asker.eval().set(domain);
        for (std::size_t i = members.first(); i < members.size(); i = members.next(i + 1)) {
            asker.eval().bind(var, ir::scalar_value(program.types.value(type, i)));
            if (possible(program.argument(exists, 1), level)) return true;
        }
        return false;
    }

    bool any_value(std::size_t level) {
        const ir::TypeId type = program.vars[rule.params[level]].type;
        std::vector<std::pair<ir::TypeId, Bits>> domains;
        for (auto domain : plan.domains[level])
            domains.emplace_back(program.types.inner(program.exprs[domain].type), asker.eval().set(domain));
        for (std::uint64_t i = 0; i < program.types.cardinality(type); ++i) {
            const std::int64_t value = program.types.value(type, i);
            const bool inside = std::ranges::all_of(domains, [&](const auto& domain) {
                const auto ordinal = program.types.ordinal(domain.first, value);
                return ordinal && domain.second.test(*ordinal);
            });
            if (inside && with(level, value)) return true;
        }
        return false;
    }

    bool with(std::size_t level, std::int64_t value) {
        if (!program.types.ordinal(program.vars[rule.params[level]].type, value)) return false;
        params[level] = value;
        asker.eval().bind(rule.params[level], ir::scalar_value(value));
        return visit(level + 1);
    }
};

} // namespace

bool Reference::any_instance(Asker& asker, ir::RuleId id, Pattern pattern,
                             const std::function<bool(std::span<const std::int64_t>)>& f) const {
    const ir::Rule& rule = program_->rules[id];
    InstanceSearch search{*program_, rule, searches_[index(id)], asker, pattern, f, {}};
    search.params.resize(rule.params.size());
    return search.visit(0);
}

bool Reference::any_legal(Asker& asker, ir::RuleId id, Pattern pattern, const Slots& slots, bool settled,
                          const std::function<bool(std::span<const std::int64_t>)>& f) const {
    const ir::Rule& rule = program_->rules[id];
    const HistoryNode* history = asker.history();
    return any_instance(asker, id, pattern, [&](auto params) {
        if (!rule.ensure.empty()) {
            Slots after = slots;
            TurnChange turn;
            apply(asker, rule.then, after, turn, Failing::IsCut);
            const bool legal = ensured(asker, rule);
            asker.read(slots, history, settled);
            if (!legal) return false;
        }
        return f(params);
    });
}

bool Reference::legal(const Slots& slots, const HistoryNode* history, StepCode code) const {
    ir::RuleId rule{};
    std::vector<std::int64_t> params;
    decode_step(*program_, code, rule, params);
    const std::vector<std::optional<std::int64_t>> pattern(params.begin(), params.end());
    Asker asker(*this);
    asker.set_me(mover(slots));
    asker.read(slots, history, true);
    return any_legal(asker, rule, pattern, slots, true, [](auto) { return true; });
}

// Asked of the state after the effects.
bool Reference::ensured(Asker& asker, const ir::Rule& rule) const {
    for (const ir::Clause& clause : rule.ensure) {
        if (valid(clause.bind)) {
            asker.eval().bind(clause.bind, asker.eval().value(clause.expr));
        } else if (!asker.eval().truth(clause.expr)) {
            return false;
        }
    }
    return true;
}

// Whether the player to move has a move, passes for being stuck not counted. A fault on the way is a move: it is found
// when the state is expanded.
bool Reference::has_move(const Slots& slots, const HistoryNode* history) const {
    if (program_->turn) {
        ReferenceChains search(*this, slots, history);
        return search.any();
    }
    Asker asker(*this);
    asker.set_me(mover(slots));
    for (std::size_t r = 0; r < program_->rules.size(); ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        asker.read(slots, history, true);
        if (!program_->rules[id].chance && any_legal(asker, id, {}, slots, true, [](auto) { return true; }))
            return true;
    }
    return false;
}

} // namespace zug::run
