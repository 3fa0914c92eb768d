#pragma once
// How often each instruction ran, as the counting machine notes it, and how often a second thread that looks up every
// now and then found it running: shares of the time. (Most instructions take less time than reading a clock.)

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace zug::run {

class Profile {
public:
    // For code of so many instructions.
    explicit Profile(std::size_t instrs) : runs_(instrs, 0), samples_(instrs + 1, 0), current_(instrs) {}

    std::uint64_t runs(std::size_t instr) const { return runs_[instr]; }
    std::uint64_t samples(std::size_t instr) const { return samples_[instr]; }
    std::uint64_t samples_outside() const { return samples_.back(); } // between routines: the executor's own work

    // For the machine: instruction `instr` begins; no more of them, for now.
    void begin(std::size_t instr) {
        ++runs_[instr];
        current_.store(instr, std::memory_order_relaxed);
    }
    void leave() { current_.store(runs_.size(), std::memory_order_relaxed); }

    // Looks up while it lives. The samples may be read when it is gone.
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
    std::vector<std::uint64_t> samples_; // the same; the last: outside of the machine
    std::atomic<std::size_t> current_;
};

} // namespace zug::run
