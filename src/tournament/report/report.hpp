#pragma once
// The standings of a tournament as text, JSON, CSV and as a page of HTML.
//
// No number in them is infinite or undefined: ratings are finite by construction (tournament/rating.hpp), and what has
// no value, as the rating of a player that has not played, is left out.

#include "tournament/standings.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace zug::tournament {

// Tables for a terminal: standings, crosstable, games and seats, times, the sequential test.
std::string report_text(const Standings& standings);

// The same with all digits: `players` (with Elo, interval and time), `games` (with pairs, seats and ratings of each),
// `pairs` of all games, with the difference in Elo and the likelihood of superiority; `sprt`.
nlohmann::ordered_json report_json(const Standings& standings);

// One line for each game, player and opponent, and lines for all games and all opponents, marked `all`. Those of all
// games against all opponents have the rating and the time.
std::string report_csv(const Standings& standings);

// A page that needs nothing but itself: no network, no scripts. `command`: what made it, shown at its end.
std::string report_html(const Standings& standings, const std::string& command);

// What should be said about the results besides the figures, as sentences: games that were not scored, games that
// repeat each other, ratings that rest on added draws.
std::vector<std::string> remarks(const Standings& standings);

// `H1 is accepted: ...`, or how far the test is.
std::string sprt_text(const Standings& standings);

// `12.3 s`, `45 min 10 s`, `0.12 ms`.
std::string time_text(double seconds);

} // namespace zug::tournament
