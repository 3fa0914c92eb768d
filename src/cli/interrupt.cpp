#include "cli/interrupt.hpp"

#include <csignal>

namespace zug::cli {

namespace {

std::atomic<bool> interrupt_flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void on_interrupt(int) { interrupt_flag = true; }

} // namespace

void watch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    // Without SA_RESTART, so that waiting for input ends too; with SA_RESETHAND, so that the second one kills.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
}

std::atomic<bool>& interrupted() { return interrupt_flag; }

} // namespace zug::cli
