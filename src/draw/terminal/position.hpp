#pragma once
// Positions for people at a terminal, from the rules alone: boards as they look, tracks and pits in rows, dice, and
// what else players look at as text. Game::draw() writes them for pipes.

#include "draw/board/layout/travel.hpp"
#include "draw/board/roles.hpp"
#include "draw/terminal/habits.hpp"
#include "draw/terminal/signs.hpp"

namespace zug::draw::terminal {

class TerminalPositions {
public:
    // Costs up to a few thousand moves of random play, which tell whose sites are whose and where pieces go.
    TerminalPositions(const game::Game& game, const Screen& screen);

    // Ends with who is to move, or how the game ended.
    std::string text(game::Game& game, const game::State& state) const;

private:
    Screen screen_;
    board::Roles roles_;
    std::vector<bool> internal_;
    std::vector<std::vector<board::Travel>> travels_; // by board
    Habits habits_;
    std::vector<std::string> sides_; // by board
};

} // namespace zug::draw::terminal
