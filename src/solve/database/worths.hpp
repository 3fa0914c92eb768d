#pragma once
// What a database holds for several positions at once, such as those after each move, and which of them a player
// prefers.

#include "solve/database/database.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

// The stored values of positions: results, or with chance expected utilities.
struct Worths {
    std::vector<Result> results;
    std::vector<std::vector<double>> values; // values[w][i]: the w-th number of the i-th position

    void clear(); // keeps the memory
    // Those with these numbers, in this order.
    Worths selected(std::span<const std::size_t> numbers) const;
};

// Appends the values of a position. False: it is not reachable. An error: the file is damaged.
tl::expected<bool, Error> add_known(Database& database, const game::State& state, Worths& worths);
// The same; a position that is not reachable is an error.
tl::expected<void, Error> add_reachable(Database& database, const game::State& state, Worths& worths);
// Replaces `worths` by the values of the positions after each of `moves`, the list that expand(state) gave. Errors: as
// above, and a fault of the game.
tl::expected<void, Error> look_up_successors(Database& database, game::Game& game, const game::State& state,
                                             const game::MoveList& moves, Worths& worths);

// What the i-th position is worth to a player.
double utility(const Database& database, const Worths& worths, std::size_t i, std::uint32_t player);

// The positions that the player likes best, all of equal value, where there are any: by number, ascending.
std::vector<std::size_t> best_of(const Database& database, std::uint32_t player, const Worths& worths);

// Of the moves with these indices, of which there is at least one, that with the least id.
std::size_t least_id(const game::MoveList& moves, std::span<const std::size_t> indices);

} // namespace zug::solve
