#include "bytecode/profile.hpp"

#include <chrono>

namespace zug::run {

void Profile::Sampler::sample(Profile& profile) {
    using namespace std::chrono_literals;
    while (!done_) {
        std::this_thread::sleep_for(100us);
        ++profile.samples_[profile.current_.load(std::memory_order_relaxed)];
    }
}

} // namespace zug::run
