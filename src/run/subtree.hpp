#pragma once
// Alpha-beta below a position as one routine of an executor (SubtreeCode): plain, without table, order or evaluation,
// in a game of two players who take turns and of whom one wins what the other loses. It goes through the tree exactly
// as src/search does move by move: the same nodes in the same order, the same claims. What it has no code for, and what
// its caller must know of, it stops at and goes on from.
//
// Cost: a call for each event, and so none for most nodes. Memory: a position for each ply of the task, kept.

#include "run/claim.hpp"

#include <cstdint>

namespace zug::run {

struct Ply;

class Subtree {
public:
    struct Task {
        int plies = 1;          // to the depth limit, at least one
        Window window;          // of the position where it begins, in the view of its player to move
        double even;            // the first player's value of all positions at the depth limit where the game goes on
        double least, greatest; // the first player's least and greatest utility
    };
    enum class Event : std::uint8_t {
        Done,   // claim() is about the position where it began
        Paused, // no more nodes may be entered
        Raised, // a move's value lies inside the window of the node that it stands at: it is the node's best so far
        Ended,  // the game is over at the node that it stands at, and the caller is to say what that is worth: close()
        Stuck,  // the player to move there has no move: the same
    };
    virtual ~Subtree() = default;

    // The game must go on at `root`, which counts as entered already.
    virtual void begin(Ply& root, const Task& task) = 0;
    // Enters at most so many nodes, which are taken off.
    virtual Event go_on(std::uint64_t& nodes) = 0;

    // The node that it stands at: plies below the beginning, and to the depth limit; its window.
    virtual int ply() const = 0;
    virtual int remaining() const = 0;
    virtual Window window() const = 0;
    // After Raised: the move's id, and whether it leads to a leaf. The line below any other begins with the move that
    // was Raised there last.
    virtual std::uint64_t move_id() const = 0;
    virtual bool to_leaf() const = 0;
    // After Ended and Stuck: the position as one of a line; what it is worth.
    virtual void put_down(Ply& ply) const = 0;
    virtual void close(const Claim& claim) = 0;
    virtual Claim claim() const = 0;
    // The most plies below the beginning at which a node has been entered.
    virtual int deepest() const = 0;
};

} // namespace zug::run
