#include "native/cpu_features.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace zug::native {

#if defined(__x86_64__)

std::vector<std::uint64_t> cpu_features() {
    std::vector<std::uint64_t> words;
    const auto add = [&](unsigned leaf, unsigned subleaf, bool identity) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        __get_cpuid_count(leaf, subleaf, &a, &b, &c, &d);
        if (identity) b = 0; // it holds the number of the core
        words.push_back(std::uint64_t{a} << 32 | b);
        words.push_back(std::uint64_t{c} << 32 | d);
    };
    add(0, 0, false);
    add(1, 0, true);
    add(7, 0, false);
    add(7, 1, false);
    add(0x80000001, 0, false);
    // The register sets that the operating system saves (XCR0), which may be fewer than the processor has.
    unsigned low = 0, high = 0;
    if ((words[3] >> 32 >> 27 & 1) != 0) __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    words.push_back(std::uint64_t{high} << 32 | low);
    return words;
}

bool cpu_supported() { return true; }

#else

std::vector<std::uint64_t> cpu_features() { return {}; }
bool cpu_supported() { return false; }

#endif

} // namespace zug::native
