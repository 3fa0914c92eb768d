#pragma once
// What the best-first searches share: a tree of positions, grown leaf by leaf from the root, whose leaves are valued by
// probes (leaf_probe.hpp) and whose values are backed up by minimax. A method says which leaf is expanded next, and
// when there is nothing more to gain.
//
// Games: two sides, zero sum, no chance. The tree is played by the game's own rules, the past included; probes play
// its search form. Ends of the game are exact, and what follows from them is proven: a proof is a finite tree that
// reaches ends whatever the other side does, so it holds however endless play is valued. All else is an estimate.
//
// Nodes: positions in the tree, in probes and in playouts. The node limit is never exceeded. With no limit of time,
// equal searches of a new searcher give equal results. `depth` limits the plies of the tree, to which those of the
// probes are added; `trace` is ignored. Memory: options.memory; when the tree is full the search ends with what it has.
// Cost of an expansion: the moves from the root to the leaf, and a probe for each move of the leaf.

#include "search/best_first/best_first_tree.hpp"
#include "search/best_first/change_model.hpp"
#include "search/best_first/leaf_probe.hpp"
#include "search/core/algorithm.hpp"

#include <optional>
#include <vector>

namespace zug::search {

class BestFirst : public Algorithm {
public:
    // The game must outlive it.
    BestFirst(game::Game& game, Method method, const Options& options);

    Result run(const game::State& root, const Limits& limits) final;
    void forget() override;

protected:
    using Tree = BestFirstTree;
    using Node = BestFirstTree::Node;

    virtual void begin_search() = 0;
    // Expands leaves until expand() says no, or there is nothing more to gain. The root has been expanded.
    virtual void grow() = 0;
    // Sets the estimated bounds of a new leaf. It is at `state`, and has all its other values.
    virtual void estimate_bounds(Node& leaf, const game::State& state) = 0;
    virtual void count(std::vector<Count>&) const {}

    // Values all moves of a leaf, learns from them, and backs them up. False: a limit, a full tree or a fault ended the
    // search before that; then the leaf is still a leaf, unless it is the root, which keeps the moves looked at.
    bool expand(Tree::Id leaf);
    // How far the expansion of a leaf is expected to change its value.
    double deviation_of(const Node& leaf) const { return changes_.of(leaf.kind).deviation; }
    // A probe's value of the leaf with what expansion changes on the average, for a player to move whose view this is.
    double corrected(double value, const Node& leaf, double view) const;
    double range() const { return highest_ - lowest_; }

    const Options options_;
    Tree tree_;
    LeafProbe& probe() { return probe_; }

private:
    bool begin(const game::State& root, Result& result);
    // Puts the leaf's position on the line and lists its moves; its ply, or none: a fault.
    std::optional<int> list_moves(Tree::Id leaf);
    // `best`: the value of the best move before this one, in the view of the player to move.
    bool make_child(int ply, const Ranked& move, double best, Node& child);
    bool value_end(Node& child, int ply);
    void learn_from(const Node& node);
    void describe(Result& result) const;
    void report(const Limits& limits);
    void fail();
    // Who is to move: 0 is the first player's side.
    std::uint8_t side(int ply) const { return static_cast<std::uint8_t>(~(first_side_ >> line_.mover(ply)) & 1); }

    game::Game& game_;
    const Method method_;
    const std::uint32_t first_side_; // one bit for each player on it
    const double lowest_, highest_;  // utility
    game::SearchForm form_;
    LeafProbe probe_;
    game::Line line_;
    ChangeModel changes_;
    Frame order_; // of the moves of the leaf that is being expanded
    std::vector<std::uint64_t> path_;
    int depth_limit_ = 0;
    int deepest_ = 0;
    bool partial_ = false; // not all moves of the root were looked at
    bool full_ = false;    // there is no room for another leaf
};

} // namespace zug::search
