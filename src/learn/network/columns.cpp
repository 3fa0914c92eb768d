#include "learn/network/columns.hpp"

#include "game/facts/history.hpp"

#include <bit>

namespace zug::learn {

Columns find_columns(const game::Game& game) {
    constexpr std::uint64_t most_values = 64; // of a slot; more are grouped
    const ir::Program& program = game.program();
    const auto counters = game::find_history(program, game.traits().zero_sum).counters;
    const auto sizes = ir::slot_sizes(program);
    std::vector<std::uint32_t> values(sizes.size(), 0); // but for the first
    Columns columns{.first = {}, .shifts = std::vector<std::uint8_t>(sizes.size(), 0), .numbers = columns.shifts};
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& variable = program.states[id];
        if (!variable.assigned || std::ranges::find(counters, id) != counters.end()) continue;
        for (std::size_t k = 0; k < variable.initial.size(); ++k) {
            const std::size_t slot = variable.first_slot + k;
            columns.shifts[slot] = static_cast<std::uint8_t>(std::bit_width((sizes[slot] - 1) / most_values));
            columns.numbers[slot] = program.types.kind(variable.value) == ir::TypeKind::Int ? 1 : 0;
            values[slot] = static_cast<std::uint32_t>((sizes[slot] - 1) >> columns.shifts[slot]);
        }
    }
    columns.first.push_back(0);
    for (const std::uint32_t count : values) columns.first.push_back(columns.first.back() + count);
    return columns;
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
