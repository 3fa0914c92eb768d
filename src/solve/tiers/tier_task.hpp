#pragma once
// What the methods that solve a space, and those that solve one tier of it, work with.

#include "solve/enumeration/space.hpp"
#include "solve/storage/scratch.hpp"

#include <functional>

namespace zug::solve {

// A space to be solved, the last tier first.
struct SpaceTask {
    WalkerPool& pool;
    const PositionCode& code;
    Space& space; // the keys of each tier are freed once it is solved
    Key start;
    const Stop& stop;
    const Resources& resources;
    const archive::Bytes* resume = nullptr; // the bytes of a checkpoint, which hold the space, too; or null
};

// A tier with moves inside it, whose arrays live in `scratch`.
struct TierTask {
    WalkerPool& pool;
    const PositionCode& code;
    const Resources& resources;
    Scratch& scratch;
    std::function<bool()> stops; // polled; true ends the work
};

} // namespace zug::solve
