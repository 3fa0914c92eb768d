#pragma once
// What random games show of a game that its rules do not say in words: whose sites are whose, and where two players'
// tracks meet.

#include "game/game.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace zug::draw::terminal {

// Of a site: the only player whose moves begin there, and the text of such a move, if it is always the same.
struct Owner {
    std::optional<std::uint32_t> player;
    bool several = false;
    std::string text;
};

// Of a map over two players and numbers to counts: place n of the one is place `sum` - n of the other, for n from
// `first` to `sum` - `first`, since men are hit there.
struct Meeting {
    std::int64_t sum = 0, first = 0;
};

struct Habits {
    std::vector<std::vector<Owner>> owners; // by board and site
    std::map<ir::StateId, Meeting> meetings;
};

// Nothing is played where neither could be shown. Else it takes some thousand random moves.
Habits habits_of(const game::Game& game);

// Whether it is a map over players and eight numbers or more to counts: where each one's men are on their way.
bool is_track(const ir::Program& program, ir::StateId id);

} // namespace zug::draw::terminal
