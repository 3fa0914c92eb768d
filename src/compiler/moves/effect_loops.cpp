// Loops over sites that assign entries of maps stored as planes, as changes of whole planes: for each value that is
// assigned the entries that get it. The entries of all members are found at once, as images of sets, where the rules
// allow it. Whether no entry is assigned twice and each value is in range is found by counting; if not, the loop is
// executed, which reports the fault.

#include "compiler/lower/set_lifter.hpp"
#include "compiler/moves/effects.hpp"

#include "base/narrow.hpp"

#include <algorithm>

namespace zug::run {

using ir::EffectKind;

namespace {

constexpr std::size_t most_looked_at = 512; // nodes of a domain
constexpr std::size_t most_nodes = 128;     // by site of the board: more cost more than a loop over half of them

} // namespace

// What a loop assigns to one map.
struct Effects::LoopChange {
    ir::StateId state{};
    std::vector<NodeRef> planes; // by ordinal - 1: the entries that get that value
    NodeRef entries = no_node;   // all that are assigned
    NodeRef assigned = no_node;  // how many assignments there are
    std::uint32_t effects = 0;   // that make them
};

// A loop whose body is decomposed.
struct Effects::LoopBody {
    const Lift& lift;
    std::vector<LoopChange> changes;
    NodeRef fits; // the truth that all values are in range
};

// Whether a set is computed from registers other than the state's, such as the parameters of a move. Those are mostly
// the few sites around the move, for which a loop costs less.
bool Effects::depends_on_move(NodeRef set) const {
    std::vector<NodeRef> found{set};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const ValueGraph::Node& node = graph_[found[i]];
        if (found.size() > most_looked_at || (node.family == Family::RegRead && node.imm == 0)) return true;
        for (const NodeRef in : node.in)
            if (in != no_node && std::ranges::find(found, in) == found.end()) found.push_back(in);
    }
    return false;
}

// For each loop among the effects of a block, before the first change.
void Effects::lift_loops(std::vector<Pending>& list) {
    Passes& passes = graph_.passes();
    if (!passes.on(Pass::LiftLoops)) return;
    const Passes::Timer timer(passes, Pass::LiftLoops);
    for (Pending& p : list) {
        LiftedLoop found;
        // for_each() leaves a loop over nothing out, which then has to leave assignments to whole maps alone.
        if (p.kind != EffectKind::For || graph_.is_empty(p.slot)) continue;
        if (!lowering_.attempt([&] { return lift_loop(p, list, found); })) continue;
        if (graph_.is_constant(found.exact) && graph_.constant_word(found.exact) == 0) continue;
        const NodeRef inexact = graph_.not_(found.exact);
        // The planes after the loop hold what is assigned to whole maps, too.
        for (Pending& whole : list)
            if (whole.kind == EffectKind::AssignAll && changes(found, whole.effect->state)) whole.condition = inexact;
        p.lifted = std::move(found);
        passes.changed(Pass::LiftLoops);
    }
}

bool Effects::changes(const LiftedLoop& lifted, ir::StateId id) const {
    const Reg first = lowering_.layout().variable(id).reg;
    return std::ranges::any_of(lifted.planes, [&](const PlaneChange& plane) { return plane.reg == first; });
}

// The truth that some loop of the block has to be executed.
NodeRef Effects::some_loop_is_left(const std::vector<Pending>& list) const {
    NodeRef some = graph_.word(0);
    for (const Pending& p : list)
        if (p.kind == EffectKind::For)
            some = graph_.either(some, p.lifted ? graph_.not_(p.lifted->exact) : graph_.word(1));
    return some;
}

bool Effects::lift_loop(const Pending& p, const std::vector<Pending>& list, LiftedLoop& out) {
    const ir::Effect& e = *p.effect;
    const ValueGraph::From here(graph_, e.span);
    const Context before = p.in.with_snapshot(nullptr);
    const ir::TypeId type = lowering_.program().types.inner(lowering_.program().exprs[e.value].type);
    if (lowering_.program().types.kind(type) != ir::TypeKind::Site)
        return lift_loops_over_entries(p, before, list, out);
    if (depends_on_move(p.slot)) return false;
    const Lift lift = lowering_.lift_over(type).narrowed(graph_, p.slot);
    const Context in = lowering_.bind_table(e.var, lowering_.values_by_bit(type, lift), before);
    return lift_body(e.yes, {lift, in, p.slot}, list, out);
}

// Loops one inside the other, over the indices of a matrix: as one over its entries.
struct Effects::EntryLoop {
    EntryScope scope;
    const std::vector<ir::EffectId>* body = nullptr; // of the innermost
};

