#pragma once
// How often each instruction ran and how long it took, as the counting machine notes it. The clock is read between any
// two instructions, which takes longer than most of them do: what that takes is measured and left out.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace zug::run {

class Profile {
public:
    // For code of so many instructions.
    explicit Profile(std::size_t instrs);

    std::uint64_t runs(std::size_t instr) const { return runs_[instr]; }
    // In a unit of the machine's own: only what share of the whole it is says something.
    double time(std::size_t instr) const;
    double time_outside() const { return time(runs_.size() - 1); } // between routines: the executor's own work
    void clear();

    // For the machine: instruction `instr` begins; no more of them, for now.
    void begin(std::size_t instr) {
        const std::uint64_t now = ticks();
        spent_[current_] += now - since_;
        ++runs_[instr];
        current_ = instr;
        since_ = now;
    }
    void leave() { begin(runs_.size() - 1); }

private:
    static std::uint64_t ticks() {
#if defined(__x86_64__)
        return __rdtsc();
#else
        return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
    }

    std::vector<std::uint64_t> runs_, spent_; // by instruction; the last: outside of the machine
    std::size_t current_ = 0;
    std::uint64_t since_ = 0;
    double overhead_ = 0; // of one begin()
};

} // namespace zug::run
