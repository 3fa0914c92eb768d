#pragma once
// What a model of values is to self-play: it estimates positions, and moves its estimates towards targets.
//
// An estimate is `width` numbers, which depend on the model; it may be mixed with others, and says the same of a
// position whoever is to move. Of zero-sum games it is the first player's, else it has a part for each player.

#include "game/facts/traits.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace zug::learn {

// One thread's. Several of a model learn at once.
class Learner {
public:
    virtual ~Learner() = default;

    virtual std::uint32_t width() const = 0;
    // The estimate that an end with these utilities deserves.
    virtual void target(std::span<const double> utilities, std::span<float> out) const = 0;
    // The utility that the player may expect.
    virtual double utility(std::span<const float> estimate, std::uint32_t player) const = 0;

    // Slots: as the executor reads them (Executor::read_slots). Positions that are estimated one after the other take
    // the less time the fewer slots they differ in.
    virtual void estimate(std::span<const std::uint32_t> slots, std::span<float> out) = 0;
    // What was learned since the last estimate counts for the next.
    virtual void refresh() = 0;
    // Moves the estimate of a position towards the target, by a step of the size `rate`. The mean squared error before.
    virtual double learn(std::span<const std::uint32_t> slots, std::span<const float> target, double rate) = 0;
    // A game has ended; `now`: what was learned is to be seen by others at once, and not only after some games.
    virtual void share(bool now) { static_cast<void>(now); }
};

// Whose utility is estimated: 1 for the first player's in a zero-sum game, or where there is no other player; else each
// player's.
inline std::uint32_t estimated_players(const game::Traits& traits) {
    return traits.zero_sum || traits.players == 1 ? 1 : traits.players;
}

} // namespace zug::learn
