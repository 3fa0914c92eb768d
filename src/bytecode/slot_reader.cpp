#include "bytecode/slot_reader.hpp"

#include "base/narrow.hpp"
#include "bytecode/byte_rows.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

SlotReader::SlotReader(const ir::Program& program, const StateLayout& layout)
    : program_(program), layout_(layout), start_(program.total_slots(), 0) {
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& variable = program.states[id];
        if (variable.assigned)
            add(id);
        else
            std::ranges::copy(variable.initial, start_.begin() + variable.first_slot);
    }
    scalars_.push_back(scalar(layout.turn(), program.slot_count, program.player_type));
    if (program.keeps_last) scalars_.push_back(scalar(layout.last(), program.slot_count + 1, program.player_type));
}

SlotReader::Scalar SlotReader::scalar(Reg reg, std::uint32_t slot, ir::TypeId type) const {
    const ir::TypeTable& types = program_.types;
    Scalar scalar{.reg = reg, .slot = slot, .type = type};
    const bool optional = types.kind(type) == ir::TypeKind::Optional;
    if (types.kind(optional ? types.inner(type) : type) == ir::TypeKind::Site) return scalar;
    scalar.first = optional ? 1 : 0;
    scalar.base = types.value(type, scalar.first);
    scalar.count = types.cardinality(type) - scalar.first;
    return scalar;
}

void SlotReader::add(ir::StateId id) {
    const ir::StateVariable& variable = program_.states[id];
    const VariableLayout& at = layout_.variable(id);
    const std::uint32_t first = variable.first_slot;
    switch (at.storage) {
    case Storage::Word: scalars_.push_back(scalar(at.reg, first, variable.value)); return;
    case Storage::Set:
        add_set(variable, at.reg, layout_.shape(program_.types.inner(variable.value)).words, first);
        return;
    case Storage::Words:
        layout_.for_each_entry(id, [&](std::uint32_t entry, std::uint32_t number) {
            scalars_.push_back(scalar(saturated<Reg>(at.reg + entry), first + number, variable.value));
        });
        return;
    case Storage::Bytes:
        layout_.for_each_entry(id, [&](std::uint32_t entry, std::uint32_t number) {
            scalars_.push_back(scalar(saturated<Reg>(at.reg + entry / 8), first + number, variable.value));
            scalars_.back().byte = static_cast<std::int8_t>(entry % 8);
        });
        return;
    case Storage::Sets: {
        const auto values =
            static_cast<std::uint32_t>(program_.types.cardinality(program_.types.inner(variable.value)));
        layout_.for_each_entry(id, [&](std::uint32_t entry, std::uint32_t number) {
            add_set(variable, saturated<Reg>(at.reg + entry * at.set_words), at.set_words, first + number * values);
        });
        return;
    }
    case Storage::Planes: break;
    }
    const auto table = static_cast<std::uint32_t>(slots_.size());
    slots_.resize(slots_.size() + std::size_t{at.set_words} * 64, 0);
    layout_.for_each_entry(id,
                           [&](std::uint32_t entry, std::uint32_t number) { slots_[table + entry] = first + number; });
    for (std::uint32_t p = 0; p < at.planes; ++p)
        planes_.push_back({saturated<Reg>(at.reg + p * at.set_words), at.set_words, p + 1, table});
}

void SlotReader::add_set(const ir::StateVariable& variable, Reg reg, std::uint16_t words, std::uint32_t first_slot) {
    const ir::TypeId element = program_.types.inner(variable.value);
    planes_.push_back({reg, words, 1, static_cast<std::uint32_t>(slots_.size())});
    slots_.resize(slots_.size() + std::size_t{words} * 64, 0);
    for (std::uint64_t o = 0; o < program_.types.cardinality(element); ++o)
        slots_[planes_.back().slots + layout_.bit(element, program_.types.value(element, o))] =
            first_slot + static_cast<std::uint32_t>(o);
}

std::uint32_t SlotReader::ordinal(const Scalar& scalar, std::int64_t word) const {
    if (scalar.count > 0) {
        const std::uint64_t from_base = static_cast<std::uint64_t>(word) - static_cast<std::uint64_t>(scalar.base);
        return from_base < scalar.count ? static_cast<std::uint32_t>(from_base) + scalar.first : 0;
    }
    const std::int64_t value = layout_.from_register(scalar.type, word);
    return static_cast<std::uint32_t>(program_.types.ordinal(scalar.type, value).value_or(0));
}

void SlotReader::read(const std::uint64_t* words, std::span<std::uint32_t> out) const {
    std::ranges::copy(start_, out.begin());
    for (const Plane& plane : planes_)
        for (std::uint32_t w = 0; w < plane.words; ++w)
            for (std::uint64_t rest = words[plane.reg + w]; rest != 0; rest &= rest - 1)
                out[slots_[plane.slots + w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest))]] = plane.value;
    for (const Scalar& scalar : scalars_)
        out[scalar.slot] =
            ordinal(scalar, scalar.byte < 0 ? static_cast<std::int64_t>(words[scalar.reg])
                                            : byte_at(words + scalar.reg, static_cast<std::uint64_t>(scalar.byte)));
}

} // namespace zug::run
