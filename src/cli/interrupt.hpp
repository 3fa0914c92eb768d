#pragma once
// Ctrl-C asks the current work to stop; the results so far are printed. A second Ctrl-C ends the program at once.

#include <atomic>

namespace zug::cli {

void watch_interrupts();
// Set by Ctrl-C. Searches and matches poll it while they run.
std::atomic<bool>& interrupted();

} // namespace zug::cli
