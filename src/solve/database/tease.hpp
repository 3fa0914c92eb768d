#pragma once
// Perfect play that also makes it hard for the others: of the moves that give nothing away, the one that sets an
// opponent who errs the most problems (P. Jansen, "Using knowledge about the opponent in game-tree search", 1992; J.
// Donkers, J. Uiterwijk, J. van den Herik, "Probabilistic opponent-model search", 2001).
//
// The model is that of search/opponent/opponent_model.hpp, with what the database knows in place of a search: opponents
// make a move with a probability that falls with what it loses for them, by e for each `error` of the range of the
// utilities that ends have, and a move is worth what the player then expects. With several opponents, each of them
// minds their own utility.
//
// What is safe: the utility of the chosen move is the best that can be reached, with chance within the bound on the
// error of stored values. In a game with cycles a won position is left to best_move(), which comes nearer to the end
// with each move; otherwise moves that all keep the win could follow each other for ever. Where a position is drawn or
// lost, endless play is no worse than what it is worth. A draw by repetition may be chosen where the draw could be
// forced.

#include "solve/database/database.hpp"

#include <cstddef>

namespace zug::solve {

// The index in `moves`, the list that expand(state) gave, of that move for the player to move. Of moves that are worth
// the same the one that best_move() would prefer: the longest line where the player loses, the shortest elsewhere, then
// the least id. `error` is above 0.
//
// The lines of play are looked at ply by ply, as far as 10,000 look-ups reach, and at least the replies to each move.
// A look-up takes about a microsecond, or some tens where its block of positions has to be unpacked. Errors: as for
// best_move().
tl::expected<std::size_t, Error> teasing_move(Database& database, game::Game& game, const game::State& state,
                                              const game::MoveList& moves, double error);

} // namespace zug::solve
