#pragma once
// Small tournaments for the tests: games written in C++, no rule files.

#include "../search/games.hpp"
#include "match/match.hpp"
#include "tournament/tournament.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace zug::test {

using namespace zug::tournament;

inline GameSetup setup(std::unique_ptr<run::Executor> executor, std::string title) {
    return {game::Game(std::move(executor)), std::move(title), "test.zug", {}};
}

// A graph of random nodes: threads need clones, which the other test games have not.
inline GameSetup graph(std::uint32_t players, std::uint64_t seed, bool chance = false) {
    const RandomGraph shape{.facts = {.players = players, .chance = chance, .zero_sum = players == 2},
                            .nodes = 60,
                            .events = chance ? 0.3 : 0};
    Random random(seed);
    return setup(std::make_unique<GraphGame>(shape.facts, random_nodes(shape, random)),
                 "graph " + std::to_string(seed));
}

struct Contest {
    std::vector<GameSetup> games;
    std::vector<match::PlayerSpec> players;
    ScheduleOptions schedule;
    TournamentOptions options;
    std::vector<match::GameRecord> records;

    Contest(std::vector<GameSetup> setups, std::string_view names) : games(std::move(setups)) {
        auto parsed = match::parse_players(names);
        REQUIRE_MESSAGE(parsed.has_value(), parsed.error().text);
        players = std::move(*parsed);
        schedule.players = players.size();
        for (const GameSetup& one : games) schedule.seats.push_back(one.game.players());
        options.record = [this](const match::GameRecord& record) { records.push_back(record); };
    }

    Standings run(EarlierGames earlier = {}) {
        const auto made = Schedule::make(schedule);
        REQUIRE_MESSAGE(made.has_value(), made.error().text);
        return run_tournament(games, players, *made, options, std::move(earlier));
    }
};

} // namespace zug::test
