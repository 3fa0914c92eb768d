#pragma once
// Max^n (Luckhardt and Irani, "An algorithmic solution of N-person games", 1986) for any number of players, with chance
// nodes (the mean of their outcomes, by player) and any payoffs: each player takes what gives them most.
//
// Tie rule: of the moves that give the mover equally much, the one of the least id. In a game of three players, or one
// whose payoffs don't add up to zero, the rule decides what the others get; ids don't depend on the order in which an
// executor lists moves, so all executors agree.
//
// Pruning: only immediate pruning (Korf, "Multi-player alpha-beta pruning", 1991): a mover who can get the greatest
// utility of the game looks no further. Moves are tried in order of id, so the tie rule holds under it. The table keeps
// exact vectors only, under the rule of claim.hpp. Cost: about b^depth nodes without transpositions.

#include "search/core/engine.hpp"
#include "search/core/order.hpp"
#include "search/core/table.hpp"

#include <optional>

namespace zug::search {

class MaxN final : public Engine {
public:
    MaxN(game::Game& game, const Options& options);
    void forget() override;

protected:
    bool pass(int depth, std::span<double> value) override;
    void begin_search() override;
    void extend(int ply, int remaining, std::span<const double> value) override;

private:
    // Each leaves the node's value in frames_[ply].values and returns what it rests on.
    Reason node(int ply, int remaining, game::Next at);
    Reason interior(int ply, int remaining);
    Reason horizon(int ply, game::Next at);
    Reason terminal(int ply);
    Reason decide(int ply, int remaining, std::optional<std::uint64_t>& best_move);
    Reason chance(int ply, int remaining);
    bool recall(int ply, int remaining, std::uint64_t key, Reason& reason);
    void remember(int ply, int remaining, std::uint64_t key, Reason reason, std::optional<std::uint64_t> move);

    const double highest_;
    std::optional<Table> table_;
    int uncut_ply_ = 0;
};

} // namespace zug::search
