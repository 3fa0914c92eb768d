#pragma once
// Games whose rules stand in a test.

#include "game/game.hpp"
#include "lang/load.hpp"

#include <doctest/doctest.h>
#include <string>
#include <string_view>

namespace zug::game {

// Rules that are to load without errors and warnings.
inline Game game_of(const std::string& text, ExecutorKind kind = ExecutorKind::Reference) {
    const lang::Loaded loaded = lang::load_text("test.zug", text);
    INFO(diag::render(loaded.sources, loaded.report));
    REQUIRE(loaded.program);
    CHECK(loaded.report.sorted().empty());
    return Game(loaded.program, kind);
}

// The position after a line of moves.
inline State after(Game& game, std::string_view line) {
    const auto state = game.play_line(game.initial(), line);
    REQUIRE_MESSAGE(state, (state ? "" : state.error().text));
    return *state;
}

} // namespace zug::game
