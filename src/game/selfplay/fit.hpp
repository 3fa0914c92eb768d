#pragma once
// The scale of an evaluation that fits what was observed.

#include "game/facts/eval_scale.hpp"
#include "game/facts/traits.hpp"

#include <optional>
#include <span>

namespace zug::game {

// A position's evaluation for a player, as the lead over the others (Game::lead), and the utility at the end of the
// game.
struct Observation {
    double lead = 0, utility = 0;
};

// By least squares. Empty: another lead says nothing of the utility, or less is observed with a greater lead.
std::optional<EvalScale> fit_scale(std::span<const Observation> observed, const Traits& traits);

} // namespace zug::game
