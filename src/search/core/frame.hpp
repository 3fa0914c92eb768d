#pragma once
// What a search keeps for each ply besides the position (game/line.hpp). The memory is reused, so a search allocates
// only when it gets deeper than it has been before. References to frames stay valid as the stack grows.

#include "game/game.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace zug::search {

// An entry of a move list, with its rank in the order of trial.
struct Ranked {
    std::uint64_t rank = 0; // greatest first
    std::uint64_t id = 0;   // then by ascending id, which no executor's list order can change
    std::uint32_t index = 0;
    std::uint32_t deferred = 0; // it would have been the so-manieth, counted from 0; 0: it was not deferred
};

inline constexpr std::array<std::uint64_t, 2> no_killers{UINT64_MAX, UINT64_MAX};

struct Frame {
    std::vector<Ranked> order;
    std::size_t deferred = 0;                          // moves at the end of it that another thread was searching
    std::vector<std::uint64_t> pv;                     // the best line from here, as move ids
    std::array<std::uint64_t, 2> killers = no_killers; // moves that cut at this ply
    std::vector<double> values;                        // by player, for methods with vector values
    std::uint64_t key = 0;                             // what the table knows the position by
    double standing = 0;                               // its static value in the view of the player to move
    bool passed = false;                               // was made by a pass
    bool forced = false;                               // has few replies
    std::vector<std::uint32_t> contents;               // what stands where: game::MoveKinds
    std::vector<std::uint32_t> kinds;                  // of the listed moves: slots of KindTable
};

class FrameStack {
public:
    explicit FrameStack(std::uint32_t players) : players_(players) {}

    Frame& operator[](int ply) { return *frames_[static_cast<std::size_t>(ply)]; }
    const Frame& operator[](int ply) const { return *frames_[static_cast<std::size_t>(ply)]; }
    // Makes room up to and including `ply`.
    void reach(int ply) {
        while (static_cast<int>(frames_.size()) <= ply) {
            frames_.push_back(std::make_unique<Frame>());
            frames_.back()->values.resize(players_);
            line_.push_back(0);
        }
    }
    void enter(int ply, std::uint64_t move) { line_[static_cast<std::size_t>(ply)] = move; }
    // The moves that lead to the node at `ply`.
    std::span<const std::uint64_t> line(int ply) const { return {line_.data(), static_cast<std::size_t>(ply)}; }
    void forget_killers() {
        for (const auto& frame : frames_) frame->killers = no_killers;
    }

private:
    std::uint32_t players_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::vector<std::uint64_t> line_;
};

} // namespace zug::search
