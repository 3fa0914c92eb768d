// Instances of a rule: as sets that the routine leaves behind, or as records that it emits.
//
// Sets serve all places at once but need one for every way to choose the other parameters: fifty-six for a queen, each
// worked out whether there is a queen or not. Records need a loop over the pieces, with a few instructions for each.
// So a rule with many ways is split by what stands on the site that its first parameter names, and for each sort of
// piece the cheaper way is taken, by how many there are at the start.

#include "compiler/lower/lowering.hpp"
#include "compiler/lower/move_counter.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t few_move_sets = 24;   // that are always taken as sets
constexpr std::size_t cases_in_loop = 16;   // that are taken as sets inside a loop
constexpr std::size_t much_work = 200;      // nodes of a rule without sites that is not lifted
constexpr std::uint64_t split_values = 16;  // that a map may hold for the rule to be split by them
constexpr std::uint64_t unrolled_ways = 24; // of parameters none of which is a site
constexpr std::uint64_t many = 1'000;       // pieces, or a number that is not known
constexpr std::uint64_t few_pieces = 4;     // that are always gone through one by one
constexpr std::uint64_t late_pieces = 4;    // expected of a sort that is not there at the start

} // namespace

struct Lowering::Emission {
    ir::RuleId id;
    const ir::Rule& rule;
    std::vector<NodeRef> domains; // by parameter: what the clauses about it alone leave; empty: not looked at
    std::vector<bool> in_domains; // by clause: used up by them
    NodeRef any_left = no_node;
    bool unrolls = false; // no parameter is a site, and all have few values
};

bool Lowering::instances(ir::RuleId id, const Context& in, std::optional<std::int32_t> early_exit, Instances& out) {
    const ir::Rule& rule = program_.rules[id];
    const ValueGraph::From here(graph_, rule.span);
    Emission e{id, rule, {}, {}};
    const auto site = std::ranges::find_if(
        rule.params, [&](ir::VarId p) { return program_.types.kind(program_.vars[p].type) == TypeKind::Site; });
    std::optional<ir::StateId> state;
    if (site != rule.params.end())
        for (const ir::Clause& clause : rule.when)
            if (!state) state = map_read_at(clause.expr, *site);
    std::uint64_t ways = 1;
    for (ir::VarId p : rule.params)
        ways = std::min(ways * program_.types.cardinality(program_.vars[p].type), unrolled_ways + 1);
    e.unrolls = site == rule.params.end() && ways <= unrolled_ways;
    const std::size_t first = out.move_sets.size(), built = graph_.built();
    failure_reason_ = {};
    if (move_sets(rule, in, out.move_sets, {.most = state ? few_move_sets : case_limit})) {
        if (!e.unrolls || graph_.built() - built < much_work) return true;
    }
    if (failed_) return false;
    failure_reason_.too_large = failure_reason_.too_large || !valid(failure_reason_.expr);
    record_refusal();
    out.move_sets.resize(first);
    if (state && instances_by_value(e, *state, in, out)) return !failed_;
    if (failed_) return false;
    out.move_sets.resize(first);
    start_emitting(in, out);
    std::vector<bool> used(rule.when.size(), false);
    if (!e.unrolls) e.domains = domains_of(rule, in, used, e.any_left, early_exit);
    e.in_domains = used;
    if (!failed_) emit_level(e, in, std::move(used));
    return !failed_;
}

void Lowering::start_emitting(const Context& in, Instances& out) {
    if (in.counter != nullptr && in.counter->takes_all()) return; // nothing will be emitted
    if (!out.emits) graph_.effect(Family::EmitNone, 1, 0, {no_node, no_node, no_node});
    out.emits = true;
}

// The state variable, one of few values stored as planes, that the expression reads at the place `var`.
std::optional<ir::StateId> Lowering::map_read_at(ir::ExprId e, ir::VarId var) const {
    const ir::Expr& x = expr(e);
    if (x.op == Op::MapGet && x.arg_count == 1) {
        const auto id = static_cast<ir::StateId>(x.imm);
        const ir::Expr& place = expr(program_.argument(e, 0));
        const ir::StateVariable& variable = program_.states[id];
        if (place.op == Op::Var && static_cast<ir::VarId>(place.imm) == var && variable.assigned &&
            layout_.variable(id).storage == Storage::Planes &&
            program_.types.cardinality(variable.value) <= split_values)
            return id;
    }
    for (ir::ExprId a : program_.arguments(e))
        if (const auto found = map_read_at(a, var)) return found;
    return std::nullopt;
}

