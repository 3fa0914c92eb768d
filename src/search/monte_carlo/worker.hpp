#pragma once
// One thread of a Monte-Carlo search. An iteration goes down the tree by Selection, adds a node where it leaves it,
// plays on from there by Rollout, and adds the result to all nodes on its way (backup).
//
// Several workers share a tree (G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree search", 2008).
// While one is below a move, that move counts as visited and lost, so that the others spread out (virtual loss).

#include "search/monte_carlo/move_times.hpp"
#include "search/monte_carlo/proof_backup.hpp"
#include "search/monte_carlo/rollout.hpp"
#include "search/monte_carlo/selection.hpp"
#include "search/monte_carlo/tree.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace zug::search {

// How a search of this game is run: the options, with those that are left to the game decided.
struct MonteCarloPlan {
    MonteCarloOptions options;
    std::uint32_t cutoff = 0;
    bool rave = false;
    double implicit = 0;
    bool shared_by_workers = false;
    bool shares() const { return rave || evaluates(); }
    bool evaluates() const { return implicit > 0 || options.prior > 0; }
};

// What workers count, for reports.
struct MonteCarloCounts {
    std::uint64_t iterations = 0;     // that reached a value
    std::uint64_t playouts = 0;       // the others ended at a proven node
    std::uint64_t plies = 0;          // of playouts
    std::uint64_t nodes = 0;          // added to the tree
    std::uint64_t expanded = 0;       // nodes whose moves were listed
    std::uint64_t proven = 0;         // nodes that were proven, ends included
    std::uint64_t transpositions = 0; // moves that led to a node that was there already
    std::uint64_t full = 0;           // iterations for whose leaf there was no room
    std::uint64_t deepest = 0;        // plies of the longest way down the tree
    void add(const MonteCarloCounts& other);
};

class Worker {
public:
    // The game and the tree must outlive it.
    Worker(game::Game& game, Tree& tree, const MonteCarloPlan& plan, std::uint64_t seed);

    // Iterates until a limit is reached, the root is proven, or `done` is set, as it does itself at the end. `tick`
    // is called about twice a second.
    void search(NodeId root, const Limits& limits, std::atomic<bool>& done, std::function<void()> tick);
    const Budget& budget() const { return budget_; }
    const MonteCarloCounts& counts() const { return counts_; }

    // The node of a state that is no one's child. none: the tree is full, or a rule failed.
    NodeId add_root(const game::State& state, std::uint64_t key);
    std::uint64_t key_of(const game::State& state);

private:
    struct Step {
        NodeId node = no_node;
        Edge* edge = nullptr; // followed from there
        double loss = 0;      // that others see meanwhile
    };
    enum class Descent : std::uint8_t { Known, Play, Stopped };

    bool iterate(NodeId root);
    Descent descend(NodeId root);
    Descent leaf(NodeId id);
    Descent known(NodeId id);
    Descent all_closed(NodeId id);
    void clamp(NodeId id);
    bool enter(NodeId id);
    bool on_path(NodeId id) const;
    void follow(Edge& edge, std::uint32_t mover);
    bool play_out();
    void abandon();

    NodeId make_child(NodeId id, Edge& edge, bool& fresh);
    NodeId sample_child(NodeId id, bool& fresh);
    NodeId add_node(std::uint64_t key, int ply, bool& fresh);
    std::uint64_t child_key(std::uint64_t parent, std::uint64_t edge, std::uint64_t hash) const;
    bool expand(NodeId id);
    bool fill_edges(NodeId id);
    bool end_children(NodeId id);
    bool evaluate_children(NodeId id);
    NodeId fail();

    void back_up();
    void back_up_edge(const Step& step, NodeId child);
    void back_up_shared(std::size_t k);
    void back_up_evaluations();
    double best_evaluation(NodeId id);
    void average(NodeId id);
    void share();
    double mean(NodeId id, std::uint32_t player);
    void observe();
    double spread(std::uint32_t player) const;

    game::Game& game_;
    Tree& tree_;
    const MonteCarloPlan& plan_;
    const Utilities utilities_;
    Selection selection_;
    Rollout rollout_;
    game::Line line_;
    Random random_;
    Budget budget_;
    MonteCarloCounts counts_;

    std::vector<Step> path_;
    game::State state_;     // from which the playout begins
    bool full_ = false;     // there was no room in the tree
    bool dangling_ = false; // that state is below the last step, and has no node
    PlayerValues result_{}; // of the iteration, by player
    std::vector<game::PlayedMove> played_;
    MoveTimes times_;
    // Of all results, by player: mean and squared deviations (Welford).
    std::uint64_t seen_ = 0;
    PlayerValues means_{}, squares_{};
    bool narrow_;
};

} // namespace zug::search
