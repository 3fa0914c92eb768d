#pragma once
// A worker pool. Threads are started for each piece of work, which takes some 50 microseconds: shorter pieces are
// better done by the caller alone.

#include "base/run_in_threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace zug::solve {

class WorkerPool {
public:
    // At least one.
    explicit WorkerPool(std::size_t count) : count_(std::max<std::size_t>(count, 1)) {}
    std::size_t size() const { return count_; }

    // Calls work(thread) on every thread, or on the first `most`, and waits for all (base/run_in_threads.hpp). Thread 0
    // is the caller.
    template <class Work>
    void run(Work&& work, std::size_t most = SIZE_MAX) {
        run_in_threads(std::min(count_, most), work);
    }
    // Calls work(thread, i) for every i below `count`, on all threads or the first `most`; each thread gets its values
    // of i in ascending order.
    template <class Work>
    void share(std::size_t count, Work&& work, std::size_t most = SIZE_MAX) {
        std::atomic<std::size_t> next = 0;
        run(
            [&](std::size_t thread) {
                for (std::size_t i = next++; i < count; i = next++) work(thread, i);
            },
            std::min(count, most));
    }

private:
    std::size_t count_;
};

} // namespace zug::solve
