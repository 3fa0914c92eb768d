#pragma once
// How often each record occurs in a history, kept up to date while the history grows, and while a search goes from one
// branch to the next: the index moves over the records that two histories don't share.

#include "executor/executor.hpp"
#include "executor/hash.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>

namespace zug::run {

class HistoryIndex {
public:
    // How many records of the history, from `newest` back, have this hash for the key.
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
    void take_out(const HistoryNode& node);
    void move_to(const std::shared_ptr<const HistoryNode>& newest);

    std::shared_ptr<const HistoryNode> newest_; // what is counted, and kept alive so that its address stays its own
    boost::unordered_flat_map<Entry, std::uint32_t, EntryHash> counts_;
};

} // namespace zug::run
