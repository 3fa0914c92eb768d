#pragma once
// Monte-Carlo tree search for every game: any number of players, chance, turns of several steps, rules about the past,
// play without end. UCT with proofs, on a graph of positions (selection.hpp, proof_backup.hpp, tree.hpp, worker.hpp).
//
// Values are utilities on the rule file's scale, and each player maximises their own. A result is exact if it is proven
// to the end of the game; then the move played is one of those that were proven best, the quickest where the player
// gains. Else it is the move that was tried most often, unless a proven one is better.
//
// Playouts walk into traps, lines of a few forced plies among many that are harmless; so the choice may be checked by
// alpha-beta (choice_check.cpp).
//
// Nodes: positions visited, in the tree and in playouts. The node limit is never exceeded; several threads have equal
// shares of it. With one thread and no limit of time, equal searches give equal results. Of the limits, `depth` and
// `trace` are ignored. The stop flag is answered within a few hundred plies, or some milliseconds if that is less.
//
// Memory: options.memory, all told. When the tree is full its leaves stay leaves; the next search first drops what can
// no longer be reached.

#include "search/core/algorithm.hpp"
#include "search/monte_carlo/worker.hpp"

#include <memory>
#include <vector>

namespace zug::search {

class MonteCarlo final : public Algorithm {
public:
    // The game must outlive it. `checker`: a search that proves, which checks its choice; none: nothing does.
    MonteCarlo(game::Game& game, const Options& options, std::unique_ptr<Algorithm> checker = nullptr);
    ~MonteCarlo() override;

    // Searches until a limit is reached or the value is proven; at least one limit must be given, or the game small.
    Result run(const game::State& root, const Limits& limits) override;
    // Back to the state of a new searcher.
    void forget() override;

    // Of the last search, and how it was run.
    const MonteCarloCounts& counts() const { return counts_; }
    const MonteCarloPlan& plan() const { return plan_; }

private:
    void prepare(const game::State& root);
    bool moves_stay(const game::State& root);
    bool over(const game::State& root, Result& result);
    void take_any(const game::State& root, Result& result);
    NodeId find_root(const game::State& root);
    void add_workers();
    void search(NodeId root, const Limits& limits, Result& result);
    void describe(NodeId root, Result& result);
    const Edge* best_edge(NodeId id);
    bool checks(const Limits& limits) const;
    void search_and_check(const game::State& root, NodeId at, const Limits& limits, Result& result);
    void check_choice(const game::State& root, NodeId at, const Limits& limits, const Limits& look, Result& result);
    // What a search finds of the position after a move.
    Result look_after(const game::State& root, std::uint64_t move, const Limits& limits);
    void note_proof(NodeId at, NodeId child, const Result& proof);

    game::Game& game_;
    const MonteCarloOptions options_;
    const std::uint32_t threads_;
    const std::size_t memory_;
    const Utilities utilities_;
    MonteCarloPlan plan_;
    bool planned_ = false;
    const std::unique_ptr<Algorithm> checker_;
    std::unique_ptr<Tree> tree_;
    std::vector<game::Game> clones_; // for all workers but the first
    std::vector<std::unique_ptr<Worker>> workers_;
    MonteCarloCounts counts_;
};

} // namespace zug::search
