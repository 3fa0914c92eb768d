// State variables: their types, their places in the canonical list of slots.

#include "lang/checker.hpp"

namespace zug::lang {

void Checker::resolve_state(Declaration& d) {
    if (d.phase != Declaration::Phase::Untouched) {
        if (d.phase == Declaration::Phase::Busy) error(Message::CyclicDefinition, d.span, {d.name});
        return;
    }
    d.phase = Declaration::Phase::Busy;
    d.number = UINT32_MAX;
    const InTree scope(*this, d.tree);
    ir::StateVariable state;
    state.name = d.name;
    state.local = node(d.node).kind == Kind::Local;
    state.span = d.span;
    bool fine = true;
    if (const NodeId indices = child(d.node, 0); valid(indices))
        for (NodeId id : children(indices)) {
            const TypeId index = index_type(id);
            fine &= valid(index);
            state.indices.push_back(index);
        }
    state.value = type(child(d.node, 1));
    fine &= valid(state.value);
    if (valid(state.value) && kind(state.value) == TypeKind::Path) fine = false;
    if (fine) d.number = static_cast<std::uint32_t>(index(program_.states.push(std::move(state))));
    d.phase = Declaration::Phase::Done;
}

TypeId Checker::index_type(NodeId id) {
    const TypeId index = type(id);
    if (!valid(index)) return index;
    if (!is_scalar(index) || kind(index) == TypeKind::Optional) {
        error(Message::TypeHere, span(id), {type_text(index), "an index"});
        return none_id<TypeId>;
    }
    if (types().cardinality(index) > max_slots) {
        error(Message::StateTooLarge, span(id), {std::to_string(max_slots)});
        return none_id<TypeId>;
    }
    return index;
}

// The number of places of a map times the slots of a place, or nothing if there are too many.
std::optional<std::uint64_t> Checker::slots_of(const ir::StateVariable& state) {
    std::uint64_t slots = 1;
    for (TypeId index : state.indices) {
        slots *= types().cardinality(index); // each at most max_slots: no overflow
        if (slots > max_slots) return {};
    }
    if (kind(state.value) == TypeKind::Set) slots *= types().cardinality(types().inner(state.value));
    // A slot is 32 bits wide.
    const bool wide = kind(state.value) != TypeKind::Set && types().cardinality(state.value) > UINT32_MAX;
    if (slots > max_slots || wide) return {};
    return slots;
}

void Checker::lay_out_states() {
    std::uint64_t total = 0;
    for (auto& state : program_.states) {
        const auto slots = slots_of(state);
        total += slots.value_or(0);
        if (!slots || total > max_slots) {
            error(Message::StateTooLarge, state.span, {std::to_string(max_slots)});
            throw GiveUp{};
        }
        state.first_slot = static_cast<std::uint32_t>(total - *slots);
        state.initial.assign(*slots, 0);
    }
    program_.slot_count = static_cast<std::uint32_t>(total);
    initial_slots_.assign(total, 0);
    builder_.read_initial(initial_slots_);
}

void Checker::check_initial(Declaration& d) {
    if (d.number == UINT32_MAX) return;
    const InTree scope(*this, d.tree);
    const auto id = static_cast<ir::StateId>(d.number);
    ir::StateVariable& state = program_.states[id];
    const NodeId init = child(d.node, 2);
    if (valid(init)) {
        if (node(init).kind == Kind::InitRows) {
            initial_rows(init, state);
        } else if (node(init).kind == Kind::Init) {
            initial_parts(init, state);
        }
    }
    std::copy(state.initial.begin(), state.initial.end(), initial_slots_.begin() + state.first_slot);
    if (assigned_names_.contains(d.name)) return;
    if (!valid(init)) warn(Message::NeverAssigned, d.span, {d.name});
    builder_.constant_state(id);
}

} // namespace zug::lang
