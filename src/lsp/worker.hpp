#pragma once
// Work that runs beside the answers, one piece at a time.

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace zug::lsp {

class Worker {
public:
    Worker() = default;
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Starts a piece of work, once the one before has been told to stop and has ended. `what` names it for stop().
    void start(std::string what, std::function<void(const std::atomic<bool>& stop)> work) {
        stop();
        what_ = std::move(what);
        stop_ = false;
        thread_ = std::thread([this, run = std::move(work)] { run(stop_); });
    }
    // Tells the work to stop and waits for its end.
    void stop() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }
    const std::string& what() const { return what_; }
    void wait() {
        if (thread_.joinable()) thread_.join();
    }

private:
    std::string what_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

} // namespace zug::lsp
