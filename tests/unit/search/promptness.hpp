#pragma once
// Whether a search ends when it is told to.

#include "games.hpp"
#include "search/core/limits.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

namespace zug::test {

// `search` searches the game's first position within the limits. It is given a time first, then a flag that is set
// meanwhile; a position takes 100 microseconds, so few may be looked at afterwards.
inline void check_promptness(const std::function<void(game::Game&, const search::Limits&)>& search) {
    using Clock = std::chrono::steady_clock;
    using std::chrono::milliseconds;
    constexpr std::uint64_t most_late = 300;
    Clock::time_point end;
    std::uint64_t late = 0;
    game::Game game(std::make_unique<Endless>(1000003, [&] {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        late += Clock::now() > end ? 1 : 0;
    }));
    const auto run = [&](milliseconds time, const search::Limits& limits) {
        late = 0;
        end = Clock::now() + time;
        search(game, limits);
        CHECK(late < most_late);
    };
    search::Limits timed;
    timed.seconds = 0.05;
    run(milliseconds(50), timed);
    std::atomic<bool> stop{false};
    search::Limits stopped;
    stopped.stop = &stop;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(milliseconds(30));
        stop = true;
    });
    run(milliseconds(30), stopped);
}

} // namespace zug::test
