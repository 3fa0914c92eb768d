#include "compiler/moves/effects.hpp"

#include "base/narrow.hpp"

#include <algorithm>

namespace zug::run {

using ir::EffectKind;
using ir::TypeKind;

std::int32_t Effects::name_number(ir::StateId id) {
    const std::string& name = lowering_.program().states[id].name;
    const auto found = std::find(code_.check_names.begin(), code_.check_names.end(), name);
    if (found != code_.check_names.end()) return static_cast<std::int32_t>(found - code_.check_names.begin());
    code_.check_names.push_back(name);
    return static_cast<std::int32_t>(code_.check_names.size() - 1);
}

// Counts the assignments of the block to each variable, before any node is built.
void Effects::survey(const std::vector<ir::EffectId>& list, bool looped) {
    for (ir::EffectId id : list) {
        const ir::Effect& e = lowering_.program().effects[id];
        if (e.kind == EffectKind::Assign || e.kind == EffectKind::AssignSet) {
            ++assigns_[index(e.state)];
            if (looped || e.kind == EffectKind::AssignSet) loops_[index(e.state)] = true;
        }
        if (e.kind == EffectKind::Add) {
            added_[index(e.state)] = true;
            sums_[index(e.state)] += looped ? 2 : 1;
            if (looped) loops_[index(e.state)] = true;
        }
        if (e.kind == EffectKind::AssignAll) {
            wholes_[index(e.state)] += looped ? 2 : 1;
            if (may_not_fit(e.state, lowering_.program().exprs[e.value].type)) unsure_[index(e.state)] = true;
        }
        survey(e.yes, looped || e.kind == EffectKind::For);
        survey(e.no, looped);
    }
}

bool Effects::block(const ir::Block& block, Context& in) {
    const std::size_t states = lowering_.program().states.size();
    assigns_.assign(states, 0);
    loops_.assign(states, false);
    touched_.assign(states, 0);
    summed_.assign(states, 0);
    added_.assign(states, false);
    sums_.assign(states, 0);
    may_leave_.assign(states, false);
    wholes_.assign(states, 0);
    unsure_.assign(states, false);
    survey(block.effects, false);
    for (std::size_t s = 0; s < states; ++s) unsure_[s] = unsure_[s] && (assigns_[s] != 0 || added_[s]);
    for (const ir::Clause& let : block.lets) in = lowering_.bind_kept(let, in);
    std::vector<Pending> list;
    collect(block.effects, in, no_node, list);
    has_loop_ = std::ranges::any_of(list, [](const Pending& p) { return p.kind == EffectKind::For; });
    lift_loops(list);
    if (has_loop_) take_snapshot(some_loop_is_left(list));
    for (std::size_t s = 0; s < states; ++s) {
        const bool doubles = assigns_[s] != 0 && loops_[s] && (assigns_[s] != 1 || has_loop_ || added_[s]);
        if (!doubles && !unsure_[s] && !(wholes_[s] != 0 && added_[s])) continue;
        touched_[s] = empty_slots(static_cast<ir::StateId>(s));
        if (added_[s]) summed_[s] = empty_slots(static_cast<ir::StateId>(s));
    }
    apply(list);
    facts_.clear();
    given_.clear();
    in = in.with_assumed(std::nullopt);
    graph_.new_epoch();
    return !lowering_.failed();
}

// Loops change the state between reads, so they read a copy of the state before the block. `needed`: the truth that one
// is executed.
void Effects::take_snapshot(NodeRef needed) {
    const bool known = graph_.is_constant(needed);
    if (known && graph_.constant_word(needed) == 0) return;
    if (!known) graph_.open_branch(needed);
    snapshot_.assign(lowering_.program().states.size(), 0);
    for (std::size_t s = 0; s < snapshot_.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        if (!lowering_.program().states[id].assigned) continue;
        const VariableLayout& at = lowering_.layout().variable(id);
        const auto words = narrow<std::uint16_t>(at.words);
        snapshot_[s] = graph_.fresh(words);
        graph_.effect(Family::Mov, words, snapshot_[s], {graph_.read(at.reg, words), no_node, no_node});
    }
    if (!known) graph_.close_branch();
}

void Effects::collect(const std::vector<ir::EffectId>& list, const Context& in, NodeRef condition,
                      std::vector<Pending>& out) {
    const auto both = [&](NodeRef c) { return condition == no_node ? c : graph_.both(condition, c); };
    for (ir::EffectId id : list) {
        const ir::Effect& e = lowering_.program().effects[id];
        const ValueGraph::From here(graph_, e.span);
        Pending p{&e, e.kind, condition, no_node, no_node, no_node, no_node, in};
        switch (e.kind) {
        case EffectKind::If: {
            const NodeRef c = graph_.copy(lowering_.eval(e.value, in));
            if (!graph_.is_constant(c)) {
                collect(e.yes, in, both(c), out);
                collect(e.no, in, both(graph_.not_(c)), out);
            } else {
                collect(graph_.constant_word(c) != 0 ? e.yes : e.no, in, condition, out);
            }
            continue;
        }
        case EffectKind::Let:
            // A loop may read it when the state has changed.
            collect(e.yes, lowering_.bind_kept({.expr = e.value, .bind = e.var}, in), condition, out);
            continue;
        case EffectKind::Assign:
        case EffectKind::Add: {
            std::vector<NodeRef> indices;
            for (ir::ExprId i : e.indices) indices.push_back(graph_.copy(lowering_.eval(i, in)));
            p.slot = indices.empty() ? graph_.word(0) : lowering_.entry_number(e.state, indices);
            if (condition != no_node) p.slot = graph_.select(condition, p.slot, graph_.word(ir::none));
            p.value = graph_.copy(lowering_.eval(e.value, in));
            break;
        }
        case EffectKind::AssignSet:
            p.slot = graph_.copy(lowering_.eval(e.indices[0], in));
            if (condition != no_node) p.slot = graph_.bcast(condition, p.slot);
            p.value = graph_.copy(lowering_.eval(e.value, in));
            break;
        case EffectKind::For:
            if (collect_entries(e, in, condition, out)) continue;
            p.slot = graph_.copy(lowering_.eval(e.value, in));
            if (condition != no_node) p.slot = graph_.bcast(condition, p.slot);
            p.in = in.with_snapshot(&snapshot_); // the rest reads when the state is changing
            break;
        case EffectKind::AssignAll:
        case EffectKind::Next: p.value = graph_.copy(lowering_.eval(e.value, in)); break;
        case EffectKind::Again: break;
        }
        // All reads come before the first change.
        if (p.value != no_node && e.kind != EffectKind::Next && e.kind != EffectKind::Add &&
            lowering_.layout().variable(e.state).storage == Storage::Planes)
            p.ordinal = lowering_.ordinal(lowering_.program().states[e.state].value, p.value);
        if (e.kind == EffectKind::Assign || e.kind == EffectKind::AssignSet) p.checked = value_if_assigned(p);
        out.push_back(p);
    }
}

void Effects::apply(const std::vector<Pending>& list) {
    prepare_wholes();
    phase_ = Phase::Sums;
    apply_phase(list);
    keep_sums();
    phase_ = Phase::Wholes;
    apply_phase(list);
    put_back_sums();
    phase_ = Phase::Entries;
    apply_phase(list);
    for (std::size_t s = 0; s < added_.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        if (added_[s] && !trusted(id) && (may_leave_[s] || sums_[s] > 1 || wholes_[s] != 0)) check_sums(id);
        check_whole(id);
    }
}

void Effects::apply_phase(const std::vector<Pending>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!is_due(*list[i].effect)) continue;
        check_doubles(list, i);
        apply_one(list[i]);
    }
}

