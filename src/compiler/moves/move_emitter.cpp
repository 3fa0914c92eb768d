#include "compiler/moves/move_emitter.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::size_t few_move_sets = 24;     // that are always taken as sets
constexpr std::size_t move_sets_in_loop = 16; // the most that are built inside a loop
constexpr std::size_t much_work = 200;        // nodes of a rule without sites that is not lifted
constexpr std::size_t too_long = 12'000;      // nodes of move sets, for which a loop is better
constexpr std::uint64_t split_values = 256;   // that a map may hold for the rule to be split by them
constexpr std::uint64_t unrolled_ways = 24;   // of parameters none of which is a site
constexpr std::uint64_t few_pieces = 4;       // that are always gone through one by one
constexpr std::uint64_t late_pieces = 4;      // expected of a sort that is not there at the start

} // namespace

bool MoveEmitter::find(const Context& in, FoundMoves& out) {
    const ValueGraph::From here(graph_, rule_.span);
    const auto is_given = [&](ir::VarId p) { return lowering_.find(p, in) != nullptr; };
    if (std::ranges::any_of(rule_.params, is_given)) return emit_given(in, out);
    if (options_.often_none) end_if_impossible(in);
    const std::optional<ir::StateId> state = map_at_leading_site();
    unrolls_ = few_ways();
    const std::size_t first = out.move_sets.size(), built = graph_.built();
    lowering_.forget_failure();
    const std::size_t most = state ? few_move_sets : std::max(few_move_sets, sets_that_pay(in));
    if (lowering_.attempt([&] { return lowering_.move_sets(rule_, in, out.move_sets, {.most = most}); }, too_long)) {
        if (!unrolls_ || graph_.built() - built < much_work) return true;
    }
    if (failed()) return false;
    lowering_.record_too_many();
    out.move_sets.resize(first);
    if (state && find_by_value(*state, in, out)) return !failed();
    if (failed()) return false;
    out.move_sets.resize(first);
    return emit_all(in, out);
}

bool MoveEmitter::emit_all(const Context& in, FoundMoves& out) {
    std::vector<bool> used(rule_.when.size(), false);
    if (rule_.params.size() == 1 && find_only_parameter(in, out)) return true;
    if (failed()) return false;
    start_emitting(out);
    if (!unrolls_) find_domains(in, used);
    in_domains_ = used;
    if (!failed()) emit_level(in, std::move(used));
    return !failed();
}

// The values of the only parameter as a set. False: it is better to have code for each of them, which ends where one of
// several conditions fails.
bool MoveEmitter::find_only_parameter(const Context& in, FoundMoves& out) {
    std::vector<bool> used(rule_.when.size(), false);
    if (unrolls_) {
        if (program_.types.kind(program_.vars[rule_.params[0]].type) != TypeKind::Int && tests_of_state() > 1)
            return false;
        // A condition on no parameter spares the others where it fails.
        Context without = in;
        if (!testable_clauses(without, used).empty()) return false;
    }
    const std::size_t built = graph_.built();
    if (!unrolls_) find_domains(in, used);
    if (failed()) return false;
    const NodeRef domain = unrolls_ ? universe(program_.vars[rule_.params[0]].type) : domains_[0];
    MoveSet found = last_moves(0, in, std::move(used), domain);
    if (failed() || (unrolls_ && graph_.built() - built >= much_work)) return false;
    out.move_sets.push_back(std::move(found));
    return true;
}

// The moves with the values that the context gives to some parameters: the others are looked for from there.
bool MoveEmitter::emit_given(const Context& in, FoundMoves& out) {
    start_emitting(out);
    emit_level(in, std::vector<bool>(rule_.when.size(), false));
    return !failed();
}

void MoveEmitter::start_emitting(FoundMoves& out) {
    if (options_.counter != nullptr && options_.counter->takes_all()) return; // nothing will be emitted
    if (!out.emits) graph_.effect(Family::ClearRecords, 1, 0, {no_node, no_node, no_node});
    out.emits = true;
}

bool MoveEmitter::few_ways() const {
    std::uint64_t ways = 1;
    for (ir::VarId p : rule_.params)
        ways = std::min(ways * program_.types.cardinality(program_.vars[p].type), unrolled_ways + 1);
    return leading_ == rule_.params.size() && ways <= unrolled_ways;
}

// The state variable that a condition reads at the leading site.
std::optional<ir::StateId> MoveEmitter::map_at_leading_site() const {
    if (leading_ == rule_.params.size()) return std::nullopt;
    for (const ir::Clause& clause : rule_.when)
        if (const auto state = map_read_at(clause.expr, rule_.params[leading_])) return state;
    return std::nullopt;
}

