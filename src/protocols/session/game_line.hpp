#pragma once
// A game under way, as the commands of a protocol move it on and back.

#include "base/error.hpp"
#include "game/game.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::protocols {

class GameLine {
public:
    explicit GameLine(game::Game game);

    game::Game& game() { return game_; }
    const game::State& state() const { return states_.back(); }
    // That before the last move or chance event; null: there was none.
    const game::State* before() const { return plies() == 0 ? nullptr : &states_[plies() - 1]; }
    // The number of moves and chance events since the position that set() gave.
    std::size_t plies() const { return states_.size() - 1; }

    // Starts again from a position (empty: that of the beginning), and plays these moves and chance events. Where the
    // last call gave the same position and the first of these moves, only the others are played. On errors all stays as
    // it was.
    tl::expected<void, Error> set(std::string_view position, std::string_view moves);
    // All of these moves, or none.
    tl::expected<void, Error> play(std::string_view moves);
    void push(game::State state);
    // Starts again from this position.
    void begin(game::State state);
    // Takes the last ones back. False: there are not so many.
    bool undo(std::size_t plies);

private:
    tl::expected<void, Error> extend(std::vector<game::State>& states, std::string_view moves);

    game::Game game_;
    std::vector<game::State> states_;     // the first, and that after each move
    std::optional<std::string> position_; // given to set() with moves_; empty: they did not lead to states_
    std::string moves_;
};

} // namespace zug::protocols
