#pragma once
// What a search may spend, and whom it tells about its progress.

#include "game/game.hpp"
#include "search/core/rote_table.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

namespace zug::search {

inline constexpr int unlimited_depth = -1;
inline constexpr int max_depth = 1024; // recursion goes no deeper: the stack has room for it, sanitized builds too

// The progress of a running search: reported after each completed depth (`completed`), and about twice a second in
// between.
struct Result;
struct Progress {
    const Result& result; // of the deepest completed pass, with nodes and seconds up to now
    bool completed = false;
};

// A visited state, for tests and for drawing search trees. `line` holds the ids of the moves that lead to it.
struct Visit {
    std::span<const std::uint64_t> line;
    const game::State& state;
    bool leaf = false; // an end of the game, or the depth limit
};

struct Limits {
    int depth = unlimited_depth;
    double seconds = 0;                      // 0: no limit
    double enough_seconds = 0;               // after so much time no further pass is begun; 0: no limit
    std::uint64_t nodes = 0;                 // 0: no limit; never exceeded
    const std::atomic<bool>* stop = nullptr; // looked at every few hundred nodes
    const std::atomic<bool>* done = nullptr; // the same: another thread of this search has the result
    bool write_line = true; // false: Result::pv need not be written, which takes as long as some thousand nodes
    const RoteTable* rote = nullptr; // what is known from earlier games: of selective searches
    std::function<void(const Progress&)> progress;
    std::function<void(const Visit&)> trace; // called at each node; costs one untaken branch when empty
    // For searches that take turns (turns.hpp): called from time to time with the work since the last call, in
    // positions made. The same search calls it at the same points in every run.
    std::function<void(std::uint64_t)> turn;
};

// The limits of one of several threads on the same search, which end with `done`. Nodes are shared out, so that their
// sum is not exceeded; the first thread reports progress.
inline Limits share_of(const Limits& limits, std::size_t thread, std::size_t threads, const std::atomic<bool>& done) {
    Limits own = limits;
    own.done = &done;
    if (thread != 0) own.progress = nullptr;
    if (limits.nodes != 0) own.nodes = limits.nodes / threads + (thread < limits.nodes % threads ? 1 : 0);
    return own;
}

// A share of the limits of time and nodes, at least a node.
inline Limits part_of(const Limits& limits, double share) {
    Limits part;
    part.stop = limits.stop;
    part.seconds = share * (limits.enough_seconds > 0 ? limits.enough_seconds : limits.seconds);
    if (limits.nodes != 0)
        part.nodes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * static_cast<double>(limits.nodes)));
    return part;
}

// What is left of them after some work.
inline Limits rest_of(const Limits& limits, std::uint64_t nodes, double seconds) {
    constexpr double least = 1e-3;
    Limits rest = limits;
    if (limits.nodes != 0) rest.nodes = limits.nodes - std::min(nodes, limits.nodes - 1);
    if (limits.seconds > 0) rest.seconds = std::max(limits.seconds - seconds, least);
    if (limits.enough_seconds > 0) rest.enough_seconds = std::max(limits.enough_seconds - seconds, least);
    return rest;
}

} // namespace zug::search
