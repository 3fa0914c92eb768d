#pragma once
// A profile of byte code: the number of executions of each instruction, reported by the counting machine; and the share
// of time, sampled by a second thread every 100 microseconds, since most instructions take less time than reading a
// clock.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace zug::run {

class Profile {
public:
    explicit Profile(std::size_t instrs) : runs_(instrs, 0), samples_(instrs + 1, 0), current_(instrs) {}

    std::uint64_t runs(std::size_t instr) const { return runs_[instr]; }
    std::uint64_t samples(std::size_t instr) const { return samples_[instr]; }
    std::uint64_t samples_outside() const { return samples_.back(); } // in the executor, between routines

    // Called by the machine: instruction `instr` begins; the routine has returned.
    void begin(std::size_t instr) {
        ++runs_[instr];
        current_.store(instr, std::memory_order_relaxed);
    }
    void leave() { current_.store(runs_.size(), std::memory_order_relaxed); }

    // Takes samples during its lifetime. They may be read after its destruction.
    class Sampler {
    public:
        explicit Sampler(Profile& profile) : thread_([this, &profile] { sample(profile); }) {}
        ~Sampler() {
            done_ = true;
            thread_.join();
        }
        Sampler(const Sampler&) = delete;
        Sampler& operator=(const Sampler&) = delete;

    private:
        void sample(Profile& profile);

        std::atomic<bool> done_ = false;
        std::thread thread_;
    };

private:
    std::vector<std::uint64_t> runs_;    // by instruction
    std::vector<std::uint64_t> samples_; // by instruction; the last entry: outside of routines
    std::atomic<std::size_t> current_;
};

} // namespace zug::run
