#pragma once
// Whether a symmetry holds at one position.

#include "game/symmetry/symmetry.hpp"

namespace zug::game {

class ImageCheck {
public:
    // The game must outlive it; its fault is left set.
    explicit ImageCheck(Game& game) : game_(game) {}

    // Whether the image of a position has the same kind, mover and payoffs (those of the images of the players), and
    // its successors are the images of the position's successors, with the same probabilities. Positions at which a
    // rule fails are alike. Successors are compared by 64-bit hashes.
    bool holds(const Symmetry& symmetry, std::span<const std::uint32_t> slots);

private:
    // What a position looks like without reference to any names, and where its moves lead.
    struct Look {
        NodeKind kind = NodeKind::Fault;
        std::uint32_t mover = 0;
        std::vector<double> payoffs;
        std::vector<std::pair<std::uint64_t, double>> successors; // hashes of slots, and probabilities; ascending
    };
    static bool alike(const Look& a, const Look& b);
    static Look faulty(std::uint32_t mover);
    Look look(std::span<const std::uint32_t> slots, const Symmetry* symmetry);

    Game& game_;
    MoveList moves_;
};

} // namespace zug::game
