#pragma once
// A worker pool in which each thread has a game and a walker of its own.

#include "solve/parallel/walker.hpp"
#include "solve/parallel/worker_pool.hpp"

#include <memory>
#include <vector>

namespace zug::solve {

class WalkerPool : public WorkerPool {
public:
    // The first thread uses `game` itself.
    WalkerPool(game::Game& game, const PositionCode& code, std::uint32_t threads) : WorkerPool(threads) {
        games_.reserve(threads);
        walkers_.push_back(std::make_unique<Walker>(game, code));
        for (std::uint32_t i = 1; i < threads; ++i) {
            games_.push_back(game.clone());
            walkers_.push_back(std::make_unique<Walker>(games_.back(), code));
        }
    }

    Walker& walker(std::size_t thread) { return *walkers_[thread]; }

private:
    std::vector<game::Game> games_;
    std::vector<std::unique_ptr<Walker>> walkers_;
};

} // namespace zug::solve
