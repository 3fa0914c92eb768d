#pragma once
// Tournaments: programs play each other in one or more games, on several threads.
//
// Game i depends on the seed, the players and the games only, not on the games before it or the number of threads; so
// a tournament that was interrupted goes on with the games that are missing, and ends with the same table. All groups
// of players play the same openings: in round r the r-th of a game's openings (again from the first when they end), and
// then random moves that depend on the seed, the game and the round.

#include "match/match.hpp"
#include "tournament/openings.hpp"
#include "tournament/schedule.hpp"
#include "tournament/standings.hpp"
#include "tournament/tally.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace zug::tournament {

// One of the games that are played.
struct GameSetup {
    game::Game game;
    std::string title, file;       // for the user, and for the records
    std::vector<Opening> openings; // empty: the start of the game
};

struct TournamentOptions {
    std::uint64_t seed = 1;
    std::uint32_t threads = 1;
    std::uint32_t opening_plies = 0;          // random moves after the opening
    std::optional<std::uint32_t> max_plies{}; // none: match::default_max_plies()
    std::optional<SprtOptions> sprt;          // between the first two players
    // Ends the tournament; unfinished games are abandoned. The tournament sets it too, when the test has decided.
    std::atomic<bool>* stop = nullptr;
    // Both are called by one thread at a time; `record` as soon as a game is over, so games come in any order.
    std::function<void(const match::GameRecord&)> record{};
    std::function<void(const Standings&)> progress{}; // after games, at most about five times a second
};

// Games that were played before, by index.
using EarlierGames = std::vector<std::pair<std::uint64_t, Outcome>>;

// The players' names in tables: their texts, equal ones with a number.
std::vector<std::string> player_names(std::span<const match::PlayerSpec> players);
// Why these players can't play these games, or the test can't be made; empty if they can.
std::string refusal(std::span<GameSetup> games, std::span<const match::PlayerSpec> players,
                    const std::optional<SprtOptions>& sprt);

// Plays what is left of the schedule. The players must suit the games.
Standings run_tournament(std::span<GameSetup> games, std::span<const match::PlayerSpec> players,
                         const Schedule& schedule, const TournamentOptions& options, EarlierGames earlier);

// The seed of a game's record.
std::uint64_t game_seed(std::uint64_t seed, std::uint64_t index);

} // namespace zug::tournament