// The value that is assumed of this read, or null.
const std::int64_t* Lowering::assumed_at(ir::ExprId map_get, const Context& in) {
    if (!in.assumed || static_cast<ir::StateId>(expr(map_get).imm) != in.assumed->state || expr(map_get).arg_count != 1)
        return nullptr;
    const Scoped place = resolve(program_.argument(map_get, 0), in);
    const ir::Expr& x = expr(place.expr);
    return x.op == Op::Var && static_cast<ir::VarId>(x.imm) == in.assumed->var ? &in.assumed->value : nullptr;
}

bool Lowering::instances_by_value(Emission& e, ir::StateId state, const Context& around, Instances& out) {
    const ir::StateVariable& variable = program_.states[state];
    const auto param = static_cast<std::size_t>(
        std::ranges::find_if(
            e.rule.params, [&](ir::VarId p) { return program_.types.kind(program_.vars[p].type) == TypeKind::Site; }) -
        e.rule.params.begin());
    const ir::TypeId type = program_.vars[e.rule.params[param]].type;
    const Lift lift = lift_over(type);
    bool good = true;
    for (std::uint64_t o = 0; o < program_.types.cardinality(variable.value) && good; ++o) {
        const std::int64_t value = layout_.to_register(variable.value, program_.types.value(variable.value, o));
        const Context bare = around.with_assumed(Assumption{state, e.rule.params[param], value});
        // The clauses about the site alone, which often exclude the value altogether.
        NodeRef domain = plane_of(state, o, bare);
        std::vector<bool> used(e.rule.when.size(), false);
        Context in = bind_table(e.rule.params[param], values_by_bit(type, lift), bare);
        for (std::size_t c = 0; c < e.rule.when.size() && !graph_.is_empty(domain); ++c) {
            const ir::Clause& clause = e.rule.when[c];
            if (!names_known(clause.expr, in)) continue;
            if (valid(clause.bind)) {
                in = bind(clause.bind, clause.expr, in, in);
                continue;
            }
            const NodeRef truth = lift_truth(clause.expr, in, lift);
            used[c] = truth != no_node;
            if (used[c]) domain = graph_.and_(domain, truth);
        }
        if (graph_.is_empty(domain)) continue;
        const std::uint64_t placed = expected_size(plane_of(state, o, bare));
        const std::uint64_t pieces =
            o == 0 ? many : std::min(expected_size(domain), placed >= many ? late_pieces : placed);
        const std::size_t before = out.move_sets.size();
        const std::size_t most = pieces >= many ? case_limit : 2 * pieces;
        if (pieces <= few_pieces || !move_sets(e.rule, bare, out.move_sets, {.most = most, .guard = domain})) {
            out.move_sets.resize(before);
            start_emitting(in, out);
            good = !failed_;
            if (good) emit_loop(e, param, bare, std::move(used), domain);
        }
        good = good && !failed_;
    }
    return good;
}

// One parameter after the other: as a set together with those still to come if they have few ways, as a loop if not.
void Lowering::emit_level(Emission& e, Context in, std::vector<bool> used) {
    std::vector<ValueGraph::OpenLoop> guards;
    bool possible = true;
    for (std::size_t c = 0; c < e.rule.when.size() && possible; ++c) {
        const ir::Clause& clause = e.rule.when[c];
        if (used[c] || !names_known(clause.expr, in)) continue;
        used[c] = true;
        if (valid(clause.bind)) {
            in = bind(clause.bind, clause.expr, in, in);
            continue;
        }
        const NodeRef truth = eval(clause.expr, in);
        if (graph_.is_constant(truth))
            possible = graph_.constant_word(truth) != 0;
        else
            guards.push_back(!e.unrolls ? graph_.open_loop(Reduce::Once, truth, 1, no_node) : graph_.open_guard(truth));
    }
    const auto next = std::ranges::find_if(e.rule.params, [&](ir::VarId p) { return find(p, in) == nullptr; });
    const auto param = static_cast<std::size_t>(next - e.rule.params.begin());
    const bool inside =
        std::ranges::any_of(e.rule.params, [&](ir::VarId p) { return find(p, in) != nullptr; }) && !e.unrolls;
    // What was used up to narrow the loop over a parameter still has to be said where there is no such loop.
    std::vector<bool> said = used;
    for (std::size_t c = 0; c < e.in_domains.size(); ++c)
        if (e.in_domains[c] && !names_known(e.rule.when[c].expr, in)) said[c] = false;
    std::vector<MoveSet> found;
    if (!possible || failed_) {
        // Nothing to report.
    } else if ((next == e.rule.params.end() || inside) &&
               move_sets(e.rule, in, found, {.most = cases_in_loop, .used = said})) {
        for (const MoveSet& c : found) emit_move_set(e, c, in);
    } else if (!failed_) {
        const ir::TypeId type = program_.vars[*next].type;
        if (e.unrolls) {
            for (std::uint64_t o = 0; o < program_.types.cardinality(type); ++o) {
                const std::int64_t word = layout_.to_register(type, program_.types.value(type, o));
                emit_level(e, bind_node(*next, graph_.word(word), in), used);
            }
        } else {
            NodeRef domain = e.domains.empty() ? universe(type) : e.domains[param];
            if (e.any_left != no_node) domain = graph_.bcast(std::exchange(e.any_left, no_node), domain);
            emit_loop(e, param, in, std::move(used), domain);
        }
    }
    while (!guards.empty()) {
        graph_.close_guard(guards.back());
        guards.pop_back();
    }
}

