#pragma once
// Positions as the player to move sees them. Where a symmetry exchanges the players, what one of them learns is learned
// for both: a position in which the second is to move is looked at by its image.

#include "game/symmetry/symmetry.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::learn {

struct Viewpoint {
    std::optional<game::Symmetry> exchange; // of the two players; empty: positions are looked at as they are
    std::uint32_t stages = 1;               // what is learned apart: 1, or as many as players, by who is to move

    friend bool operator==(const Viewpoint&, const Viewpoint&) = default;
};

// What a game allows: an exchange of the players of a zero-sum game for two, unless what they learn is to be kept
// apart; else a stage for each player.
Viewpoint find_viewpoint(game::Game& game, bool apart);
// Whether it is of such a game, for a model of so many players' utilities: slots and values are within their bounds.
bool fits(const Viewpoint& viewpoint, std::uint32_t outputs, const game::Game& game);

class Viewer {
public:
    // The viewpoint must outlive it. `mover_slot`: where slots say who is to move (ir::Program::slot_count).
    Viewer(const Viewpoint& viewpoint, std::uint32_t mover_slot);

    struct View {
        std::span<const std::uint32_t> slots; // valid until the next call
        std::uint32_t stage = 0;
        bool exchanged = false; // the players are
    };
    // Cost: some nanoseconds a slot where the players are exchanged.
    View of(std::span<const std::uint32_t> slots);

private:
    const Viewpoint& viewpoint_;
    std::uint32_t mover_slot_;
    std::vector<std::uint32_t> image_;
};

} // namespace zug::learn
