#include "tests/bench/by_hand.hpp"

#include "tests/bench/programs.hpp"

#include <algorithm>
#include <array>

namespace zug::by_hand {

std::span<const Program> programs() {
    static const std::array all = {tic_tac_toe, connect_four, breakthrough, othello, chess};
    return all;
}

const Program* find(std::string_view rules) {
    const auto found = std::ranges::find(programs(), rules, &Program::rules);
    return found == programs().end() ? nullptr : &*found;
}

} // namespace zug::by_hand
