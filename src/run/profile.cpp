#include "run/profile.hpp"

#include <algorithm>

namespace zug::run {

Profile::Profile(std::size_t instrs) : runs_(instrs + 1, 0), spent_(instrs + 1, 0) {
    constexpr std::uint64_t tries = 100'000;
    const std::uint64_t from = ticks();
    for (std::uint64_t i = 0; i < tries; ++i) begin(i % runs_.size());
    overhead_ = static_cast<double>(ticks() - from) / static_cast<double>(tries);
    clear();
}

void Profile::clear() {
    std::ranges::fill(runs_, 0);
    std::ranges::fill(spent_, 0);
    current_ = runs_.size() - 1;
    since_ = ticks();
}

double Profile::time(std::size_t instr) const {
    return std::max(0.0, static_cast<double>(spent_[instr]) - overhead_ * static_cast<double>(runs_[instr]));
}

} // namespace zug::run
