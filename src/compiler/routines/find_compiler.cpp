#include "compiler/routines/find_compiler.hpp"

#include <algorithm>

namespace zug::run {

bool FindCompiler::find(std::uint32_t player, bool chance, FindCode& out) {
    graph_.begin();
    std::vector<NodeRef> roots;
    std::optional<std::int32_t> early_exit;
    if (std::ranges::count(program_.rules, chance, &ir::Rule::chance) == 1) early_exit = FindCode::nothing;
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        if (program_.rules[id].chance == chance &&
            !find_rule(id, Context{.me = player}, {.early_exit = early_exit}, out, roots))
            return false;
    }
    finish(out, roots);
    return true;
}

// Many chains end where there are none.
bool FindCompiler::find_steps(ir::RuleId id, std::uint32_t player, FindCode& out) {
    graph_.begin();
    return find_alone(id, Context{.me = player}, {.early_exit = FindCode::nothing, .often_none = true}, out);
}

bool FindCompiler::find_given(ir::RuleId id, const Context& in, FindCode& out) {
    return find_alone(id, in, {.early_exit = FindCode::nothing}, out);
}

// Ends a routine that finds the moves of one rule.
bool FindCompiler::find_alone(ir::RuleId id, const Context& in, const MoveEmitter::Options& options, FindCode& out) {
    std::vector<NodeRef> roots;
    if (!find_rule(id, in, options, out, roots)) return false;
    finish(out, roots);
    return true;
}

// Each condition of a conjunction is tested as soon as its names are known, like those of `when`.
bool FindCompiler::find_loud(std::uint32_t player, FindCode& out) {
    graph_.begin();
    std::vector<NodeRef> roots;
    std::optional<std::int32_t> early_exit;
    if (std::ranges::count_if(program_.loud, [](ir::ExprId e) { return valid(e); }) == 1)
        early_exit = FindCode::nothing;
    for (std::size_t r = 0; r < program_.loud.size(); ++r) {
        const ir::ExprId loud = program_.loud[r];
        if (!valid(loud)) continue;
        const auto id = static_cast<ir::RuleId>(r);
        ir::Rule narrowed = program_.rules[id];
        if (program_.exprs[loud].op == ir::Op::And)
            for (const ir::ExprId part : program_.arguments(loud)) narrowed.when.push_back({.expr = part});
        else
            narrowed.when.push_back({.expr = loud});
        if (!find_rule(id, Context{.me = player}, {.early_exit = early_exit, .narrowed = &narrowed}, out, roots))
            return false;
    }
    finish(out, roots);
    return true;
}

void FindCompiler::finish(FindCode& out, const std::vector<NodeRef>& roots) {
    out.entry = graph_.finish(roots, 0);
    for (std::size_t k = 0; k < out.move_sets.size(); ++k) {
        out.move_sets[k].set = graph_.reg_of(roots[k]);
        out.sets.emplace_back(out.move_sets[k].set, out.move_sets[k].words);
    }
}

bool FindCompiler::count(std::uint32_t player, CountCode& out) {
    graph_.begin();
    out.total = graph_.fresh(1);
    graph_.effect(Family::Mov, 1, out.total, {graph_.word(0), no_node, no_node});
    MoveCounter counter(graph_, out.total, std::nullopt);
    const Context in{.me = player};
    std::vector<NodeRef> roots;
    bool done = true;
    for (std::size_t r = 0; r < program_.rules.size() && done; ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        done = program_.rules[id].chance || find_rule(id, in, {.counter = &counter}, out.needs_check, roots);
    }
    counter.finish();
    if (!done) return false;
    roots.push_back(graph_.fixed(out.total, 1));
    finish(out.needs_check, roots);
    return true;
}

bool FindCompiler::find_rule(ir::RuleId id, const Context& in, const MoveEmitter::Options& options, FindCode& out,
                             std::vector<NodeRef>& roots) {
    FoundMoves found{{}, out.emits};
    std::vector<bool> known_legal;
    if (!find_moves(id, in, options, found, known_legal)) return false;
    for (std::size_t k = 0; k < found.move_sets.size(); ++k) {
        const MoveSet& c = found.move_sets[k];
        roots.push_back(c.set);
        out.move_sets.push_back(move_set_code(program_, layout_, id, c, graph_.width(c.set)));
        out.move_sets.back().known_legal = known_legal[k];
    }
    out.emits = found.emits;
    return true;
}

bool FindCompiler::find_moves(ir::RuleId id, const Context& in, MoveEmitter::Options options, FoundMoves& out,
                              std::vector<bool>& known_legal) {
    graph_.enter(Origin::Part::When, index(id));
    FoundMoves found{{}, out.emits};
    const std::optional<Invalidation> invalidation = invalidation_of(id, in);
    if (invalidation) options.invalidation = &*invalidation;
    if (!MoveEmitter(lowering_, records_, id, options).find(in, found)) return false;
    const auto put = [&](const MoveSet& c, NodeRef set, bool sure) {
        if (graph_.is_empty(set)) return;
        if (options.counter != nullptr && options.counter->count(set, sure || program_.rules[id].ensure.empty()))
            return;
        out.move_sets.push_back(c);
        out.move_sets.back().set = set;
        known_legal.push_back(sure);
    };
    LegalityAnalysis legality(lowering_);
    for (const MoveSet& c : found.move_sets) {
        const KnownLegal known =
            invalidation ? legality.known_legal(id, c, in.with_assumed(c.assumed), *invalidation) : KnownLegal{};
        if (known.legal != no_node) put(c, graph_.and_(c.set, known.legal), true);
        put(c, legality.needs_check(c.set, known), false);
    }
    out.emits = found.emits;
    return true;
}

bool FindCompiler::find_unchecked(ir::RuleId id, const Context& in, FoundMoves& out) {
    graph_.enter(Origin::Part::When, index(id));
    return MoveEmitter(lowering_, records_, id, {}).find(in, out);
}

// The changes that can invalidate the rule's `ensure`; nullopt if it depends on more than the state.
std::optional<Invalidation> FindCompiler::invalidation_of(ir::RuleId id, const Context& in) {
    const ir::Rule& rule = program_.rules[id];
    if (rule.ensure.empty() || rule.chance || program_.turn || !lowering_.is_about_state(rule.ensure))
        return std::nullopt;
    Context state = in;
    return find_invalidation(graph_, layout_, program_, lowering_.clauses(rule.ensure, state));
}

} // namespace zug::run
