#pragma once
// What a database says about a position.

#include "base/random.hpp"
#include "solve/database.hpp"

namespace zug::solve {

// The value of a position.
struct Standing {
    Payoffs value; // one a player
    std::optional<std::uint32_t> remoteness;
    bool repetition = false; // a draw because nobody can force an end
};
Standing standing(const Outcomes& outcomes, Result result);

struct MoveStanding {
    std::size_t index = 0; // in the list of moves
    std::string text;
    Standing standing; // of the position after it
    Result result = 0;
};

struct Answer {
    std::uint32_t mover = 0;
    Standing standing;
    std::vector<MoveStanding> moves; // the best for the mover first
};

// An error: the position can't be reached from the start that was solved, or the file is damaged.
tl::expected<Answer, game::Error> answer(Database& database, game::Game& game, const game::State& state);
// The moves of best play from there, to the end or to where a position comes again.
tl::expected<std::vector<std::string>, game::Error> best_line(Database& database, game::Game& game,
                                                              const game::State& state);

// The index in `moves`, which is what expand(state) gave, of a move that is best for who is to move: of equal ones that
// of the least id. An error: as above.
tl::expected<std::size_t, game::Error> best_move(Database& database, game::Game& game, const game::State& state,
                                                 const game::MoveList& moves);

// A position that is won, lost or drawn for who is to move there, all such equally likely. Empty: there is none.
enum class Sought : std::uint8_t { Won, Lost, Drawn };
tl::expected<std::optional<game::State>, game::Error> random_position(Database& database, game::Game& game,
                                                                      Sought sought, Random& random);

} // namespace zug::solve
