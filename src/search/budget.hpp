#pragma once
// Counts nodes and says when to stop: time, node limit, stop flag, or a failure. The clock and the flag are looked at
// every check_interval nodes, so visit() costs one increment and one compare.

#include "search/search.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace zug::search {

class Budget {
public:
    static constexpr std::uint64_t check_interval = 64;

    // `tick` is called about twice a second while the search runs.
    void start(const Limits& limits, std::function<void()> tick);
    // To be called before a node is searched. False: don't, the search is over.
    bool visit() {
        if (nodes_ >= next_check_ && !check()) return false;
        ++nodes_;
        return true;
    }
    void fail(std::string text);

    bool stopped() const { return stopped_; }
    const std::string& failure() const { return failure_; }
    std::uint64_t nodes() const { return nodes_; }
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;
    bool check();

    std::uint64_t nodes_ = 0, next_check_ = 0, node_limit_ = 0;
    double second_limit_ = 0, next_tick_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
    Clock::time_point begin_;
    bool stopped_ = false;
    std::string failure_;
    std::function<void()> tick_;
};

} // namespace zug::search
