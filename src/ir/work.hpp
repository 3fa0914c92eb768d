#pragma once
// A limit of the work that evaluating expressions may take. It is counted, not timed, so that the same file meets it at
// the same place on every machine.

#include <cstdint>

namespace zug::ir {

// Steps: an expression evaluated, a word of a set that it makes, an assignment of parameters tried. A step takes about
// 20 nanoseconds.
struct Work {
    std::uint64_t left = UINT64_MAX;

    bool spent() const { return left == 0; }
    // False: there is not so much left, and from now on nothing is.
    bool take(std::uint64_t steps) {
        if (steps > left) [[unlikely]] {
            left = 0;
            return false;
        }
        left -= steps;
        return true;
    }
};

} // namespace zug::ir
