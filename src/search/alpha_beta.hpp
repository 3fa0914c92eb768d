#pragma once
// Alpha-beta (Knuth and Moore, "An analysis of alpha-beta pruning", 1975), fail-soft (Fishburn, 1983), in negamax form,
// for two players and zero sum (expectimax.hpp adds chance, and one player). A value is in the view of the player to
// move; the view changes between parent and child only when the player to move does, so a player may move twice.
//
// Iterative deepening (Slate and Atkin, 1977), transposition table (table.hpp), move order (order.hpp).
// Besides beta, a value at the edge of the game's range of utilities ends a node: nothing is better than the best.
//
// Invariant: the root's value equals minimax's at the same depth, whichever parts are on; claim.hpp says why the table
// keeps it. Cost: about b^(depth/2) nodes with good order. Among moves of equal value the first one tried.

#include "search/engine.hpp"
#include "search/order.hpp"
#include "search/table.hpp"

#include <memory>
#include <optional>
#include <vector>

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

    // All claims and windows of a node are in the view of its player to move. `at`: what is known of the node.
    Claim node(int ply, int remaining, Window window, game::Next at);
    virtual Claim chance(int ply, int remaining, Window window);
    // The value of the child just made from the node at `ply`, or of its i-th child, in that node's view.
    Claim child(int ply, int remaining, Window window, game::Next at);
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
    Claim terminal(int ply);
    Claim horizon(int ply, game::Next at);
    static void combine(Claim& best, const Claim& claim);
    Decision decide(int ply, int remaining, Window window, Decision best, game::Next at);
    // Makes the first or next move, if moves are not ordered. `best` takes in the value of the moves that were skipped.
    game::Next walk(int ply, int remaining, double alpha, bool begin, Claim& best);
    // Makes the first move to try, and after i moves the next one.
    game::Next try_first(int ply, std::optional<std::uint64_t> hint);
    game::Next try_next(int ply, std::size_t i);
    bool more_to_try(int ply, std::size_t i) { return walks_ ? line_.more(ply) : i < frames_[ply].order.size(); }
    double in_view(int ply, double first_players) const {
        return line_.mover(ply) == 0 ? first_players : -first_players;
    }

    double lowest_, highest_;
    std::optional<Table> table_;
    MoveOrder order_;
    bool walks_;        // moves are tried in the order in which the line gives them
    bool passes_;       // the game has no evaluation, so leaves at the depth limit can be skipped
    double even_ = 0;   // in a game without an evaluation: the value of such a leaf
    int uncut_ply_ = 0; // the table may not answer for this node: its best move is wanted
};

} // namespace zug::search
