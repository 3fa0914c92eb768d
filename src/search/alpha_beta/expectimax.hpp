#pragma once
// Expectimax (Michie, "Game-playing and game-learning automata", 1966): alpha-beta with chance nodes, whose value is
// the mean of their outcomes' values by probability. Two sides with zero sum, or one player who takes the greatest.
//
// Chance nodes are pruned by Star1 and Star2 (Ballard, "The *-minimax search procedure for trees containing chance
// nodes", 1983; Hauk, Buro and Schaeffer, "Rediscovering *-minimax search", 2004). Each outcome has bounds, at first
// the edges of the game's range of utilities; as soon as the means of the bounds show that the node's value lies
// outside the window, the node is done.
//
//   Star1   searches one outcome after the other, with the window outside of which it would decide the node.
//   Star2   probes before: of each outcome it searches a single move, or takes what the table knows. What the mover can
//           get there bounds the outcome from below; where most moves have a good reply, this refutes them at the cost
//           of one line for each outcome. The move is the table's, or the one after which the position is evaluated
//           best; where a look at all moves would cost as much as their search, the first of the order.
//
// Sampling: a node with more outcomes than Options::samples is taken for one with so many draws of them, by their
// probabilities, from a generator that the position seeds; so equal searches have equal values. Its value is an
// estimate (Result::sampling_error) and never proven. All else is as for the node with these outcomes (sparse
// sampling: Kearns, Mansour and Ng, "A sparse sampling algorithm for near-optimal planning", 2002; Lanctot et al.,
// "Monte Carlo *-minimax search", 2013).
//
// Invariant: a pruned search gives the value of a plain one, to the last bit. Rounding must not make them differ, so
// the comparisons leave a margin far above any rounding error, and outcomes are added up in order of id. The table
// keeps the bounds of chance nodes as it does those of others.

#include "search/alpha_beta/alpha_beta.hpp"

#include <deque>
#include <vector>

namespace zug::search {

class Expectimax : public AlphaBeta {
public:
    // Of the windows at the root only Full and Aspiration are for chance nodes: pruned there, they give no value beyond
    // the window's edge.
    Expectimax(game::Game& game, const Options& options, std::shared_ptr<Table> shared = nullptr,
               Method method = Method::Expectimax);

protected:
    bool deepens(const Limits& limits) const override { return Engine::deepens(limits); }
    void begin_search() override;
    void count(std::vector<Count>& counts) const override;
    double sampling_error() const override;
    Claim chance(int ply, int remaining, Window window) override;

private:
    // What is known of an outcome's value, in the view of the node's player to move.
    struct Outcome {
        std::uint32_t index; // in the list
        double probability;
        double low, high;
        Reason lower = 0, upper = 0; // of these bounds: the range of utilities holds for any depth

        bool decided() const { return low == high; }
    };
    struct ChanceNode {
        std::vector<Outcome> outcomes;       // in order of id
        std::vector<std::uint32_t> sequence; // in which they are searched: the likeliest first
        double low = 0, high = 0;            // the means of the bounds
        bool sampled = false;
        std::vector<std::uint32_t> draws; // of each entry of the list
    };

    ChanceNode& begin_chance(int ply);
    // Draws from the listed outcomes.
    void sample(int ply, std::vector<std::uint32_t>& draws);
    // Takes in what a search of the outcome has found.
    static void tighten(ChanceNode& node, Outcome& outcome, const Claim& claim);
    Window inner_window(const ChanceNode& node, const Outcome& outcome, Window window) const;
    std::optional<Claim> outside(const ChanceNode& node, Window window) const;
    // Each returns the node's claim if it has found one.
    std::optional<Claim> probe_outcomes(int ply, int remaining, Window window);
    std::optional<Claim> search_outcomes(int ply, int remaining, Window window);
    // Whether a bound from a probe of the child just made could end the node.
    bool probe_helps(int ply, Window window) const;
    Claim probe(int ply, int remaining, Window window, game::Next at);
    // The index of the move after which the position is evaluated best. Makes all moves; they are no nodes.
    std::size_t promising(int ply);
    Claim probe_moves(int ply, int remaining, Window window, std::optional<std::uint64_t> hint);

    double margin_;
    bool prunes_, probes_;
    std::vector<double> upto_;       // the probability of the outcomes up to each, for draws
    std::deque<ChanceNode> chances_; // by ply; references stay valid as it grows
    std::uint64_t probed_ = 0, probe_cutoffs_ = 0, chance_cutoffs_ = 0, sampled_ = 0;
};

} // namespace zug::search
