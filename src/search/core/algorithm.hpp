#pragma once
// What stands behind Searcher: one search method, for one game.

#include "search/core/limits.hpp"
#include "search/core/result.hpp"

namespace zug::search {

class Algorithm {
public:
    virtual ~Algorithm() = default;
    virtual Result run(const game::State& root, const Limits& limits) = 0;
    // Back to the state of a new one.
    virtual void forget() = 0;
};

} // namespace zug::search