// The state variable, stored as planes, that the expression reads at the site `var`.
std::optional<ir::StateId> MoveEmitter::map_read_at(ir::ExprId e, ir::VarId var) const {
    const ir::Expr& x = expr(e);
    if (x.op == Op::MapGet && x.arg_count == 1) {
        const auto id = static_cast<ir::StateId>(x.imm);
        const ir::Expr& site = expr(program_.argument(e, 0));
        const ir::StateVariable& variable = program_.states[id];
        if (site.op == Op::Var && static_cast<ir::VarId>(site.imm) == var && variable.assigned &&
            layout_.variable(id).storage == Storage::Planes &&
            program_.types.cardinality(variable.value) <= split_values)
            return id;
    }
    for (ir::ExprId a : program_.arguments(e))
        if (const auto found = map_read_at(a, var)) return found;
    return std::nullopt;
}

// -- cases of the value at the leading site

bool MoveEmitter::find_by_value(ir::StateId state, const Context& around, FoundMoves& out) {
    const ir::StateVariable& variable = program_.states[state];
    const std::size_t param = leading_;
    for (std::uint64_t o = 0; o < program_.types.cardinality(variable.value); ++o) {
        const std::int64_t value = layout_.to_register(variable.value, program_.types.value(variable.value, o));
        const Context in = around.with_assumed(Assumption{state, rule_.params[param], value});
        std::vector<bool> used(rule_.when.size(), false);
        const NodeRef domain = narrow_by_site(plane_of(state, o, in), in, used);
        if (graph_.is_empty(domain)) continue;
        const std::uint64_t held = lowering_.expected_size(plane_of(state, o, in));
        const std::uint64_t pieces =
            o == 0 ? many : std::min(lowering_.expected_size(domain), held >= many ? late_pieces : held);
        const std::size_t before = out.move_sets.size();
        const std::size_t most = sets_that_pay(pieces);
        if (pieces <= few_pieces || !lowering_.move_sets(rule_, in, out.move_sets, {.most = most, .guard = domain})) {
            out.move_sets.resize(before);
            start_emitting(out);
            if (!failed()) emit_loop(param, in, std::move(used), domain);
        }
        if (failed()) return false;
    }
    return true;
}

// The sites of the domain that satisfy the clauses on the leading site alone, which are marked as used. Often there are
// none.
NodeRef MoveEmitter::narrow_by_site(NodeRef domain, const Context& around, std::vector<bool>& used) {
    const ir::VarId site = rule_.params[leading_];
    const ir::TypeId type = program_.vars[site].type;
    const Lift lift = lowering_.lift_over(type);
    Context in = bind_table(site, lowering_.values_by_bit(type, lift), around);
    for (std::size_t c = 0; c < rule_.when.size() && !graph_.is_empty(domain); ++c) {
        const ir::Clause& clause = rule_.when[c];
        if (!names_known(clause.expr, in)) continue;
        if (valid(clause.bind)) {
            in = bind(clause.bind, clause.expr, in, in);
            continue;
        }
        const NodeRef truth = lift_truth(clause.expr, in, lift);
        used[c] = truth != no_node;
        if (used[c]) domain = graph_.and_(domain, truth);
    }
    return domain;
}

// -- records

// Opens a guard for each unused clause whose names are all bound. False: one of them never holds.
bool MoveEmitter::open_guards(Context& in, std::vector<bool>& used, Guards& guards) {
    for (std::size_t c = 0; c < rule_.when.size(); ++c) {
        const ir::Clause& clause = rule_.when[c];
        if (used[c] || !names_known(clause.expr, in)) continue;
        used[c] = true;
        if (valid(clause.bind)) {
            in = bind(clause.bind, clause.expr, in, in);
            continue;
        }
        const NodeRef truth = eval(clause.expr, in);
        if (!graph_.is_constant(truth))
            guards.push_back(!unrolls_ ? graph_.open_loop(Reduce::Once, truth, 1, no_node) : graph_.open_guard(truth));
        else if (graph_.constant_word(truth) == 0)
            return false;
    }
    return true;
}

// Takes the parameters in order: together with those after it as move sets, if there are few of them, else as a loop.
void MoveEmitter::emit_level(Context in, std::vector<bool> used) {
    Guards guards;
    if (open_guards(in, used, guards) && !failed()) emit_next_parameter(in, used);
    while (!guards.empty()) {
        graph_.close_guard(guards.back());
        guards.pop_back();
    }
}

