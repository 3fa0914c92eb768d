#pragma once
// The first error that any of several threads meets. Later ones mostly follow from it, and are dropped.

#include "base/error.hpp"

#include <atomic>
#include <mutex>

namespace zug {

// All functions may be called by any number of threads. any() is one atomic load.
class FirstError {
public:
    void note(std::string text) {
        const std::scoped_lock lock(mutex_);
        if (any_) return;
        text_ = std::move(text);
        any_ = true;
    }
    bool any() const { return any_; }
    std::string text() const {
        const std::scoped_lock lock(mutex_);
        return text_;
    }
    // The error as a result, or success while there is none.
    tl::expected<void, Error> check() const {
        if (any_) return failure(text());
        return {};
    }

private:
    std::atomic<bool> any_ = false;
    mutable std::mutex mutex_;
    std::string text_;
};

} // namespace zug
