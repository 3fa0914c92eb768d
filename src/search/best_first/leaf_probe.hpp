#pragma once
// The value of a leaf of a best-first tree: a selective search of a few plies with quiescence (alpha_beta/), or in a
// game without an evaluation the mean of some random playouts. All probes of a search share one budget, which the tree
// search takes its own nodes from too.

#include "search/alpha_beta/selective.hpp"
#include "search/monte_carlo/rollout.hpp"

#include <functional>
#include <optional>

namespace zug::search {

// Utilities of the first player.
struct LeafValue {
    double value = 0;         // an estimate; proven if the bounds are equal
    double low = 0, high = 0; // proven bounds
};

class LeafProbe final : public Selective {
public:
    // Works on the search form; states given to it are the game's own.
    LeafProbe(game::Game& game, game::SearchForm& form, const Options& options);

    // Begins a search with these limits, which must outlive it.
    void begin(const game::State& root, const Limits& limits, std::function<void()> tick);
    Budget& budget() { return budget_; }
    const Budget& budget() const { return budget_; }

    // Fills `frame` with the listed moves of a position, those first that probes have found to be good.
    void order_moves(const game::State& state, const game::MoveList& moves, Frame& frame);
    // Of a position where the game goes on; it counts as a node. If the value is no more than `least`, for the player
    // with this view (1: the first, -1: the second), it may be any bound that shows this. Meaningless once the budget
    // is stopped.
    LeafValue value(const game::State& state, double view, double least);
    // An estimate of the same position with the other player to move. Empty: the rules fail on it, which may be the
    // fault of a pass that they don't provide for.
    std::optional<double> value_after_pass(const game::State& state);

private:
    Claim search(int depth, Window window);
    double play_out(const game::State& formed);

    game::SearchForm& form_;
    const BestFirstOptions probe_;
    const std::uint64_t seed_;
    const bool proves_; // what the search form proves holds in the game
    Rollout rollout_;
    Random random_;
    game::State playing_, passed_;
};

} // namespace zug::search
