#pragma once
// The memory of one position of a line of play, reused from visit to visit. Executors make the next position of the
// line from one buffer into another (Executor::first and next), so that walking a tree allocates only where it is
// deeper than before.

#include "executor/executor.hpp"
#include "executor/records.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace zug::run {

struct PositionBuffer {
    // The position: as a state, as the executor's own words (WalkCode), or both.
    State state;
    std::unique_ptr<std::uint64_t[]> words;
    bool has_state = false, has_words = false; // which of them are up to date
    std::uint32_t mover = 0;                   // the player to move

    // Whether the end clauses have been asked, as far as that takes no search for moves, and the one that holds: -1,
    // none.
    bool judged = false;
    std::int32_t clause = -1;
    // The kind of node, after first() or list().
    NodeKind kind = NodeKind::Decision;

    // How many positions where the game surely continues first() and next() may pass over; they subtract those that
    // they did.
    std::uint64_t skips = 0;

    // The moves: listed, or left in the words and the records.
    bool listed = false;
    MoveList moves;
    std::size_t tried = 0; // how many of the list first() and next() have made
    // Of a list made from the sets in the words: for each entry the number of its move set and the bit (Opcode::Draw).
    std::vector<std::array<std::uint64_t, 2>> picks;
    Records records;
};

// An array of positions as words (Executor::words), in memory that is reused.
struct Positions {
    const std::uint64_t* operator[](std::size_t i) const { return words.data() + first + i * stride; }
    // The memory of the position after the last one, for `stride` words; it doesn't count yet. Invalidates pointers.
    std::uint64_t* room() {
        if (words.size() < (size + 1) * stride) words.resize(std::max<std::size_t>(2 * words.size(), 16 * stride));
        return words.data() + size * stride;
    }
    // How many positions fit from there on without another allocation.
    std::size_t rooms() const { return words.size() / stride - size; }

    std::vector<std::uint64_t> words;
    std::size_t size = 0;     // positions
    std::uint32_t stride = 1; // words from the beginning of an element to the next
    std::uint32_t first = 0;  // where in an element the position's words begin
};

} // namespace zug::run