void Lowering::emit_loop(Emission& e, std::size_t param, const Context& in, std::vector<bool> used, NodeRef domain) {
    const ir::VarId var = e.rule.params[param];
    const ir::TypeId type = program_.vars[var].type;
    if (program_.types.kind(type) == TypeKind::Optional) {
        (void)fail();
        return;
    }
    // What can be said of all values of this parameter at once narrows the loop.
    const Lift lift = lift_over(type);
    Context lifted = bind_table(var, values_by_bit(type, lift), in);
    for (std::size_t c = 0; c < e.rule.when.size(); ++c) {
        const ir::Clause& clause = e.rule.when[c];
        if (used[c] || valid(clause.bind) || !names_known(clause.expr, lifted)) continue;
        const NodeRef truth = lift_truth(clause.expr, lifted, lift);
        if (truth == no_node) continue;
        used[c] = true;
        domain = graph_.and_(domain, truth);
    }
    const auto open = graph_.open_loop(Reduce::Effects, domain, 1, no_node);
    if (in.counter != nullptr) in.counter->enter(open, domain);
    emit_level(e, bind_node(var, item_of(type, open), in), std::move(used));
    if (in.counter != nullptr)
        in.counter->close();
    else
        graph_.close_loop(open, no_node);
}

NodeRef Lowering::needs_check(NodeRef set, const KnownLegal& known_legal) {
    if (known_legal.illegal != no_node) set = graph_.and_not(set, known_legal.illegal);
    return known_legal.legal == no_node ? set : graph_.and_not(set, known_legal.legal);
}

void Lowering::emit_move_set(Emission& e, const MoveSet& found, const Context& in) {
    Record record{e.id, found.params, in.assumed};
    std::vector<NodeRef> kept;
    for (std::size_t p = 0; p < e.rule.params.size(); ++p) {
        if (!record.params[p].empty()) continue;
        const NodeRef given = find(e.rule.params[p], in)->node;
        const std::size_t bits = std::size_t{graph_.width(found.set)} * 64;
        if (graph_.is_constant(given))
            record.params[p].assign(bits, graph_.constant_word(given));
        else
            kept.push_back(given);
    }
    const auto put = [&](NodeRef set, bool known_legal) {
        if (graph_.is_empty(set)) return;
        if (in.counter != nullptr && in.counter->count(set, known_legal || e.rule.ensure.empty())) return;
        record.known_legal = known_legal;
        code_.shapes.push_back({graph_.width(set), {}, 0});
        records.push_back(record);
        graph_.emit_record(static_cast<std::uint32_t>(code_.shapes.size() - 1), set, kept);
    };
    const KnownLegal known = in.invalidation == nullptr ? KnownLegal{} : known_legal(e.id, found, in, *in.invalidation);
    const NodeRef left = needs_check(found.set, known);
    if (known.legal == no_node) return put(left, false);
    const std::size_t outside = in.counter == nullptr ? 0 : in.counter->counted_behind();
    put(graph_.and_(found.set, known.legal), true);
    const bool all_sure = in.counter != nullptr && in.counter->takes_all() && in.counter->counted_behind() > outside;
    if (!all_sure) put(left, false);
}

} // namespace zug::run
