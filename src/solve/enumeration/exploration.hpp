#pragma once
// Exploration of what a code can't number: from the positions that an enumeration met without a key to all that can be
// reached by way of such positions, breadth first, on all threads. So one pass finds what restarts of the enumeration
// would find one move at a time.

#include "solve/enumeration/space.hpp"

namespace zug::solve {

struct ExplorationTask {
    WalkerPool& pool; // the walkers' missed() positions are the first
    const Limits& limits;
    std::uint64_t most = UINT64_MAX, most_bytes = UINT64_MAX; // positions, and what they take
};

// Explores until nothing is new or the task's bounds are reached. Returns what was found, as words of lines of play;
// what a walker has no room for is left out. Errors: a rule's fault, too many positions, or `stopped`.
tl::expected<TupleSet, Error> explore(const ExplorationTask& task);

} // namespace zug::solve
