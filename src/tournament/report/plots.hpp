#pragma once
// Plots as SVG, to stand in a page of HTML that has the style of page_style.hpp. They are as wide as the page, and
// their colours follow it.

#include "tournament/standings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace zug::tournament {

// Each player's rating with its interval, the strongest first.
std::string rating_plot(const Standings& standings, const Ratings& ratings);
// How the scores developed over the games, of the strongest players.
std::string course_plot(const Standings& standings, const Ratings& ratings);
// The same for the log likelihood ratio of the sequential test, with its bounds.
std::string sprt_plot(const Standings& standings);
// The score in each seat of each game.
std::string seat_plot(const Standings& standings);
// The mean time of a move, and the longest.
std::string time_plot(const Standings& standings, const Ratings& ratings);

} // namespace zug::tournament
