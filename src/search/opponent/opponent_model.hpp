#pragma once
// Search against an opponent who errs (P. Jansen, "Using knowledge about the opponent in game-tree search", 1992;
// J. Donkers, J. Uiterwijk, J. van den Herik, "Probabilistic opponent-model search", 2001). Where all moves lose
// against perfect play, it finds the one that sets the opponent the most problems.
//
// The model: at their nodes opponents make a move with a probability that falls with what it loses, by e for each
// `error` of the range of utilities; the loss is by minimax to the depth of the search. The player who is to move at
// the root takes what is worth most against that. The value is what they then expect; it is never less than minimax's.
//
// Or the opponent is a player who is named (Options::opponent; H. Iida et al., "Potential applications of
// opponent-model search", 1993; D. Carmel, S. Markovitch, "Learning models of opponent's strategy in game playing",
// 1993): then each of their nodes takes a search of that player's, and the root's player expects the move that it
// finds, or any, as often as the player moves at random.
//
// Games: two sides, zero sum; chance. Cost: b^depth nodes: the model needs the value of every move, so nothing is
// pruned; against a named player who makes no random moves b^(depth/2), and as many searches of theirs. Among moves of
// equal value the one of the least id.

#include "search/core/algorithm.hpp"
#include "search/core/engine.hpp"

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace zug::search {

class OpponentModel final : public Engine {
public:
    // `opponent`: the search of the player whom the options name; null: it is one who makes random moves, or none is
    // named.
    OpponentModel(game::Game& game, const Options& options, std::unique_ptr<Algorithm> opponent);
    void forget() override {}

protected:
    void begin_search() override;
    void count(std::vector<Count>& counts) const override;
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
    // The same where a named player is to move: the mean by the moves that they are expected to make.
    Values named(int ply, int remaining);
    // The number in the order of the move that they find; none: their search has failed.
    std::optional<std::size_t> expected_move(int ply);
    // Fills children_[ply] with the values after each move; false: the search is over.
    bool look(int ply, int remaining);
    bool is_own(int ply) const { return (own_side_ >> line_.mover(ply) & 1) != 0; }
    Values own(int ply);
    Values others(int ply);
    Values chance(int ply);
    Values in_view(double first_players) const { return {view_ * first_players, view_ * first_players}; }

    const std::unique_ptr<Algorithm> opponent_;
    std::unordered_map<std::uint64_t, std::uint64_t> found_moves_; // of the named player, by position
    std::uint64_t opponent_nodes_ = 0;
    const double error_;         // in utility
    double view_ = 1;            // -1: the second side is to move at the root
    std::uint32_t own_side_ = 0; // one bit for each player on the side that is to move at the root
    bool evaluated_ = false;     // some line of the pass ended at the depth limit
    std::deque<std::vector<Values>> children_;
};

} // namespace zug::search
