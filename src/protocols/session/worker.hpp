#pragma once
// One thread beside the one that reads commands, for work that takes long and can be stopped.

#include "base/error.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <functional>
#include <thread>

namespace zug::protocols {

class Worker {
public:
    // Soon returns after `stop` is set. What it refers to must outlive the worker, or stop() comes first. What it
    // returns is called last, when the worker is no longer busy: whoever is told there of the end may give it more.
    using Work = std::function<std::function<void()>(const std::atomic<bool>& stop)>;

    Worker() = default;
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    bool busy() const { return busy_; }
    bool is_stopping() const { return stop_; } // has been asked to stop, since the work began
    // Begins, once the work before it has ended. An error: the system has no thread left.
    tl::expected<void, Error> start(Work work);
    // Asks the work to stop, and returns at once.
    void ask_to_stop() { stop_ = true; }
    // Asks it to stop in so many seconds, unless it has ended by then.
    tl::expected<void, Error> ask_to_stop_in(double seconds);
    // The same once `due()` holds, which is asked several times a second, by another thread.
    tl::expected<void, Error> ask_to_stop_when(std::function<bool()> due);
    // Asks it to stop, and waits for that.
    void stop();
    // Waits for the end of the work.
    void wait();

private:
    tl::expected<void, Error> set_alarm(double seconds, std::function<bool()> due);

    std::atomic<bool> stop_ = false, busy_ = false;
    std::jthread thread_, alarm_;
};

} // namespace zug::protocols
