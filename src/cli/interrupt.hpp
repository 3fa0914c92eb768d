#pragma once
// Ctrl-C asks the work under way to stop; what was found is still printed. A second Ctrl-C ends the program at once.

#include <atomic>

namespace zug::cli {

void watch_interrupts();
// Set by Ctrl-C. Searches and matches look at it while they run.
std::atomic<bool>& interrupted();

} // namespace zug::cli
