// Checks before the changes of a block: values out of range, and two changes of one slot.

#include "compiler/moves/effects.hpp"

#include "base/narrow.hpp"
#include "compiler/analysis/substitution.hpp"

#include <algorithm>

namespace zug::run {

using ir::EffectKind;
using ir::TypeKind;

// -- sums

// Whether the expression reads the slot that an effect changes, in the state before the move.
bool Effects::reads(ir::ExprId e, const ir::Effect& slot) const {
    const ir::Program& program = lowering_.program();
    const ir::Expr& x = program.exprs[e];
    if ((x.op != ir::Op::StateGet && x.op != ir::Op::MapGet) || static_cast<ir::StateId>(x.imm) != slot.state)
        return false;
    return std::ranges::equal(program.arguments(e), slot.indices,
                              [&](ir::ExprId a, ir::ExprId b) { return alike(program, a, b); });
}

// The numbers that the slot can hold, if the condition holds, or does not; nothing: it is about something else.
std::optional<std::pair<std::int64_t, std::int64_t>> Effects::given_range(const ir::Effect& slot, ir::ExprId condition,
                                                                          bool holds) const {
    const ir::Program& program = lowering_.program();
    const ir::Type& range = program.types[program.states[slot.state].value];
    const ir::Expr& x = program.exprs[condition];
    if (x.op == ir::Op::Not) return given_range(slot, program.argument(condition, 0), !holds);
    if (x.op != ir::Op::Lt && x.op != ir::Op::Eq) return std::nullopt;
    const ir::ExprId a = program.argument(condition, 0), b = program.argument(condition, 1);
    const bool left = reads(a, slot);
    const ir::Expr& other = program.exprs[left ? b : a];
    if ((!left && !reads(b, slot)) || other.op != ir::Op::Const) return std::nullopt;
    const std::int64_t c = other.imm;
    std::pair<std::int64_t, std::int64_t> result{range.lo, range.hi};
    if (x.op == ir::Op::Eq) {
        if (holds) return std::pair{c, c};
        if (c == range.lo) ++result.first;
        if (c == range.hi) --result.second;
    } else if (left == holds) { // slot < c, or slot <= c
        result.second = std::min(range.hi, holds ? c - 1 : c);
    } else { // c < slot, or c <= slot
        result.first = std::max(range.lo, holds ? c + 1 : c);
    }
    return result;
}

// Whether a condition of the rule keeps the sum in range, as `n[i] < 6` does for `n[i] += 1`.
bool Effects::surely_fits(const Pending& sum) const {
    const ir::Program& program = lowering_.program();
    const ir::Type& range = program.types[program.states[sum.effect->state].value];
    if (range.kind != TypeKind::Int || !graph_.is_constant(sum.value)) return false;
    const std::int64_t added = graph_.constant_word(sum.value);
    return std::ranges::any_of(given_, [&](const auto& known) {
        const auto given = given_range(*sum.effect, known.first, known.second);
        return given && given->first + added >= range.lo && given->second + added <= range.hi;
    });
}

// -- two changes of one slot

// The sums of a block are checked when all of them have been added.
void Effects::check_sums(ir::StateId id) {
    const VariableLayout& at = lowering_.layout().variable(id);
    const ir::StateVariable& variable = lowering_.program().states[id];
    const ir::Type& t = lowering_.program().types[variable.value];
    const auto width = narrow<std::uint16_t>(at.words);
    if (clamps_ && variable.indices.empty()) {
        graph_.new_epoch(); // what is read now is the sum
        graph_.effect(Family::Mov, 1, at.reg, {clamped(graph_.read(at.reg, 1), t), no_node, no_node});
        return;
    }
    if (t.lo <= 0 && t.hi >= 0) {
        const bool bytes = at.storage == Storage::Bytes;
        graph_.effect(bytes ? Family::CheckBytes : Family::CheckRow, 1, narrow<Reg>(name_number(id)),
                      {graph_.fixed(at.reg, width), graph_.word(t.lo), graph_.word(t.hi)},
                      static_cast<std::int32_t>(bytes ? at.slots : at.words));
        return;
    }
    // The slots of padding hold zero, which is out of range here, so only the others are tested.
    const auto open = graph_.open_loop(Reduce::Effects, graph_.set(lowering_.real_entries(id)), 1, no_node);
    const NodeRef value = lowering_.number_at(at, graph_.read(at.reg, width), open.var, t.lo);
    graph_.effect(Family::CheckRange, 1, 0, {value, graph_.word(t.lo), graph_.word(t.hi)}, name_number(id));
    graph_.close_loop(open, no_node);
}

// Registers for a set of slots of a map, which is empty at first.
Reg Effects::empty_slots(ir::StateId id) {
    const auto words = narrow<std::uint16_t>((lowering_.layout().entry_count(id) + 63) / 64);
    const Reg reg = graph_.fresh(words);
    graph_.effect(Family::Mov, words, reg, {lowering_.empty(words), no_node, no_node});
    return reg;
}

// Reports a fault if a slot, or one of a set of slots, is a member of the set in a register.
void Effects::check_not_in(const Pending& p, Reg slots, std::uint16_t words, NodeRef name) {
    const Reg scratch = graph_.fresh(words);
    graph_.effect(Family::Mov, words, scratch, {graph_.read(slots, words), no_node, no_node});
    if (p.kind != EffectKind::AssignSet)
        graph_.effect(Family::CheckAndSet, words, scratch, {p.slot, name, no_node},
                      static_cast<std::int32_t>(lowering_.layout().entry_count(p.effect->state)));
    else if (graph_.width(p.slot) == words)
        graph_.effect(Family::CheckAndSetAll, words, scratch, {p.slot, name, no_node});
}

// Of a choice between `none` and a value, the value, whose range is narrower.
NodeRef Effects::if_any(NodeRef slot) const {
    const ValueGraph::Node& node = graph_[slot];
    if (node.family != Family::Select) return slot;
    for (const std::size_t i : {0U, 1U})
        if (graph_.is_constant(node.in[i]) && graph_.constant_word(node.in[i]) == ir::none)
            return if_any(node.in[1 - i]);
    return slot;
}

bool Effects::surely_distinct(NodeRef a, NodeRef b) const {
    const ValueGraph::Node &x = graph_[if_any(a)], &y = graph_[if_any(b)];
    return x.high < y.low || y.high < x.low;
}

bool Effects::are_distinct(const Pending& a, const Pending& b) const {
    return std::ranges::any_of(distinct_, [&](const auto& pair) {
        return (pair.first == a.effect && pair.second == b.effect) ||
               (pair.first == b.effect && pair.second == a.effect);
    });
}

void Effects::check_doubles(const std::vector<Pending>& list, std::size_t i) {
    const Pending& p = list[i];
    const ValueGraph::From here(graph_, p.effect->span);
    const ir::EffectKind kind = p.kind;
    if (kind != EffectKind::Assign && kind != EffectKind::AssignSet && kind != EffectKind::Add) return;
    const std::size_t s = index(p.effect->state);
    const std::uint32_t slots = lowering_.layout().entry_count(p.effect->state);
    const auto words = narrow<std::uint16_t>((slots + 63) / 64);
    const auto name = static_cast<std::uint32_t>(name_number(p.effect->state));
    if (touched_[s] != 0) {
        const NodeRef named = graph_.fixed(narrow<Reg>(name), 1); // only its number is used
        if (summed_[s] != 0) check_not_in(p, kind == EffectKind::Add ? touched_[s] : summed_[s], words, named);
        if (kind == EffectKind::Add)
            graph_.effect(Family::BitOn, words, summed_[s], {p.slot, no_node, no_node},
                          static_cast<std::int32_t>(slots));
        else if (kind == EffectKind::Assign)
            graph_.effect(Family::CheckAndSet, words, touched_[s], {p.slot, named, no_node},
                          static_cast<std::int32_t>(slots));
        else if (graph_.width(p.slot) == words)
            graph_.effect(Family::CheckAndSetAll, words, touched_[s], {p.slot, named, no_node});
        return;
    }
    for (std::size_t j = 0; j < i; ++j) {
        const ir::EffectKind other = list[j].kind;
        const bool both_slots = (kind == EffectKind::Assign || kind == EffectKind::Add) &&
                                (other == EffectKind::Assign || other == EffectKind::Add);
        if (!both_slots || (kind == other && kind == EffectKind::Add) || list[j].effect->state != p.effect->state)
            continue;
        if (graph_.known_unequal(p.slot, list[j].slot) || surely_distinct(p.slot, list[j].slot)) continue;
        if (graph_.known_moved(p.slot, list[j].slot) || graph_.known_moved(list[j].slot, p.slot)) continue;
        if (are_distinct(p, list[j])) continue;
        graph_.effect(Family::CheckDistinct, 1, 0, {p.slot, list[j].slot, no_node},
                      {static_cast<std::int32_t>(slots), name});
    }
}

// -- ranges

// Whether a value of this type may be one that the variable cannot hold, as far as types tell.
bool Effects::may_not_fit(ir::StateId id, ir::TypeId given) const {
    const ir::TypeTable& types = lowering_.program().types;
    const ir::TypeId wanted = lowering_.program().states[id].value;
    const bool optional = types.kind(wanted) == TypeKind::Optional;
    const ir::Type& t = types[optional ? types.inner(wanted) : wanted];
    const ir::Type& g = types[types.kind(given) == TypeKind::Optional ? types.inner(given) : given];
    const bool may_be_none =
        !optional && (types.kind(given) == TypeKind::Optional || types.kind(given) == TypeKind::None);
    if (t.kind != TypeKind::Int) return may_be_none;
    return may_be_none || g.kind != TypeKind::Int || g.lo < t.lo || g.hi > t.hi;
}

// The same as far as types and the range of the value tell.
bool Effects::may_not_fit(ir::StateId id, NodeRef value, ir::TypeId given) const {
    if (!may_not_fit(id, given)) return false;
    const ir::TypeTable& types = lowering_.program().types;
    const ir::TypeId wanted = lowering_.program().states[id].value;
    const ir::Type& t = types[types.kind(wanted) == TypeKind::Optional ? types.inner(wanted) : wanted];
    const ValueGraph::Node& known = graph_[value];
    return t.kind != TypeKind::Int || known.low < t.lo || known.high > t.hi;
}

NodeRef Effects::clamped(NodeRef value, const ir::Type& range) {
    return graph_.op(Family::Max, graph_.op(Family::Min, value, graph_.word(range.hi)), graph_.word(range.lo));
}

std::pair<NodeRef, NodeRef> Effects::range_of(ir::StateId id) {
    const ir::TypeTable& types = lowering_.program().types;
    const ir::TypeId wanted = lowering_.program().states[id].value;
    const ir::Type& t = types[types.kind(wanted) == TypeKind::Optional ? types.inner(wanted) : wanted];
    const bool number = t.kind == TypeKind::Int;
    return {graph_.word(number ? t.lo : 0), graph_.word(number ? t.hi : ir::int_max)};
}

// Optional variables accept `none`.
NodeRef Effects::is_in_range(ir::StateId id, NodeRef value) {
    const auto [low, high] = range_of(id);
    const NodeRef wrong = graph_.either(graph_.op(Family::Lt, value, low), graph_.op(Family::Lt, high, value));
    const ir::TypeTable& types = lowering_.program().types;
    if (types.kind(lowering_.program().states[id].value) != TypeKind::Optional) return graph_.not_(wrong);
    return graph_.either(graph_.not_(wrong), graph_.op(Family::Eq, value, graph_.word(ir::none)));
}

NodeRef Effects::fitting(ir::StateId id) {
    const ir::TypeId type = lowering_.program().states[id].value;
    return graph_.word(lowering_.layout().to_register(type, lowering_.program().types.value(type, 0)));
}

void Effects::check_range(ir::StateId id, NodeRef value, ir::TypeId given) {
    if (may_not_fit(id, value, given)) check_range(id, value);
}

void Effects::check_range(ir::StateId id, NodeRef value) {
    const bool optional = lowering_.program().types.kind(lowering_.program().states[id].value) == TypeKind::Optional;
    const auto [low, high] = range_of(id);
    graph_.effect(optional ? Family::CheckRangeOrNone : Family::CheckRange, 1, 0, {value, low, high}, name_number(id));
}

// A value that is out of range matters only if it is assigned.
NodeRef Effects::value_if_assigned(const Pending& p) {
    const ir::StateVariable& variable = lowering_.program().states[p.effect->state];
    const bool set = p.kind == EffectKind::AssignSet;
    if (variable.indices.empty() || lowering_.layout().variable(p.effect->state).storage == Storage::Sets)
        return p.value;
    const NodeRef fitting = this->fitting(p.effect->state);
    if (set) return graph_.select(graph_.any(p.slot), p.value, fitting);
    const NodeRef nowhere =
        graph_.either(graph_.op(Family::Lt, p.slot, graph_.word(0)),
                      graph_.op(Family::Lt, graph_.word(lowering_.layout().entry_count(p.effect->state) - 1), p.slot));
    if (graph_.is_constant(nowhere)) return graph_.constant_word(nowhere) != 0 ? no_node : p.value;
    const ir::Type& given = lowering_.program().types[lowering_.program().exprs[p.effect->value].type];
    const bool may_not_fit =
        given.kind == TypeKind::Int || given.kind == TypeKind::Optional || given.kind == TypeKind::None;
    return may_not_fit ? graph_.select(nowhere, fitting, p.value) : p.value;
}

} // namespace zug::run
