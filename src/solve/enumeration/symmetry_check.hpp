#pragma once
// Whether a position's images under the assumed symmetries behave like it: same kind, mover and payoffs, and successors
// that are the images of its own. Checked for a sample of the positions during enumeration; if it holds for all images
// of all positions, the symmetries are proved.

#include "solve/parallel/walker.hpp"

namespace zug::solve {

class SymmetryCheck {
public:
    // Checks the position that the walker has just expanded, with these successors, one of `beside` pending positions.
    // If these are few, all images are checked; else one image of a fixed fraction of them. The choice depends on the
    // positions alone.
    bool holds(Walker& walker, Key key, std::span<const Key> successors, std::size_t beside);

private:
    struct Look {
        game::NodeKind kind = game::NodeKind::Fault;
        std::uint32_t mover = 0;
        std::vector<double> payoffs;
        std::vector<std::pair<Key, double>> successors; // with their probabilities, ascending

        void take(Walker& walker, std::span<const Key> keys);
        bool operator==(const Look& other) const;
    };

    Look own_, other_;
    std::vector<Key> images_, successors_;
};

} // namespace zug::solve
