#pragma once
// Numbers that threads share without locks. Nothing is ordered by them, and additions are a load and a store: of two at
// the same moment one may be lost, which for statistics is cheaper than to prevent it (Enzenberger and Mueller, "A
// lock-free multithreaded Monte-Carlo tree search algorithm", 2009). What orders memory says so by its name.

#include <atomic>

namespace zug::search {

template <class T>
T load(const T& number) {
    return std::atomic_ref<T>(const_cast<T&>(number)).load(std::memory_order_relaxed);
}
template <class T>
void store(T& number, T value) {
    std::atomic_ref<T>(number).store(value, std::memory_order_relaxed);
}
template <class T>
void add(T& number, T value) {
    store(number, static_cast<T>(load(number) + value));
}

// What was written before publish() is seen after acquire() has seen its value.
template <class T>
void publish(T& number, T value) {
    std::atomic_ref<T>(number).store(value, std::memory_order_release);
}
template <class T>
T acquire(const T& number) {
    return std::atomic_ref<T>(const_cast<T&>(number)).load(std::memory_order_acquire);
}
// Changes a number from one value to another. False: it has another already.
template <class T>
bool claim(T& number, T from, T to) {
    return std::atomic_ref<T>(number).compare_exchange_strong(from, to, std::memory_order_acq_rel);
}

// Never lowers, or never raises, a bound. True: it has changed.
inline bool raise_to(double& bound, double value) {
    std::atomic_ref<double> shared(bound);
    double old = shared.load(std::memory_order_relaxed);
    while (old < value)
        if (shared.compare_exchange_weak(old, value, std::memory_order_acq_rel)) return true;
    return false;
}
inline bool lower_to(double& bound, double value) {
    std::atomic_ref<double> shared(bound);
    double old = shared.load(std::memory_order_relaxed);
    while (old > value)
        if (shared.compare_exchange_weak(old, value, std::memory_order_acq_rel)) return true;
    return false;
}

} // namespace zug::search
