#pragma once
// One game between players.

#include "match/player.hpp"
#include "match/record.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::match {

// After how many plies a game is given up unless told: 10,000, or a million with chance. What chance brings ends nearly
// all games, however long they take (2048 takes 30,000 plies of a strong player); without chance, two players who know
// no better repeat themselves.
std::uint32_t default_max_plies(const game::Game& game);

struct PlayOptions {
    std::uint64_t seed = 1;
    // The ids of the first moves and chance events, which must be legal one after the other.
    std::span<const std::uint64_t> line{};
    // The number of random moves after that line, before the players take over. They depend on opening_seed only, so
    // that games with exchanged seats can have the same opening.
    std::uint32_t opening_plies = 0;
    std::uint64_t opening_seed = 1;
    std::optional<std::uint32_t> max_plies{}; // moves and chance events; none: default_max_plies()
    bool texts = true;                        // write moves into the record, which takes longer than making them
    bool times = false;                       // write the players' times into the record
    bool values = false;                      // and what they expected
    const std::atomic<bool>* stop = nullptr;
};

// Plays from `start`; seats[p] moves for player p. All random choices follow from the options' seeds. Sets the record's
// moves, end, utilities, fault, seed and times; the caller sets the other members.
GameRecord play_game(game::Game& game, const game::State& start, std::span<Player* const> seats,
                     const PlayOptions& options);

// Derives a different seed for each i.
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t i);

} // namespace zug::match
