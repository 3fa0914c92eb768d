#include "search/core/budget.hpp"

#include "base/stop_flag.hpp"

#include <algorithm>
#include <utility>

namespace zug::search {

namespace {
constexpr double tick_seconds = 0.5;
constexpr std::uint64_t longest_interval = 256; // nodes
constexpr double patience = 0.002;              // seconds between checks
constexpr std::uint64_t turn_nodes = 256;       // at least, between turns
} // namespace

void Budget::start(const Limits& limits, std::function<void()> tick) {
    nodes_ = next_check_ = 0;
    made_ = told_ = 0;
    next_turn_ = turn_nodes;
    node_limit_ = limits.nodes;
    second_limit_ = limits.seconds;
    next_tick_ = tick_seconds;
    last_check_ = 0;
    interval_ = 1;
    stop_ = limits.stop;
    done_ = limits.done;
    begin_ = Clock::now();
    stopped_ = false;
    failure_.clear();
    tick_ = std::move(tick);
    turn_ = limits.turn;
}

void Budget::fail(std::string text) {
    // The first failure is the cause of those that follow it.
    if (failure_.empty()) failure_ = std::move(text);
    stopped_ = true;
    next_check_ = 0;
}

void Budget::hold_back(double share) {
    if (node_limit_ != 0)
        node_limit_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * static_cast<double>(node_limit_)));
    second_limit_ *= share;
}

void Budget::release(const Limits& limits) {
    node_limit_ = limits.nodes;
    second_limit_ = limits.seconds;
    stopped_ = !failure_.empty();
    next_check_ = 0;
}

void Budget::forgive() {
    if (failure_.empty()) return;
    failure_.clear();
    stopped_ = false;
}

double Budget::seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

bool Budget::check() {
    if (stopped_) return false;
    if (turn_ && nodes_ >= next_turn_) take_turn();
    const double now = seconds();
    const bool out_of_nodes = node_limit_ != 0 && nodes_ >= node_limit_;
    const bool out_of_time = second_limit_ > 0 && now >= second_limit_;
    const bool asked = is_set(stop_) || is_set(done_);
    if (out_of_nodes || out_of_time || asked) {
        stopped_ = true;
        next_check_ = 0;
        return false;
    }
    if (now >= next_tick_) {
        next_tick_ = now + tick_seconds;
        if (tick_) tick_();
    }
    interval_ = now - last_check_ > patience ? std::max<std::uint64_t>(1, interval_ / 2)
                                             : std::min(longest_interval, interval_ * 2);
    last_check_ = now;
    next_check_ = nodes_ + interval_;
    if (node_limit_ != 0) next_check_ = std::min(next_check_, node_limit_);
    if (turn_) next_check_ = std::min(next_check_, next_turn_);
    return true;
}

// Others may have had their turn meanwhile: that time says nothing about how long nodes take.
void Budget::take_turn() {
    const std::uint64_t work = nodes_ + made_;
    turn_(work - std::exchange(told_, work));
    next_turn_ = nodes_ + turn_nodes;
    last_check_ = seconds();
}

} // namespace zug::search
