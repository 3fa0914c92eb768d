#pragma once
// Memory, in bytes, as Linux counts it in /proc.

#include <cstdint>

namespace zug::cli {

// Of this process at its peak, since it began or since the last call of forget_peak_memory(). What it has now:
// solve::resident_memory().
std::uint64_t peak_memory();
void forget_peak_memory();
// That could be had without others losing theirs: of the machine, and of the group of processes that a limit is set for
// (cgroup v2). UINT64_MAX: nobody knows.
std::uint64_t free_memory();

// From now on what is freed in pieces of a megabyte or more is given back to the system at once.
void give_back_what_is_freed();

} // namespace zug::cli
