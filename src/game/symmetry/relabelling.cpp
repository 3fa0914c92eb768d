#include "game/symmetry/relabelling.hpp"

#include <algorithm>

namespace zug::game {

namespace {

constexpr std::uint64_t most_values = 1 << 12; // of a type that is relabelled

} // namespace

const Relabelling::Exchange* Relabelling::exchange_of(ir::TypeId type) const {
    const auto found = std::ranges::find(exchanges_, type, &Exchange::type);
    return found != exchanges_.end() ? &*found : nullptr;
}

bool Relabelling::exchanges_only(ir::TypeKind kind) const {
    return std::ranges::all_of(exchanges_, [&](const Exchange& e) { return program_.types.kind(e.type) == kind; });
}

bool Relabelling::changes(ir::TypeId id) const {
    const ir::Type& type = program_.types[id];
    if (exchanges(id)) return true;
    if (type.kind == ir::TypeKind::Site || type.kind == ir::TypeKind::Dir) return boards_[type.ref] != nullptr;
    return std::ranges::any_of(type.parts, [&](ir::TypeId part) { return changes(part); });
}

bool Relabelling::maps(ir::TypeId id) const {
    const ir::Type& type = program_.types[id];
    if (type.kind == ir::TypeKind::Dir) return boards_[type.ref] == nullptr || !boards_[type.ref]->directions.empty();
    return std::ranges::all_of(type.parts, [&](ir::TypeId part) { return maps(part); });
}

std::uint32_t Relabelling::image(ir::TypeId id, std::uint32_t ordinal) const {
    const ir::Type& type = program_.types[id];
    if (const Exchange* e = exchange_of(id)) return ordinal == e->a ? e->b : ordinal == e->b ? e->a : ordinal;
    if (!changes(id)) return ordinal;
    switch (type.kind) {
    case ir::TypeKind::Site: return boards_[type.ref]->sites[ordinal];
    case ir::TypeKind::Dir: return boards_[type.ref]->directions[ordinal];
    case ir::TypeKind::Optional: return ordinal == 0 ? 0 : image(type.parts.front(), ordinal - 1) + 1;
    case ir::TypeKind::Tuple: {
        std::uint32_t whole = 0, weight = 1; // the last part's ordinal is the least significant
        for (std::size_t i = type.parts.size(); i-- > 0;) {
            const auto size = static_cast<std::uint32_t>(program_.types.cardinality(type.parts[i]));
            whole += image(type.parts[i], ordinal % size) * weight;
            ordinal /= size;
            weight *= size;
        }
        return whole;
    }
    default: return ordinal;
    }
}

// The images of tuples of the types' values; the first type's ordinal is the most significant.
std::optional<Relabelling::Images> Relabelling::images(std::span<const ir::TypeId> types) const {
    if (std::ranges::none_of(types, [&](ir::TypeId type) { return changes(type); })) return Images();
    Images images{0};
    for (const ir::TypeId type : types) {
        const std::uint64_t size = program_.types.cardinality(type);
        if (!maps(type) || size > most_values / images.size()) return std::nullopt;
        Images longer;
        for (const std::uint32_t high : images)
            for (std::uint32_t low = 0; low < size; ++low)
                longer.push_back(high * static_cast<std::uint32_t>(size) + image(type, low));
        images = std::move(longer);
    }
    return images;
}

bool Relabelling::add(const ir::StateVariable& state, Symmetry& symmetry) const {
    const bool set = program_.types.kind(state.value) == ir::TypeKind::Set;
    const ir::TypeId value = set ? program_.types.inner(state.value) : state.value;
    const auto indices = images(state.indices), values = images(std::span(&value, 1));
    if (!indices || !values) return false;
    const bool same = std::ranges::is_sorted(*values); // the identity
    const auto image_of = [](const Images& images, std::uint32_t i) { return images.empty() ? i : images[i]; };
    const auto size = set ? static_cast<std::uint32_t>(program_.types.cardinality(value)) : 1;
    for (std::uint32_t i = 0; i < state.initial.size(); ++i) {
        const std::uint32_t slot = state.first_slot + i, image_slot = image_of(*indices, i / size) * size;
        symmetry.to[slot] = state.first_slot + image_slot + (set ? image_of(*values, i % size) : 0);
        if (!set && !same) symmetry.values[slot] = *values;
    }
    return true;
}

std::optional<Symmetry> Relabelling::symmetry() const {
    Symmetry changing = Symmetry::identity(program_.total_slots()), returning = changing;
    std::vector<std::uint32_t> initial(program_.total_slots(), 0);
    for (const ir::StateVariable& state : program_.states) {
        if (state.assigned && !add(state, changing)) return std::nullopt;
        if (state.assigned && !state.local) continue;
        if (!add(state, returning)) return std::nullopt;
        std::ranges::copy(state.initial, initial.begin() + state.first_slot);
    }
    if (returning.apply(initial) != initial) return std::nullopt;
    if (exchanges(program_.player_type))
        for (std::uint32_t slot = program_.slot_count; slot < program_.total_slots(); ++slot)
            changing.values[slot] = {1, 0};
    return changing;
}

} // namespace zug::game
