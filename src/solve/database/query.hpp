#pragma once
// What a database says about a position.

#include "base/random.hpp"
#include "solve/database/database.hpp"

#include <functional>

namespace zug::solve {

// The value of a position.
struct Standing {
    Payoffs value; // by player; with chance: expected utilities
    std::optional<std::uint32_t> remoteness;
    bool repetition = false;               // a draw because nobody can force an end
    std::optional<double> win_probability; // of the first player: with chance, if all ends are won or lost
};
Standing standing(const Outcomes& outcomes, Result result);
// Empty: the position is not reachable. An error: the file is damaged.
tl::expected<std::optional<Standing>, Error> standing_of(Database& database, const game::State& state);

// A move, or an outcome of chance.
struct MoveStanding {
    std::size_t index = 0; // in the list of moves
    std::string text;
    Standing standing; // of the position after it
    double probability = 1;
};

struct Answer {
    game::NodeKind kind = game::NodeKind::Decision;
    std::uint32_t mover = 0; // at a decision
    Standing standing;
    std::vector<MoveStanding> moves; // best for the mover first; chance outcomes in the order of the list
};

// An error: the position can't be reached from the start that was solved, or the file is damaged.
tl::expected<Answer, Error> answer(Database& database, game::Game& game, const game::State& state);

struct BestLine {
    std::vector<std::string> moves;
    game::State end;
};
// Best play from the position, up to the end of the game, the first repeated position or the first chance event.
tl::expected<BestLine, Error> best_line(Database& database, game::Game& game, const game::State& state);

// The index in `moves`, the list that expand(state) gave, of the best move for the player to move; among equal moves
// the one with the least id. Errors as above.
tl::expected<std::size_t, Error> best_move(Database& database, game::Game& game, const game::State& state,
                                           const game::MoveList& moves);

// A uniformly random decision or terminal position whose value for the player to move satisfies `sought`. Empty: there
// is none.
using Sought = std::function<bool(double value)>;
tl::expected<std::optional<game::State>, Error> random_position(Database& database, game::Game& game,
                                                                const Sought& sought, Random& random);

} // namespace zug::solve
