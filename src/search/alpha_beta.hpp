#pragma once
// Alpha-beta (Knuth and Moore, "An analysis of alpha-beta pruning", 1975), fail-soft (Fishburn, 1983), in negamax form,
// for two players and zero sum (expectimax.hpp adds chance, and one player). A value is in the view of the player to
// move; the view changes between parent and child only when the player to move does, so a player may move twice.
//
// Deepening step by step (Slate and Atkin, 1977), transposition table (table.hpp), move order (order.hpp).
// Besides beta, a value at the edge of the game's range of utilities ends a node: nothing is better than the best.
//
// Invariant: the root's value equals minimax's at the same depth, whichever parts are on; claim.hpp says why the table
// keeps it. Cost: about b^(depth/2) nodes with good order. Among moves of equal value the first one tried.

#include "search/engine.hpp"
#include "search/order.hpp"
#include "search/table.hpp"

#include <optional>

namespace zug::search {

class AlphaBeta : public Engine {
public:
    AlphaBeta(game::Game& game, const Options& options, Method method = Method::AlphaBeta);
    void forget() override;

protected:
    bool pass(int depth, std::span<double> value) override;
    void begin_search() override;
    void begin_pass() override;
    void extend(int ply, int remaining, std::span<const double> value) override;
    bool deepens(const Limits&) const override { return true; }

    // All claims and windows of a node: in the view of its player to move.
    Claim node(int ply, int remaining, Window window);
    virtual Claim chance(int ply, int remaining, Window window);
    // The i-th child of the node at `ply`, as that node sees it.
    Claim child(int ply, std::size_t i, int remaining, Window window);
    // The least and greatest utility.
    double floor(std::uint32_t mover) const { return mover == 0 ? lowest_ : -highest_; }
    double ceiling(std::uint32_t mover) const { return mover == 0 ? highest_ : -lowest_; }

private:
    struct Decision {
        Claim claim;
        std::optional<std::uint64_t> move; // that raised alpha
    };
    Claim interior(int ply, int remaining, Window window);
    Claim horizon(int ply);
    static void combine(Claim& best, const Claim& claim);
    Decision decide(int ply, int remaining, Window window, std::optional<std::uint64_t> hint);
    void rank(Frame& frame, std::uint32_t mover, std::optional<std::uint64_t> hint) const;
    static double in_view(const Frame& frame, double first_players) {
        return frame.mover == 0 ? first_players : -first_players;
    }

    double lowest_, highest_;
    std::optional<Table> table_;
    MoveOrder order_;
    int uncut_ply_ = 0; // the table may not answer for this node: its best move is wanted
};

} // namespace zug::search
