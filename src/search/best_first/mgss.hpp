#pragma once
// MGSS* (S. Russell, E. Wefald, "On optimal game-tree search using rational meta-reasoning", 1989; "Principles of
// metareasoning", 1991): the leaf is expanded whose expansion is expected to improve the choice of a move most, and the
// search ends when no expansion is worth its cost.
//
// The value of a leaf after its expansion is taken for normally distributed about its value now, with the deviation
// that expansions of such leaves have had so far (change_model.hpp). All other leaves are taken to stay as they are
// (the single-step assumption). Then the value of a move of the root is a function of the leaf's, min(max(x, low),
// high), where low and high follow from the siblings on the way; and the benefit is the expected gain
//
//   of a leaf below the best move a:    E[max(0, V(second best) - V(a))], for then the other is made
//   of a leaf below another move b:     E[max(0, V(b) - V(best))]
//
// which the normal integral gives in closed form. Leaves that can't change the choice, since low and high leave no room
// for it, are not looked at: what alpha-beta prunes is a part of them.
//
// The single-step assumption sees no gain where two leaves must change together, for instance two replies of equal
// value. Where it finds nothing that is worth its cost, siblings are therefore supposed to give way, by one deviation,
// then by two, four and eight, before the search ends.
//
// The cost of an expansion is the nodes that expansions have taken so far, times `cost`. Where that is 0 the search
// goes on with the end of the best line (best-first minimax search: R. Korf, M. Chickering, 1996) up to a proof.
//
// Each look at the tree finds a number of leaves that grows with the tree, so that the looks take less time than the
// probes do.

#include "search/best_first/best_first.hpp"

#include <vector>

namespace zug::search {

class Mgss final : public BestFirst {
public:
    Mgss(game::Game& game, const Options& options) : BestFirst(game, Method::Mgss, options) {}

protected:
    void begin_search() override;
    void grow() override;
    void estimate_bounds(Node& leaf, const game::State& state) override;
    void count(std::vector<Count>& counts) const override;

private:
    struct Candidate {
        double benefit = 0; // in utility
        Tree::Id leaf = Tree::root;
    };
    // How the value of a move of the root, in the view of the player who makes it, follows from that of a node below.
    struct Clamp {
        double low, high;
        double threshold; // the value at which the choice changes
        bool best;        // the move is the best now
    };

    // Finds the leaves that are best to expand, the best first. False: none is worth its cost.
    bool find_worthwhile(std::size_t most, double cost);
    void find_candidates();
    Tree::Id end_of_best_line() const;
    void look_below(const Node& node, const Clamp& clamp);
    double benefit(const Node& leaf, const Clamp& clamp) const;
    // What the others of the children leave to the one that is the best, and to those that are not.
    struct Siblings {
        const Node* best = nullptr;
        double of_best = 0, of_others = 0; // in the view of the root's mover
    };
    Siblings siblings_of(const Node& node) const;
    void add(const Candidate& candidate);

    double view_ = 1; // of the root's mover
    std::size_t most_ = 1;
    double give_way_ = 0;               // deviations
    std::vector<Candidate> candidates_; // a heap with the least benefit in front
    std::uint64_t looks_ = 0;
    bool worthless_ = false; // ended since no expansion was worth its cost
};

} // namespace zug::search
