#include "base/process/memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace zug {

namespace {

// The number of kilobytes under this name in a file of /proc.
std::optional<std::uint64_t> bytes_of(const char* path, const std::string& name) {
    std::ifstream file(path);
    for (std::string word; file >> word;)
        if (std::uint64_t kilobytes = 0; word == name && file >> kilobytes) return kilobytes * 1024;
    return std::nullopt;
}

std::optional<std::uint64_t> number_in(const char* path) {
    std::ifstream file(path);
    if (std::uint64_t number = 0; file >> number) return number;
    return std::nullopt; // "max", or no such file
}

} // namespace

std::uint64_t peak_memory() { return bytes_of("/proc/self/status", "VmHWM:").value_or(0); }
void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

void return_freed_memory() {
#ifdef __GLIBC__
    ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

std::uint64_t free_memory() {
    const std::uint64_t vm = bytes_of("/proc/meminfo", "MemAvailable:").value_or(UINT64_MAX);
    const auto limit = number_in("/sys/fs/cgroup/memory.max");
    const auto used = number_in("/sys/fs/cgroup/memory.current");
    return limit && used ? std::min(vm, *limit - std::min(*limit, *used)) : vm;
}

} // namespace zug
