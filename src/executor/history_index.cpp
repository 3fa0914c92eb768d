#include "executor/history_index.hpp"

namespace zug::run {

void HistoryIndex::add(const HistoryNode& node) {
    for (std::uint32_t k = 0; 2 * k < node.key_hashes.size(); ++k)
        ++counts_[{{node.key_hashes[2 * k], node.key_hashes[2 * k + 1]}, k}];
}

void HistoryIndex::remove(const HistoryNode& node) {
    for (std::uint32_t k = 0; 2 * k < node.key_hashes.size(); ++k) {
        const auto known = counts_.find({{node.key_hashes[2 * k], node.key_hashes[2 * k + 1]}, k});
        if (--known->second == 0) counts_.erase(known);
    }
}

// Walks both histories back to where they meet: the longer one first. The order of additions and removals does not
// matter.
void HistoryIndex::move_to(const std::shared_ptr<const HistoryNode>& newest) {
    const HistoryNode* from = newest_.get();
    const HistoryNode* to = newest.get();
    while (from != to) {
        const bool back = from != nullptr && (to == nullptr || from->length >= to->length);
        if (to != nullptr && (from == nullptr || to->length >= from->length)) {
            add(*to);
            to = to->before.get();
        }
        if (back) {
            remove(*from);
            from = from->before.get();
        }
    }
    newest_ = newest;
}

std::uint32_t HistoryIndex::count(const std::shared_ptr<const HistoryNode>& newest, std::uint32_t key,
                                  const WordsHash& hash) {
    if (newest != newest_) move_to(newest);
    const auto known = counts_.find({hash, key});
    return known == counts_.end() ? 0 : known->second;
}

} // namespace zug::run
