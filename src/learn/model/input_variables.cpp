#include "learn/model/input_variables.hpp"

#include "game/facts/history.hpp"

#include <algorithm>
#include <bit>

namespace zug::learn {

std::vector<InputVariable> input_variables(const game::Game& game) {
    const ir::Program& program = game.program();
    const auto counters = game::find_history(program, game.traits().zero_sum).counters;
    const auto sizes = ir::slot_sizes(program);
    std::vector<InputVariable> result;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& variable = program.states[id];
        const bool counts = std::ranges::find(counters, id) != counters.end();
        if (!variable.assigned || counts || variable.initial.empty() || sizes[variable.first_slot] < 2) continue;
        result.push_back({&variable, sizes[variable.first_slot]});
    }
    return result;
}

std::uint8_t group_shift(std::uint64_t values, std::uint64_t most) {
    return static_cast<std::uint8_t>(std::bit_width((values - 1) / most));
}

} // namespace zug::learn
