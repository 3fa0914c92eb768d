#include "protocols/gtp_clock.hpp"

#include <algorithm>

namespace zug::protocols {

void GtpClock::set(double main, double overtime, std::uint32_t moves) {
    limited_ = moves > 0 || overtime == 0;
    overtime_ = overtime;
    moves_ = moves;
    clock_ = {.left = main};
    if (main <= 0) begin_overtime();
}

void GtpClock::show(double left, std::uint32_t moves) {
    limited_ = true;
    clock_ = {.left = std::max(0.0, left), .moves_to_go = moves};
}

void GtpClock::begin_overtime() { clock_ = {.left = overtime_, .moves_to_go = moves_}; }

void GtpClock::spend(double seconds) {
    clock_.left = std::max(0.0, clock_.left - seconds);
    const bool in_overtime = clock_.moves_to_go > 0;
    if ((in_overtime && --clock_.moves_to_go == 0) || (!in_overtime && clock_.left == 0)) begin_overtime();
}

std::optional<match::GameClock> GtpClock::now() const {
    constexpr double no_limit = 7 * 24 * 3600.0; // programs write some great number for it
    return limited_ && clock_.left <= no_limit ? std::optional(clock_) : std::nullopt;
}

} // namespace zug::protocols
