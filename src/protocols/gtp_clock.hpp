#pragma once
// A player's time as the Go Text Protocol has it: first for as many moves as one likes, then for so many at a time.

#include "match/game_clock.hpp"

#include <cstdint>
#include <optional>

namespace zug::protocols {

class GtpClock {
public:
    // Seconds of the main time, and then always for `moves` moves. No time for some moves: there is none left after the
    // main time; some time for no move: there is no limit.
    void set(double main, double overtime, std::uint32_t moves);
    // What the clock shows; for no moves: main time.
    void show(double left, std::uint32_t moves);
    // A move has taken so long.
    void spend(double seconds);
    // What there is for the next move; empty: there is no limit, and none either where more than a week is left.
    std::optional<match::GameClock> now() const;

private:
    void begin_overtime();

    bool limited_ = false;
    double overtime_ = 0;
    std::uint32_t moves_ = 0;
    match::GameClock clock_;
};

} // namespace zug::protocols
