#include "learn/network/columns.hpp"

#include "learn/model/input_variables.hpp"

namespace zug::learn {

Columns find_columns(const game::Game& game) {
    constexpr std::uint64_t most_values = 64; // of a slot; more are grouped
    const ir::Program& program = game.program();
    const std::size_t slots = program.total_slots();
    std::vector<std::uint32_t> columns_of(slots, 0);
    Columns columns{
        .first = {}, .shifts = std::vector<std::uint8_t>(slots, 0), .numbers = std::vector<std::uint8_t>(slots, 0)};
    for (const auto& [variable, values] : input_variables(game))
        for (std::size_t slot = variable->first_slot; slot < variable->first_slot + variable->initial.size(); ++slot) {
            columns.shifts[slot] = group_shift(values, most_values);
            columns.numbers[slot] = program.types.kind(variable->value) == ir::TypeKind::Int ? 1 : 0;
            columns_of[slot] = static_cast<std::uint32_t>((values - 1) >> columns.shifts[slot]);
        }
    columns.first.push_back(0);
    for (const std::uint32_t count : columns_of) columns.first.push_back(columns.first.back() + count);
    return columns;
}

std::vector<Family> find_families(const game::Game& game) {
    const ir::TypeTable& types = game.program().types;
    std::vector<Family> families;
    for (const auto& [variable, values] : input_variables(game)) {
        if (types.kind(variable->value) == ir::TypeKind::Int) continue;
        const auto slots = static_cast<std::uint32_t>(variable->initial.size());
        const bool by_player =
            !variable->indices.empty() && types.kind(variable->indices.front()) == ir::TypeKind::Player;
        const std::uint32_t each = by_player ? slots / game.players() : slots;
        for (std::uint32_t slot = 0; each > 1 && slot < slots; slot += each)
            families.push_back({.first_slot = variable->first_slot + slot, .slots = each});
    }
    return families;
}

bool fits(const Columns& columns, const game::Game& game) {
    const auto sizes = ir::slot_sizes(game.program());
    if (columns.shifts.size() != sizes.size() || columns.numbers.size() != sizes.size()) return false;
    if (columns.first.size() != sizes.size() + 1 || columns.first.front() != 0) return false;
    for (std::size_t slot = 0; slot < sizes.size(); ++slot) {
        if (columns.first[slot] > columns.first[slot + 1] || columns.shifts[slot] > 31) return false;
        const std::uint64_t values = (sizes[slot] - 1) >> columns.shifts[slot];
        if (columns.values(slot) != 0 && columns.values(slot) != values) return false;
    }
    return true;
}

} // namespace zug::learn
