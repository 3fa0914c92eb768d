#include "protocols/session/worker.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <utility>

namespace zug::protocols {

namespace {

tl::expected<std::jthread, Error> new_thread(std::function<void(const std::stop_token&)> body) {
    try {
        return std::jthread([body = std::move(body)](const std::stop_token& token) { body(token); });
    } catch (const std::system_error&) {
        return failure("the system has no thread left");
    }
}

} // namespace

tl::expected<void, Error> Worker::start(Work work) {
    wait();
    stop_ = false;
    busy_ = true;
    auto thread = new_thread([this, work = std::move(work)](const std::stop_token&) {
        const std::function<void()> last = work(stop_);
        busy_ = false;
        last();
    });
    if (!thread) {
        busy_ = false;
        return tl::unexpected(thread.error());
    }
    thread_ = std::move(*thread);
    return {};
}

tl::expected<void, Error> Worker::ask_to_stop_in(double seconds) {
    return set_alarm(seconds, [] { return true; });
}

tl::expected<void, Error> Worker::ask_to_stop_when(std::function<bool()> due) {
    constexpr double often = 0.25; // seconds
    return set_alarm(often, std::move(due));
}

// Every so many seconds.
tl::expected<void, Error> Worker::set_alarm(double seconds, std::function<bool()> due) {
    auto alarm = new_thread([this, seconds, due = std::move(due)](const std::stop_token& token) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        while (!token.stop_requested() && !stop_) {
            never.wait_for(lock, token, std::chrono::duration<double>(seconds), [] { return false; });
            if (!token.stop_requested() && due()) stop_ = true;
        }
    });
    if (!alarm) return tl::unexpected(alarm.error());
    alarm_ = std::move(*alarm);
    return {};
}

void Worker::stop() {
    ask_to_stop();
    wait();
}

// The alarm goes first: it must not stop the work that comes next.
void Worker::wait() {
    if (thread_.joinable()) thread_.join();
    alarm_ = {};
}

} // namespace zug::protocols
