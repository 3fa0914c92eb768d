#pragma once
// Expectimax (Michie, "Game-playing and game-learning automata", 1966): alpha-beta with chance nodes, whose value is
// the mean of their outcomes' values by probability. Two players with zero sum, or one player who takes the greatest.
//
// Chance nodes are pruned by Star1 (Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983):
// as soon as the outcomes not yet searched can't bring the mean back into the window, even at the edge of the game's
// range of utilities, the node is done. Rounding must not make a pruned search differ from a plain one, so the
// comparison leaves a margin far above any rounding error, and outcomes are added up in order of id.

#include "search/alpha_beta/alpha_beta.hpp"

namespace zug::search {

class Expectimax : public AlphaBeta {
public:
    // Of the windows at the root only Full and Aspiration are for chance nodes: pruned there, they give no value beyond
    // the window's edge.
    Expectimax(game::Game& game, const Options& options, std::shared_ptr<Table> shared = nullptr,
               Method method = Method::Expectimax);

protected:
    bool deepens(const Limits& limits) const override { return Engine::deepens(limits); }
    Claim chance(int ply, int remaining, Window window) override;

private:
    struct Mean {
        double sum = 0;  // of the outcomes so far, by probability
        double rest = 1; // the probability of the others
        Reason lower = 0, upper = 0;
    };
    Window inner_window(const Mean& mean, double probability, Window window, std::uint32_t mover) const;
    bool outside(const Mean& mean, Window window, std::uint32_t mover, Claim& claim) const;

    double margin_;
};

} // namespace zug::search
