#pragma once
// Search against an opponent who errs (P. Jansen, "Using knowledge about the opponent in game-tree search", 1992;
// J. Donkers, J. Uiterwijk, J. van den Herik, "Probabilistic opponent-model search", 2001). Where all moves lose
// against perfect play, it finds the one that sets the opponent the most problems.
//
// The model: at their nodes opponents make a move with a probability that falls with what it loses, by e for each
// `error` of the range of utilities; the loss is by minimax to the depth of the search. The player who is to move at
// the root takes what is worth most against that. The value is what they then expect; it is never less than minimax's.
//
// Games: two sides, zero sum; chance. Cost: b^depth nodes: the model needs the value of every move, so nothing is
// pruned. Among moves of equal value the one of the least id.

#include "search/core/engine.hpp"

#include <deque>
#include <vector>

namespace zug::search {

class OpponentModel final : public Engine {
public:
    OpponentModel(game::Game& game, const Options& options);
    void forget() override {}

protected:
    // Whether all lines ended; then no greater depth gives another value.
    bool pass(int depth, std::span<double> value) override;
    void extend(int, int, std::span<const double>) override {} // its lines are never cut short

private:
    // In the view of the side that is to move at the root.
    struct Values {
        double game = 0;  // against perfect play
        double model = 0; // against the opponent
    };
    Values node(int ply, int remaining, game::Next at);
    Values terminal(int ply);
    Values horizon(int ply, game::Next at);
    // Fills children_[ply] with the values after each move; false: the search is over.
    bool look(int ply, int remaining);
    bool is_own(int ply) const { return (own_side_ >> line_.mover(ply) & 1) != 0; }
    Values own(int ply);
    Values others(int ply);
    Values chance(int ply);
    Values in_view(double first_players) const { return {view_ * first_players, view_ * first_players}; }

    const double error_;         // in utility
    double view_ = 1;            // -1: the second side is to move at the root
    std::uint32_t own_side_ = 0; // one bit for each player on the side that is to move at the root
    bool evaluated_ = false;     // some line of the pass ended at the depth limit
    std::deque<std::vector<Values>> children_;
};

} // namespace zug::search
