#pragma once
// Why a game is over.

#include "diag/span.hpp"
#include "game/game.hpp"

#include <optional>

namespace zug::protocols {

// Where the end clause stands that ended the game in this position; empty: it is not over, or a rule fails.
std::optional<Span> end_clause(game::Game& game, const game::State& state);

} // namespace zug::protocols
