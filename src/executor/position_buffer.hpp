#pragma once
// The memory of one position of a line of play, kept from visit to visit: executors make the next position of the line
// from one such memory into another (Executor::first and next), so that walking a tree allocates only where it goes
// deeper than before.

#include "executor/executor.hpp"
#include "executor/records.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace zug::run {

struct Ply {
    // The position: as a state, as the executor's own words (WalkCode), or both; whichever is there.
    State state;
    std::unique_ptr<std::uint64_t[]> words;
    bool has_state = false, has_words = false;
    std::uint32_t mover = 0; // the player to move

    // Whether the end clauses have been asked, as far as that goes without a search for moves, and the one that holds:
    // -1, none.
    bool judged = false;
    std::int32_t clause = -1;
    // The kind of node, after first() or list().
    NodeKind kind = NodeKind::Decision;

    // So many positions where the game surely goes on may be passed over by first() and next(), which take those that
    // they have passed over off.
    std::uint64_t passes = 0;

    // The moves: listed, or left in the words and the records.
    bool listed = false;
    MoveList moves;
    std::size_t tried = 0; // of the list, by first() and next()
    // Of a list made of the sets of the words: for each entry the number of its case and the bit, as drawn.
    std::vector<std::array<std::uint64_t, 2>> picks;
    Records records;
};

// Positions side by side in words as Executor::words gives them, in memory that is kept from use to use.
struct Positions {
    const std::uint64_t* operator[](std::size_t i) const { return words.data() + first + i * stride; }
    // The memory of the next one, which does not count yet; moves the others.
    std::uint64_t* room() {
        if (words.size() < (size + 1) * stride) words.resize(std::max<std::size_t>(2 * words.size(), 16 * stride));
        return words.data() + size * stride;
    }
    // How many find room from there on.
    std::size_t rooms() const { return words.size() / stride - size; }

    std::vector<std::uint64_t> words;
    std::size_t size = 0;
    std::uint32_t stride = 1, first = 0; // where one begins, and in that its position
};

} // namespace zug::run
