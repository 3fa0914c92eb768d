#pragma once
// Lets two threads take turns on one processor: one works while the other waits, in slices of equal work that grow over
// time, so that little is lost if one of them has a short task. Slices are counted in work, not in time, so they are
// the same in every run.

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace zug::search {

class Turns {
public:
    // Slices, in positions; the greatest takes some tenths of a second.
    static constexpr std::uint64_t first_share = 1 << 12, greatest_share = 1 << 18;

    // Called by thread 0 or 1: before its work, after each piece of it, and at its end.
    void begin(std::size_t thread) {
        std::unique_lock lock(mutex_);
        wait(lock, thread);
    }
    void worked(std::size_t thread, std::uint64_t work) {
        done_[thread] += work;
        if (done_[thread] < share_[thread]) return;
        done_[thread] = 0;
        share_[thread] = std::min(share_[thread] * 2, greatest_share);
        std::unique_lock lock(mutex_);
        pass_on(thread);
        wait(lock, thread);
    }
    void end(std::size_t thread) {
        const std::scoped_lock lock(mutex_);
        gone_[thread] = true;
        pass_on(thread);
    }
    // Releases both threads for good.
    void stop() {
        const std::scoped_lock lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

private:
    void pass_on(std::size_t thread) {
        if (gone_[1 - thread]) return;
        next_ = 1 - thread;
        changed_.notify_all();
    }
    void wait(std::unique_lock<std::mutex>& lock, std::size_t thread) {
        changed_.wait(lock, [&] { return stopped_ || next_ == thread; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;
    std::array<bool, 2> gone_{};
    std::array<std::uint64_t, 2> done_{}, share_{first_share, first_share};
    bool stopped_ = false;
};

} // namespace zug::search
