#pragma once
// The settings of the best-first searches bstar and mgss (best_first/). The defaults are those that did best in short
// matches at equal nodes; tests/strength/pieces.md has longer ones.

#include <cstdint>

namespace zug::search {

struct BestFirstOptions {
    // The depth of the selective search that values a leaf, 0..8 plies; 0: quiescence only. Not asked in a game without
    // an evaluation.
    int probe = 1;
    // The random playouts that value a leaf in a game without an evaluation, 1..10000.
    std::uint32_t playouts = 4;
    // Of bstar: how far a leaf's optimistic and pessimistic values lie beyond what its probes say at the end, 0..100
    // deviations of what expansion has changed so far.
    double width = 8;
    // Of mgss: what a thousand nodes cost, 0..1, as a share of the range of utilities.
    double cost = 1e-4;
};

} // namespace zug::search