void MoveEmitter::emit_next_parameter(const Context& in, const std::vector<bool>& used) {
    const auto unbound = [&](ir::VarId p) { return lowering_.find(p, in) == nullptr; };
    const auto next = rule_.params.begin() + static_cast<std::ptrdiff_t>(next_param(in));
    const bool inside = !std::ranges::all_of(rule_.params, unbound) && !unrolls_;
    // Clauses that were used for the domain of a parameter still have to be tested where there is no loop over it.
    std::vector<bool> said = used;
    for (std::size_t c = 0; c < in_domains_.size(); ++c)
        if (in_domains_[c] && !names_known(rule_.when[c].expr, in)) said[c] = false;
    std::vector<MoveSet> found;
    if ((next == rule_.params.end() || inside) &&
        lowering_.move_sets(rule_, in, found, {.most = move_sets_in_loop, .used = said})) {
        for (const MoveSet& c : found) emit_move_set(c, in);
        return;
    }
    if (failed()) return;
    const ir::TypeId type = program_.vars[*next].type;
    if (unrolls_) {
        for (std::uint64_t o = 0; o < program_.types.cardinality(type); ++o) {
            const std::int64_t word = layout_.to_register(type, program_.types.value(type, o));
            emit_level(bind_node(*next, graph_.word(word), in), used);
        }
        return;
    }
    const auto param = static_cast<std::size_t>(next - rule_.params.begin());
    NodeRef domain = domains_.empty() ? universe(type) : domains_[param];
    if (any_left_ != no_node) domain = graph_.bcast(std::exchange(any_left_, no_node), domain);
    emit_loop(param, in, used, domain);
}

void MoveEmitter::emit_loop(std::size_t param, const Context& in, std::vector<bool> used, NodeRef domain) {
    const ir::VarId var = rule_.params[param];
    const ir::TypeId type = program_.vars[var].type;
    if (program_.types.kind(type) == TypeKind::Optional) {
        (void)fail();
        return;
    }
    // Clauses that can be lifted over this parameter narrow the domain of the loop.
    const Lift lift = lowering_.lift_over(type);
    const Context lifted = bind_table(var, lowering_.values_by_bit(type, lift), in);
    for (std::size_t c = 0; c < rule_.when.size(); ++c) {
        const ir::Clause& clause = rule_.when[c];
        if (used[c] || valid(clause.bind) || !names_known(clause.expr, lifted)) continue;
        const NodeRef truth = lift_truth(clause.expr, lifted, lift);
        if (truth == no_node) continue;
        used[c] = true;
        domain = graph_.and_(domain, truth);
    }
    const auto open = graph_.open_loop(Reduce::Effects, domain, 1, no_node);
    if (options_.counter != nullptr) options_.counter->enter(open, domain);
    emit_level(bind_node(var, lowering_.item_of(type, open), in), std::move(used));
    if (options_.counter != nullptr)
        options_.counter->close();
    else
        graph_.close_loop(open, no_node);
}

// The moves with those values of the only parameter left, out of `domain`, that satisfy the unused clauses.
MoveSet MoveEmitter::last_moves(std::size_t param, const Context& in, std::vector<bool> used, NodeRef domain) {
    const ir::TypeId type = program_.vars[rule_.params[param]].type;
    const Lift lift = lowering_.lift_over(type);
    std::vector<std::vector<std::int64_t>> params(rule_.params.size());
    params[param] = lowering_.values_by_bit(type, lift);
    const auto is_left = [&](const ir::Clause& clause) {
        return !valid(clause.bind) && !used[static_cast<std::size_t>(&clause - rule_.when.data())];
    };
    if (std::ranges::any_of(rule_.when, is_left)) domain = members_where(param, in, used, domain);
    return {domain, std::move(params), in.assumed, lift};
}

void MoveEmitter::put(MoveRecord& record, NodeRef set, const std::vector<NodeRef>& kept) {
    if (graph_.is_empty(set)) return;
    if (options_.counter != nullptr && options_.counter->count(set, record.known_legal || rule_.ensure.empty())) return;
    code_.shapes.push_back({graph_.width(set), {}, 0});
    records_.push_back(record);
    graph_.emit_record(static_cast<std::uint32_t>(code_.shapes.size() - 1), set, kept);
}

void MoveEmitter::emit_move_set(const MoveSet& found, const Context& in) {
    MoveRecord record{id_, found.params, in.assumed};
    std::vector<NodeRef> kept;
    for (std::size_t p = 0; p < rule_.params.size(); ++p) {
        if (!record.params[p].empty()) continue;
        const NodeRef given = lowering_.find(rule_.params[p], in)->node;
        const std::size_t bits = std::size_t{graph_.width(found.set)} * 64;
        if (graph_.is_constant(given))
            record.params[p].assign(bits, graph_.constant_word(given));
        else
            kept.push_back(given);
    }
    LegalityAnalysis legality(lowering_);
    const KnownLegal known =
        options_.invalidation == nullptr ? KnownLegal{} : legality.known_legal(id_, found, in, *options_.invalidation);
    const NodeRef left = legality.needs_check(found.set, known);
    MoveCounter* const counter = options_.counter;
    const std::size_t behind = counter == nullptr ? 0 : counter->counted_behind();
    if (known.legal != no_node) {
        record.known_legal = true;
        put(record, graph_.and_(found.set, known.legal), kept);
        record.known_legal = false;
        // Where a set is counted for all members at once, MoveCounter::close() leaves the others to be checked.
        if (counter != nullptr && counter->takes_all() && counter->counted_behind() > behind) return;
    }
    put(record, left, kept);
}

} // namespace zug::run
