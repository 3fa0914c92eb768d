#pragma once
// Relabellings of a game's positions that may be symmetries; symmetry.hpp says where they come from. They follow from
// the boards and the types alone.

#include "game/symmetry/relabelling.hpp"

#include <functional>

namespace zug::game {

// Those that are accepted, each once, without the identity.
std::vector<Symmetry> symmetry_candidates(const ir::Program& program,
                                          const std::function<bool(const Relabelling&, const Symmetry&)>& accept);

// The same with the two players of the game exchanged in all of them: relabellings of boards, perhaps with an exchange
// of two members of a type. Of other games than those for two there are none.
std::vector<Symmetry>
player_exchange_candidates(const ir::Program& program,
                           const std::function<bool(const Relabelling&, const Symmetry&)>& accept);

} // namespace zug::game
