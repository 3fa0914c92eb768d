#pragma once
// How often each record occurs in a history. Moving the index to another history costs time in proportion to the
// records that the two don't share, so that it follows a growing game, or a search from branch to branch, at little
// cost.

#include "executor/executor.hpp"
#include "executor/hash.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>

namespace zug::run {

class HistoryIndex {
public:
    // How many records of the history, from `newest` back, have this hash for the key. Moves the index there.
    std::uint32_t count(const std::shared_ptr<const HistoryNode>& newest, std::uint32_t key, const WordsHash& hash);

private:
    struct Entry {
        WordsHash hash;
        std::uint32_t key;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    struct EntryHash {
        std::size_t operator()(const Entry& e) const { return static_cast<std::size_t>(e.hash[0] + e.key); }
    };
    void add(const HistoryNode& node);
    void remove(const HistoryNode& node);
    void move_to(const std::shared_ptr<const HistoryNode>& newest);

    std::shared_ptr<const HistoryNode> newest_; // what is counted; kept alive, so that its address is not reused
    boost::unordered_flat_map<Entry, std::uint32_t, EntryHash> counts_;
};

} // namespace zug::run
