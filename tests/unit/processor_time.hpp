#pragma once
// Costs as ratios: what one piece of work takes beside another in the same run, so that a slow or busy machine does not
// fail a test.

#include <algorithm>
#include <limits>
#include <sys/resource.h>

namespace zug::test {

// Seconds of processor time that this process has taken so far.
inline double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// What a piece of work takes: the least of several runs, since whatever else goes on only makes them longer.
template <class Work>
double least_seconds(int runs, Work&& work) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < runs; ++i) {
        const double before = processor_seconds();
        work();
        least = std::min(least, processor_seconds() - before);
    }
    return least;
}

} // namespace zug::test
