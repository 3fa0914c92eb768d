#pragma once
// The threads of a solution: each has a game of its own and walks from keys to keys with it.

#include "solve/walker.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace zug::solve {

class Crew {
public:
    // The first of them uses `game` itself.
    Crew(game::Game& game, const PositionCode& code, std::uint32_t threads) {
        games_.reserve(threads);
        walkers_.push_back(std::make_unique<Walker>(game, code));
        for (std::uint32_t i = 1; i < threads; ++i) {
            games_.push_back(game.clone());
            walkers_.push_back(std::make_unique<Walker>(games_.back(), code));
        }
    }

    std::size_t size() const { return walkers_.size(); }
    Walker& walker(std::size_t thread) { return *walkers_[thread]; }

    // Calls work(thread) on every thread and waits for all.
    template <class Work>
    void run(Work&& work) {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < size(); ++i) others.emplace_back([&work, i] { work(i); });
        work(std::size_t{0});
    }
    // Calls work(thread, i) for every i below `count`, each on some thread.
    template <class Work>
    void share(std::size_t count, Work&& work) {
        std::atomic<std::size_t> next = 0;
        run([&](std::size_t thread) {
            for (std::size_t i = next++; i < count; i = next++) work(thread, i);
        });
    }

private:
    std::vector<game::Game> games_;
    std::vector<std::unique_ptr<Walker>> walkers_;
};

} // namespace zug::solve
