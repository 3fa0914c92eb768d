#pragma once
// Random games in bulk, on several threads.

#include "api/game.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace zug::api {

struct PlayoutOptions {
    std::uint64_t games = 1000;
    std::uint32_t threads = 0; // 0: as many as there are processors
    std::uint64_t seed = 1;
    std::uint32_t most_plies = 100'000; // longer games are cut off; their utilities count as 0
    bool each = false;                  // keep the result of each game
    bool utilities = true;              // false: only count plies, which is a little faster
    const std::atomic<bool>* stop = nullptr;
};

struct PlayoutResults {
    std::uint64_t games = 0; // that were played: less than asked for if they were stopped
    std::uint64_t plies = 0; // of all
    std::uint64_t cut = 0;   // by most_plies
    // By player: the mean utility, and the standard deviation of the utility; empty without PlayoutOptions::utilities.
    std::vector<double> mean, deviation;
    // With PlayoutOptions::each (and utilities): a row of utilities for each game, and its plies, in the same order in
    // every run.
    std::vector<float> utilities;
    std::vector<std::uint32_t> lengths;
};

// Plays uniformly random moves, and chance events by their weights, from a position to the end. Equal seeds give equal
// results with any number of threads. An error: a rule failed.
tl::expected<PlayoutResults, Error> playouts(const State& start, const PlayoutOptions& options);

} // namespace zug::api
