#pragma once
// Memory, in bytes, as Linux counts it in /proc.

#include <cstdint>

namespace zug {

// The peak memory of this process since its start or the last call of reset_peak_memory(). For the present amount see
// solve::resident_memory().
std::uint64_t peak_memory();
void reset_peak_memory();
// The memory that can be allocated without swapping, within the limits of the machine and of the control group
// (cgroup v2). UINT64_MAX: unknown.
std::uint64_t free_memory();

// Makes the allocator return freed blocks of a megabyte or more to the system at once.
void return_freed_memory();

} // namespace zug
