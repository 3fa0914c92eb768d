#pragma once
// A state of a game as an executor keeps it, and its history.

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>

namespace zug::run {

// The records of earlier turn ends, a linked list with the newest first. States with a common past share its tail.
struct HistoryNode {
    // Two words (a 128-bit hash) for each key of the program.
    boost::container::small_vector<std::uint64_t, 2> key_hashes;
    std::uint32_t length = 1;    // number of records from here back
    std::uint64_t path_hash = 0; // of all records from here back, regardless of their order
    std::shared_ptr<const HistoryNode> before;
    // Equal histories have equal hashes, where two are equal if `earlier` can't tell them apart: the same records in
    // any order, and the same newest one, which does not count between moves. (The newest record follows from the
    // state, except after a chance event.)
    std::uint64_t hash() const;
    ~HistoryNode(); // iterative, so that a long game doesn't exhaust the stack
};

// A block of words, whose layout is private to the executor that filled it, and the newest record of the history, null
// where the game does not ask about earlier positions. Copying allocates nothing for up to inline_words words.
struct State {
    static constexpr std::size_t inline_words = 14;
    boost::container::small_vector<std::uint64_t, inline_words> words;
    std::shared_ptr<const HistoryNode> history;
};

} // namespace zug::run