void Effects::apply_one(const Pending& p) {
    const ValueGraph::From here(graph_, p.effect->span);
    switch (p.kind) {
    case EffectKind::Assign: assign(p); break;
    case EffectKind::AssignSet: assign_set(p); break;
    case EffectKind::AssignAll: assign_all(p); break;
    case EffectKind::Add: add(p); break;
    case EffectKind::For: for_each(p); break;
    case EffectKind::Again: turn_to(p, 1); break;
    case EffectKind::Next: turn_to(p, 2); break;
    case EffectKind::If:
    case EffectKind::Let: break; // collect() has taken them apart
    }
}

void Effects::assign(const Pending& p) {
    const ir::StateId id = p.effect->state;
    const ir::StateVariable& variable = lowering_.program().states[id];
    const VariableLayout& at = lowering_.layout().variable(id);
    const auto width = narrow<std::uint16_t>(at.words);
    const NodeRef value = p.value;
    ir::TypeId given = lowering_.program().exprs[p.effect->value].type;
    if (std::ranges::count(some_, p.effect) > 0) given = lowering_.program().types.inner(given);
    if (variable.indices.empty()) {
        if (p.condition != no_node) graph_.open_branch(p.condition);
        const ir::Type& range = lowering_.program().types[variable.value];
        const bool clamp =
            clamps_ && range.kind == TypeKind::Int && lowering_.program().types.kind(given) == TypeKind::Int;
        if (at.storage == Storage::Word && !clamp) check_range(id, value, given);
        graph_.effect(Family::Mov, width, at.reg, {clamp ? clamped(value, range) : value, no_node, no_node});
        if (p.condition != no_node) graph_.close_branch();
        return;
    }
    if (p.checked == no_node) return;
    check_range(id, p.checked, given);
    if (at.storage != Storage::Planes) {
        put_at(at, p.slot, value);
        return;
    }
    const auto bits = static_cast<std::int32_t>(lowering_.layout().entry_count(id));
    const NodeRef ordinal = p.ordinal;
    if (!graph_.is_constant(ordinal) || at.planes > 2) {
        graph_.effect(Family::PlanePut, at.set_words, at.reg, {p.slot, ordinal, no_node},
                      static_cast<std::int32_t>(at.planes));
        return;
    }
    for (std::uint32_t o = 1; o <= at.planes; ++o) {
        const Family family =
            o == static_cast<std::uint64_t>(graph_.constant_word(ordinal)) ? Family::BitOn : Family::BitOff;
        if (family == Family::BitOff && known_off(p.slot, id, o - 1)) continue;
        graph_.effect(family, at.set_words, narrow<Reg>(at.reg + (o - 1) * at.set_words), {p.slot, no_node, no_node},
                      bits);
    }
}

