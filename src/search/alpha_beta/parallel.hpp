#pragma once
// Alpha-beta or expectimax, selective or not, on several threads: each searches the root by itself, and all share one
// transposition table, through which each takes over what the others have found. A move that another thread is
// searching is deferred, so that they go through the moves of a node together ("simplified ABDADA": Kerrigan, 2017;
// after Weill, "The ABDADA distributed minimax-search algorithm", 1996). The first to be done ends the search.
//
// The value is that of the search on one thread. The number of nodes, and which of several best moves is found,
// depend on timing.

#include "game/search_form.hpp"
#include "search/alpha_beta/alpha_beta.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace zug::search {

class Selective;

class ParallelAlphaBeta final : public Algorithm {
public:
    // options.threads threads; the calling thread works on `game` itself, the others on clones. Without a table they
    // would have nothing to share: then there is one.
    ParallelAlphaBeta(game::Game& game, Method method, const Options& options);

    // A trace and turns (Limits::turn) are for one thread: with either, one thread works alone.
    Result run(const game::State& root, const Limits& limits) override;
    void forget() override;

private:
    void add_worker(game::Game& game, Method method, const Options& options);

    std::deque<game::Game> clones_;
    std::deque<game::SearchForm> forms_; // one a worker, if the search is selective
    std::shared_ptr<Table> table_;       // null: none
    MovesUnderWay under_way_;
    std::vector<std::unique_ptr<AlphaBeta>> workers_;
    std::vector<Selective*> selective_; // those of them that look for repetitions
};

} // namespace zug::search
