#pragma once
// Other programs as players (engines/clients.hpp). They are told all moves of a game, by Player::see; where that was
// not done, a chess program is given the position instead, and a GTP program can't play.

#include "match/player.hpp"

#include <memory>
#include <string>

namespace zug::match {

// Of a player whose kind is Uci, Xboard or Gtp. The game must outlive it.
std::unique_ptr<Player> make_outside_player(const PlayerSpec& spec, game::Game& game);
// Why it can't play this game; empty if it can.
std::string outside_refusal(const PlayerSpec& spec, const game::Game& game);

} // namespace zug::match
