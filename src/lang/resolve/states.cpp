// State variables: their types, and their offsets in the canonical list of slots.

#include "lang/resolve/states.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/symbols.hpp"
#include "lang/resolve/types.hpp"

namespace zug::lang {

void States::resolve_state(Declaration& d) {
    if (d.phase != Declaration::Phase::Untouched) {
        if (d.phase == Declaration::Phase::Busy) error(Message::CyclicDefinition, d.span, {d.name});
        return;
    }
    d.phase = Declaration::Phase::Busy;
    d.number = UINT32_MAX;
    const InTree scope(context_, d.tree);
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
    state.value = types_.type(child(d.node, 1));
    fine &= valid(state.value);
    if (valid(state.value) && kind(state.value) == TypeKind::Path) fine = false;
    d.broken |= !fine;
    if (!d.broken) d.number = static_cast<std::uint32_t>(index(program_.states.push(std::move(state))));
    d.phase = Declaration::Phase::Done;
}

TypeId States::index_type(NodeId id) {
    const TypeId index = types_.type(id);
    if (!valid(index)) return index;
    if (!is_scalar(index) || kind(index) == TypeKind::Optional) {
        error(Message::TypeHere, span(id), {type_text(index), "an index"});
        return none_id<TypeId>;
    }
    if (types().cardinality(index) > max_set) { // as of parameters
        error(Message::RangeTooLarge, span(id), {"an index", type_text(index), std::to_string(max_set)});
        return none_id<TypeId>;
    }
    return index;
}

// The number of entries of a map times the slots of an entry, or nothing if it exceeds max_slots.
std::optional<std::uint64_t> States::slots_of(const ir::StateVariable& state) {
    std::uint64_t slots = 1;
    for (TypeId index : state.indices) {
        slots *= types().cardinality(index); // each at most max_set: no overflow
        if (slots > max_slots) return {};
    }
    if (kind(state.value) == TypeKind::Set) slots *= types().cardinality(types().inner(state.value));
    if (slots > max_slots) return {};
    return slots;
}

void States::lay_out_states() {
    std::uint64_t total = 0;
    for (auto& state : program_.states) {
        constexpr std::uint64_t most_values = std::uint64_t{1} << 32; // of a slot
        if (kind(state.value) != TypeKind::Set && types().cardinality(state.value) > most_values) {
            error(Message::RangeTooLarge, state.span,
                  {"a state variable", type_text(state.value), std::to_string(most_values)});
            throw GiveUp{};
        }
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
}

ir::StateId States::map_named(NodeId id) {
    if (!valid(id) || node(id).kind != Kind::Name) return none_id<ir::StateId>;
    const std::string& name = node(id).text;
    if (Local* local = find_local(name)) {
        if (valid(local->map)) {
            local->used = true;
            note_use(id, local_name(*local));
        }
        return local->map;
    }
    Declaration* d = symbols_.find(name);
    if (d == nullptr || d->kind != DeclKind::State) return none_id<ir::StateId>;
    resolve_state(*d);
    if (d->number == UINT32_MAX) return none_id<ir::StateId>;
    const auto state = static_cast<ir::StateId>(d->number);
    if (program_.states[state].indices.empty()) return none_id<ir::StateId>;
    d->used = true;
    note_use(id, d->span);
    return state;
}

} // namespace zug::lang
