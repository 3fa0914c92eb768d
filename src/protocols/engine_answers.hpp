#pragma once
// Games, positions and findings as JSON.

#include "protocols/engine_request.hpp"
#include "protocols/session/game_line.hpp"
#include "protocols/session/thinker.hpp"

namespace zug::protocols {

Json game_json(const game::Game& game);
// The position that has been reached, and what there is to do in it. An error: a rule fails there.
tl::expected<Json, Error> state_json(GameLine& line);
Json findings_json(const Findings& findings);
Json answer_json(const Answer& answer, bool stopped);

} // namespace zug::protocols