std::optional<Effects::EntryLoop> Effects::entry_loop(const ir::Effect& loop, const Context& in, NodeRef condition) {
    const ir::Effect* inner = &loop;
    std::vector<EntryDomain> domains{{inner->var, inner->value}};
    while (inner->yes.size() == 1) {
        const ir::Effect& next = lowering_.program().effects[inner->yes.front()];
        if (next.kind != EffectKind::For) break;
        domains.push_back({next.var, next.value});
        inner = &next;
    }
    auto scope = domains.size() > 1 ? lowering_.lift_in_domains(domains, in) : std::nullopt;
    if (!scope) return std::nullopt;
    if (condition != no_node) scope->entries = graph_.bcast(condition, scope->entries);
    scope->lift = scope->lift.narrowed(graph_, scope->entries);
    return EntryLoop{std::move(*scope), &inner->yes};
}

// Where such loops assign values that are the same for all entries: as assignments to sets of entries.
bool Effects::collect_entries(const ir::Effect& loop, const Context& in, NodeRef condition, std::vector<Pending>& out) {
    if (!graph_.passes().on(Pass::LiftLoops) || in.snapshot != nullptr) return false;
    const std::size_t before = out.size();
    const bool done = lowering_.attempt([&] {
        const std::size_t built = graph_.built();
        const auto found = entry_loop(loop, in, condition);
        return found && collect_assignments(*found->body, found->scope, out) &&
               graph_.built() - built <= most_nodes * found->scope.lift.shape.bits;
    });
    if (done)
        graph_.passes().changed(Pass::LiftLoops);
    else
        out.resize(before);
    return done;
}

bool Effects::collect_assignments(const std::vector<ir::EffectId>& list, const EntryScope& scope,
                                  std::vector<Pending>& out) {
    for (const ir::EffectId id : list) {
        const ir::Effect& e = lowering_.program().effects[id];
        const ValueGraph::From here(graph_, e.span);
        if (e.kind == EffectKind::If) {
            const NodeRef condition = lowering_.lift_truth(e.value, scope.in, scope.lift);
            if (condition == no_node) return false;
            const auto those = [&](NodeRef entries) {
                return EntryScope{scope.lift.narrowed(graph_, entries), scope.in, entries};
            };
            if (!collect_assignments(e.yes, those(graph_.and_(scope.entries, condition)), out) ||
                !collect_assignments(e.no, those(graph_.and_not(scope.entries, condition)), out))
                return false;
            continue;
        }
        if (e.kind != EffectKind::Assign || lowering_.depends(e.value, scope.in)) return false;
        const VariableLayout& at = lowering_.layout().variable(e.state);
        if (at.storage != Storage::Planes || !at.matrix || at.set_words != scope.lift.shape.words) return false;
        Pending p{&e, EffectKind::AssignSet, no_node, no_node, no_node, no_node, no_node, scope.in};
        p.slot = lowering_.lifter().lift_entry_numbers(e.state, e.indices, scope.in, scope.entries, scope.lift);
        if (p.slot == no_node) return false;
        p.slot = graph_.copy(p.slot);
        p.value = graph_.copy(lowering_.eval(e.value, scope.in));
        p.ordinal = lowering_.ordinal(lowering_.program().states[e.state].value, p.value);
        p.checked = value_if_assigned(p);
        out.push_back(p);
    }
    return true;
}

bool Effects::lift_loops_over_entries(const Pending& p, const Context& before, const std::vector<Pending>& list,
                                      LiftedLoop& out) {
    const auto found = entry_loop(*p.effect, before, p.condition);
    return found && lift_body(*found->body, found->scope, list, out);
}

bool Effects::lift_body(const std::vector<ir::EffectId>& effects, const EntryScope& scope,
                        const std::vector<Pending>& list, LiftedLoop& out) {
    LoopBody body{scope.lift, {}, graph_.word(1)};
    const std::size_t before = graph_.built();
    if (!lift_effects(effects, scope.in, scope.entries, body) ||
        graph_.built() - before > most_nodes * scope.lift.shape.bits)
        return false;
    out.exact = body.fits;
    for (const LoopChange& change : body.changes) {
        if (!change_planes(change, list, out)) return false;
        out.exact = graph_.both(out.exact, graph_.op(Family::Eq, graph_.count(change.entries), change.assigned));
    }
    return true;
}

bool Effects::lift_effects(const std::vector<ir::EffectId>& list, const Context& in, NodeRef over, LoopBody& body) {
    for (const ir::EffectId id : list) {
        const ir::Effect& e = lowering_.program().effects[id];
        const ValueGraph::From here(graph_, e.span);
        switch (e.kind) {
        case EffectKind::If: {
            const NodeRef condition = lowering_.lift_truth(e.value, in, body.lift.narrowed(graph_, over));
            if (condition == no_node || !lift_effects(e.yes, in, graph_.and_(over, condition), body) ||
                !lift_effects(e.no, in, graph_.and_not(over, condition), body))
                return false;
            break;
        }
        case EffectKind::Let:
            if (!lift_effects(e.yes, lowering_.bind(e.var, e.value, in, in), over, body)) return false;
            break;
        case EffectKind::Assign:
            if (!lift_assignment(e, in, over, body)) return false;
            break;
        default: return false;
        }
    }
    return true;
}

