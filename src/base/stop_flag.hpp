#pragma once
// Flags by which a caller ends long work early.

#include <atomic>

namespace zug {

// Whether there is a flag, and it is set.
inline bool is_set(const std::atomic<bool>* flag) { return flag != nullptr && flag->load(std::memory_order_relaxed); }

} // namespace zug
