#pragma once
// Whether a position's images under the supposed symmetries are like it: of the same kind, mover and payoffs, and their
// successors images of its own. Asked of a part of the positions while they are enumerated; where it holds for all
// images of all positions, the symmetries are proved.

#include "solve/parallel/walker.hpp"

namespace zug::solve {

class SymmetryCheck {
public:
    // Of the position that the walker has just expanded, with these successors, one of `beside` that are under way.
    // Where these are few all images are looked at, where they are many one image of a fixed share of them. Which ones
    // depends on the positions alone.
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
