#pragma once
// A playout from a leaf of the tree: random moves to an end of the game, or to where it is cut off and evaluated.
//
// With decisive moves (F. Teytaud and O. Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search
// algorithms", 2010) a player makes a winning move where there is one, and else a random one; one after which an
// opponent who moves next could win at once is taken back, a few times, for another. Without them whole playouts run as
// machine code.

#include "search/core/budget.hpp"
#include "search/core/monte_carlo_options.hpp"
#include "search/monte_carlo/utilities.hpp"

#include <optional>
#include <vector>

namespace zug::search {

class Rollout {
public:
    // `cutoff`: after so many plies the position is evaluated.
    Rollout(game::Game& game, const MonteCarloOptions& options, std::uint32_t cutoff);

    // Plays on from `state`, which changes, and stores the utilities by player. Each ply counts as a node of the
    // budget. False: the budget ran out before the end, or a rule failed. `played`, unless null, gets the moves.
    bool run(game::State& state, Random& random, Budget& budget, std::span<double> utilities,
             std::vector<game::PlayedMove>* played);

private:
    bool run_at_random(game::State& state, Random& random, Budget& budget, std::span<double> utilities,
                       std::vector<game::PlayedMove>* played);
    bool run_decisive(game::State& state, Random& random, Budget& budget, std::span<double> utilities,
                      std::vector<game::PlayedMove>* played);
    game::Next play_ply(int ply, Random& random, Budget& budget, std::vector<game::PlayedMove>* played);
    // The index of a move that wins at once for who makes it, or none.
    std::optional<std::size_t> find_win(int ply, Budget& budget);
    bool over(game::Next at, int ply) {
        return at == game::Next::Terminal || line_.kind(ply) == game::NodeKind::Terminal;
    }
    bool together(std::uint32_t a, std::uint32_t b) const { return game_.traits().team[a] == game_.traits().team[b]; }
    bool failed(Budget& budget);

    game::Game& game_;
    game::Line line_;
    Utilities range_;
    std::uint32_t cutoff_;
    bool decisive_;
    std::optional<std::size_t> win_; // of the position that is next, if it is known
    bool known_ = false;
};

} // namespace zug::search
