#pragma once
// One game between players.

#include "match/player.hpp"
#include "match/record.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::match {

inline constexpr std::uint32_t default_max_plies = 10'000;

struct PlayOptions {
    std::uint64_t seed = 1;
    // So many moves are made at random before the players take over; they depend on opening_seed alone, so that games
    // with the seats changed can begin alike.
    std::uint32_t opening_plies = 0;
    std::uint64_t opening_seed = 1;
    std::uint32_t max_plies = default_max_plies; // moves and chance events
    bool texts = true;                           // writes the moves into the record; it takes longer than to make them
    const std::atomic<bool>* stop = nullptr;
};

// Plays from `start`; seats[p] moves for player p. All that is random follows from the options' seeds. Fills in the
// record's moves, end, utilities, fault and seed; the rest is the caller's. Ends as Finished, or for a reason of End.
GameRecord play_game(game::Game& game, const game::State& start, std::span<Player* const> seats,
                     const PlayOptions& options);

// A seed of its own for each i, from one seed.
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t i);

} // namespace zug::match
