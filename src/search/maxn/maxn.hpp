#pragma once
// Max^n (Luckhardt and Irani, "An algorithmic solution of N-person games", 1986) for any number of players, with chance
// nodes (the mean of their outcomes, by player) and any payoffs: each player takes what gives them most.
//
// Tie rule: of the moves that give the mover equally much, the one of the least id. In a game of three players, or one
// whose payoffs don't add up to zero, the rule decides what the others get; ids don't depend on the order in which an
// executor lists moves, so all executors agree.
//
// Pruning (Korf, "Multi-player alpha-beta pruning", 1991), which never changes a vector:
//
//   immediate   A mover who can get the greatest utility of the game looks no further.
//   shallow     Where the utilities have a greatest sum, a mover who can get so much that too little is left for the
//               player before, who has a better move already, looks no further: that player won't come here. Only
//               in games without an evaluation, whose values at the depth limit may have any sum.
//
// Deep pruning would change values (Korf), and so does what is built on it. Moves are tried in order of id, so the tie
// rule holds under pruning. The table keeps exact vectors only, under the rule of claim.hpp. Cost: about b^depth nodes
// without transpositions.

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
    void count(std::vector<Count>& counts) const override;

private:
    // The player who moves at the node before, and what that player gets by another move already.
    struct Rival {
        std::uint32_t player;
        double gets;
    };
    using Against = std::optional<Rival>;
    // What a search of a node rests on. If it was pruned, its rival gets no more there than elsewhere, and there is
    // no vector.
    struct Found {
        Reason reason = unknown;
        bool pruned = false;
    };
    // Each leaves the node's value in frames_[ply].values.
    Found node(int ply, int remaining, game::Next at, const Against& rival = {});
    Found interior(int ply, int remaining, const Against& rival);
    Found decide(int ply, int remaining, const Against& rival, std::optional<std::uint64_t>& best_move);
    Reason horizon(int ply, game::Next at);
    Reason terminal(int ply);
    Reason chance(int ply, int remaining);
    // Whether too little is left for the rival if the mover gets so much.
    bool leaves_too_little(std::uint32_t mover, double gets, const Against& rival) const;
    bool recall(int ply, int remaining, std::uint64_t key, Reason& reason);
    void remember(int ply, int remaining, std::uint64_t key, Reason reason, std::optional<std::uint64_t> move);

    const double highest_;
    // The greatest sum of the utilities of two players, and what rounding may add to it; infinite if there is none.
    double most_for_two_ = 0;
    std::optional<Table> table_;
    int uncut_ply_ = 0;
    std::uint64_t immediate_ = 0, shallow_ = 0;
};

} // namespace zug::search
