#pragma once
// The method with which `auto` plays a game: a probe of some random games.
//
// Alpha-beta and expectimax rest on what they see at the depth limit. Where the rules have no evaluation that is
// nothing, unless the end of the game is in sight. So they play where there is an evaluation, and where the plies that
// a million nodes of perfectly ordered alpha-beta reach are half a random game; else UCT plays, which needs neither.
// Three and more players or teams: paranoid search where there is an evaluation and no chance, for it looks much
// further ahead than max^n; max^n where there is chance, or the end is in sight.

#include "game/selfplay/shape.hpp"
#include "search/search.hpp"

#include <optional>
#include <string_view>

namespace zug::search {

struct Suited {
    Method method;
    std::string_view why; // for people
};

// The leaves of a perfectly ordered alpha-beta search of so many plies (Knuth and Moore 1975), about.
double least_leaves(double moves, double plies);

// Cost: up to 16 random games of 200 plies, where there is no evaluation: some milliseconds, and never more than about
// a second. If a second is enough, the same in every call.
Suited suited(game::Game& game);

// The method that is named, or what `auto` is: where a search is to be exact to its end, an exact method.
Method method_for(const std::optional<Method>& named, bool exact, game::Game& game);

} // namespace zug::search
