#pragma once
// The scale of a game's evaluation, found once (calibration.hpp): kept in the process, and on disk beside compiled code
// (native/cache.hpp).

#include "game/game.hpp"

#include <atomic>
#include <optional>

namespace zug::game {

// As calibrate() says; what was stopped is not kept.
std::optional<EvalScale> kept_calibration(Game& game, const std::atomic<bool>* stop = nullptr);

} // namespace zug::game
