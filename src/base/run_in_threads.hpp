#pragma once
// Work for several threads, which gets done even if the system has fewer of them left.

#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace zug {

// Calls work(i) for every i below `count`, and waits for all: the first in this thread, each other in one of its own.
// If the system gives no further thread, the calls for the rest follow in this one. So no call may wait for another.
// What a call throws, as when memory runs out, is thrown here after all have ended: the first that was caught.
template <class Work>
void run_in_threads(std::size_t count, const Work& work) {
    std::mutex catching;
    std::exception_ptr caught;
    const auto call = [&](std::size_t i) noexcept {
        try {
            work(i);
        } catch (...) {
            const std::scoped_lock lock(catching);
            if (!caught) caught = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        std::size_t rest = count; // from here on they have no thread
        try {
            for (std::size_t i = 1; i < count; ++i) others.emplace_back([&call, i] { call(i); });
        } catch (const std::system_error&) { // too many threads
            rest = others.size() + 1;
        }
        if (count > 0) call(0);
        for (std::size_t i = rest; i < count; ++i) call(i);
    }
    if (caught) std::rethrow_exception(caught);
}

} // namespace zug