Effects::LoopChange& Effects::change_of(ir::StateId id, LoopBody& body) {
    for (LoopChange& change : body.changes)
        if (change.state == id) return change;
    const VariableLayout& at = lowering_.layout().variable(id);
    const NodeRef nothing = lowering_.empty(at.set_words);
    return body.changes.emplace_back(
        LoopChange{id, std::vector<NodeRef>(at.planes, nothing), nothing, graph_.word(0), 0});
}

bool Effects::lift_assignment(const ir::Effect& e, const Context& in, NodeRef over, LoopBody& body) {
    const ir::StateVariable& variable = lowering_.program().states[e.state];
    const VariableLayout& at = lowering_.layout().variable(e.state);
    if (at.storage != Storage::Planes || variable.indices.empty()) return false;
    if (body.lift.entries ? !at.matrix : variable.indices.size() != 1 || at.rows > 1) return false;
    LoopChange& change = change_of(e.state, body);
    ++change.effects;
    change.assigned = graph_.op(Family::Add, change.assigned, graph_.count(over));
    const std::array parts{e.value, e.indices[0]};
    return lowering_.lifter().for_each_value(parts, in, over, body.lift, [&](const Context& inner, NodeRef sites) {
        return lowering_.lifter().for_each_case(e.value, inner, body.lift, [&](NodeRef value, NodeRef where) {
            const NodeRef there = graph_.and_(sites, where);
            return graph_.is_empty(there) || put_value(e, inner, value, there, body);
        });
    });
}

// Where `value` is assigned for the sites `over`.
bool Effects::put_value(const ir::Effect& e, const Context& in, NodeRef value, NodeRef over, LoopBody& body) {
    LoopChange& change = change_of(e.state, body);
    const NodeRef entries = body.lift.entries
                                ? lowering_.lifter().lift_entry_numbers(e.state, e.indices, in, over, body.lift)
                                : lowering_.lifter().lift_sites(e.indices[0], in, over, body.lift);
    if (entries == no_node || graph_.width(entries) != graph_.width(change.entries)) return false;
    change.entries = graph_.or_(change.entries, entries);
    if (may_not_fit(e.state, value, lowering_.program().exprs[e.value].type))
        body.fits = graph_.both(body.fits, graph_.either(is_in_range(e.state, value), graph_.not_(graph_.any(over))));
    const NodeRef ordinal = lowering_.ordinal(lowering_.program().states[e.state].value, value);
    for (std::size_t i = 0; i < change.planes.size(); ++i) {
        const NodeRef is_value = graph_.op(Family::Eq, ordinal, graph_.word(static_cast<std::int64_t>(i) + 1));
        change.planes[i] = graph_.or_(change.planes[i], graph_.bcast(is_value, entries));
    }
    return true;
}

// The planes after the loop. False: other effects of the block change them, too.
bool Effects::change_planes(const LoopChange& change, const std::vector<Pending>& list, LiftedLoop& out) {
    const ir::StateId id = change.state;
    const VariableLayout& at = lowering_.layout().variable(id);
    const Pending* whole = nullptr;
    for (const Pending& p : list)
        if (p.kind == EffectKind::AssignAll && p.effect->state == id) whole = &p;
    if (assigns_[index(id)] != change.effects || added_[index(id)] || wholes_[index(id)] > 1 || unsure_[index(id)])
        return false;
    if (whole != nullptr ? whole->condition != no_node : wholes_[index(id)] != 0) return false;
    for (std::size_t i = 0; i < change.planes.size(); ++i) {
        const auto reg = narrow<Reg>(at.reg + i * at.set_words);
        NodeRef before = graph_.copy(graph_.read(reg, at.set_words));
        if (whole != nullptr)
            before = graph_.bcast(graph_.op(Family::Eq, whole->ordinal, graph_.word(static_cast<std::int64_t>(i) + 1)),
                                  graph_.set(lowering_.real_entries(id)));
        const NodeRef after = graph_.or_(graph_.and_not(before, change.entries), change.planes[i]);
        out.planes.push_back({reg, graph_.copy(after)});
    }
    return true;
}

// The loop itself is left to be executed where the changes are not exact.
void Effects::apply_lifted(const Pending& p) {
    const LiftedLoop& lifted = *p.lifted;
    const bool known = graph_.is_constant(lifted.exact);
    if (!known) graph_.open_branch(lifted.exact);
    for (const PlaneChange& plane : lifted.planes)
        graph_.effect(Family::Mov, graph_.width(plane.after), plane.reg, {plane.after, no_node, no_node});
    if (known) return;
    graph_.close_branch();
    const auto guard = graph_.open_guard(graph_.not_(lifted.exact));
    loop(p);
    graph_.close_guard(guard);
}

} // namespace zug::run
