#pragma once
// Counts nodes and says when to stop: time, node limit, stop flag, or a failure. The clock and the flag are looked at
// every 256 nodes, or more often in games whose nodes take long, so visit() costs one increment and one compare.

#include "search/core/limits.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace zug::search {

class Budget {
public:
    // `tick` is called about twice a second while the search runs.
    void start(const Limits& limits, std::function<void()> tick);
    // Call before searching a node. False: the search is over, do not search it.
    bool visit() {
        if (!goes_on()) return false;
        ++nodes_;
        return true;
    }
    // Whether another node may be searched; if so, free() is at least 1.
    bool goes_on() { return nodes_ < next_check_ || check(); }
    // The same, but looks at the clock and the flag at once: for work between nodes that takes long.
    bool look() { return check(); }
    // How many nodes pass() may count at once before the next visit().
    std::uint64_t free() const { return next_check_ > nodes_ ? next_check_ - nodes_ : 0; }
    void pass(std::uint64_t nodes) { nodes_ += nodes; }
    // Counts positions that were made but are no nodes; they count as work where searches take turns.
    void made(std::uint64_t positions) { made_ += positions; }
    void fail(std::string text);
    // Leaves only so much of the limits of time and nodes to what comes next; release() gives back the rest.
    void hold_back(double share);
    void release(const Limits& limits);
    // Forgets a failure, where what failed was only an attempt.
    void forgive();

    bool stopped() const { return stopped_; }
    const std::string& failure() const { return failure_; }
    std::uint64_t nodes() const { return nodes_; }
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;
    bool check();
    void take_turn();

    std::uint64_t nodes_ = 0, next_check_ = 0, node_limit_ = 0;
    std::uint64_t made_ = 0, told_ = 0, next_turn_ = 0; // told_: the work that turn_ has been called with
    std::uint64_t interval_ = 1;                        // between checks
    double second_limit_ = 0, next_tick_ = 0, last_check_ = 0;
    const std::atomic<bool>*stop_ = nullptr, *done_ = nullptr;
    Clock::time_point begin_;
    bool stopped_ = false;
    std::string failure_;
    std::function<void()> tick_;
    std::function<void(std::uint64_t)> turn_;
};

} // namespace zug::search