void Effects::put_at(const VariableLayout& at, NodeRef slot, NodeRef value) {
    const bool sets = at.storage == Storage::Sets;
    const Family number = at.storage == Storage::Bytes ? Family::PutByteAt : Family::PutAt;
    graph_.effect(sets ? Family::PutSetAt : number, sets ? at.set_words : std::uint16_t{1}, at.reg,
                  {slot, value, no_node}, static_cast<std::int32_t>(at.slots));
}

// Whether a site is known not to be in a plane of the variable before the block: it is known to be in a set that is
// disjoint from that plane, or a subset of another one.
bool Effects::known_off(NodeRef slot, ir::StateId id, std::uint32_t plane) const {
    const VariableLayout& at = lowering_.layout().variable(id);
    if (has_loop_ || wholes_[index(id)] != 0 || at.rows > 1) return false;
    const auto set_of = [&](std::uint32_t p) {
        return graph_.read(narrow<Reg>(at.reg + p * at.set_words), at.set_words);
    };
    return std::ranges::any_of(facts_, [&](const auto& fact) {
        if (fact.first != slot) return false;
        if (graph_.known_disjoint(fact.second, set_of(plane))) return true;
        for (std::uint32_t p = 0; p < at.planes; ++p)
            if (p != plane && graph_.known_subset(fact.second, set_of(p))) return true;
        return false;
    });
}

void Effects::assign_set(const Pending& p) {
    const ir::StateId id = p.effect->state;
    const VariableLayout& at = lowering_.layout().variable(id);
    const ir::TypeId given = lowering_.program().exprs[p.effect->value].type;
    check_range(id, p.checked, given);
    if (at.storage == Storage::Planes) {
        graph_.effect(Family::PlaneFill, at.set_words, at.reg, {p.slot, p.ordinal, no_node},
                      static_cast<std::int32_t>(at.planes));
        return;
    }
    const auto open = graph_.open_loop(Reduce::Effects, p.slot, 1, no_node);
    put_at(at, open.var, p.value);
    graph_.close_loop(open, no_node);
}

void Effects::add(const Pending& p) {
    const VariableLayout& at = lowering_.layout().variable(p.effect->state);
    const std::uint32_t slots = at.storage == Storage::Word ? 1 : at.slots;
    const std::size_t s = index(p.effect->state);
    const bool unsure = !surely_fits(p);
    may_leave_[s] = may_leave_[s] || unsure;
    if (unsure || sums_[s] > 1 || wholes_[s] != 0) note_unsure(*p.effect);
    const Family family = at.storage == Storage::Bytes ? Family::AddByteAt : Family::AddAt;
    graph_.effect(family, 1, at.reg, {p.slot, p.value, no_node}, static_cast<std::int32_t>(slots));
}

void Effects::note_unsure(const ir::Effect& sum) {
    const ir::Program& program = lowering_.program();
    const auto [least, greatest] = range_by_type(program, sum.value);
    if (greatest > 0) lowering_.unsure_sums().above.insert(sum.state);
    if (least < 0) lowering_.unsure_sums().below.insert(sum.state);
}

void Effects::for_each(const Pending& p) {
    if (graph_.is_empty(p.slot)) return;
    if (p.lifted) return apply_lifted(p);
    loop(p);
}

void Effects::loop(const Pending& p) {
    const ir::Effect& e = *p.effect;
    const ir::TypeId type = lowering_.program().types.inner(lowering_.program().exprs[e.value].type);
    const auto open = graph_.open_loop(Reduce::Effects, p.slot, 1, no_node);
    Context in = lowering_.bind_node(e.var, lowering_.item_of(type, open), p.in);
    std::vector<Pending> list;
    collect(e.yes, in, no_node, list);
    apply_phase(list);
    graph_.close_loop(open, no_node);
}

void Effects::turn_to(const Pending& p, std::int32_t how) {
    if (p.condition != no_node) graph_.open_branch(p.condition);
    const NodeRef player = how == 1 ? graph_.word(p.in.me) : p.value;
    graph_.effect(Family::SetTurn, 1, 0, {player, no_node, no_node}, how);
    if (p.condition != no_node) graph_.close_branch();
}

} // namespace zug::run
