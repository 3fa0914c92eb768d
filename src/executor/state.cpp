#include "executor/state.hpp"

#include "executor/hash.hpp"

#include <utility>

namespace zug::run {

HistoryNode::~HistoryNode() {
    // Records that nobody else holds are released one by one.
    auto rest = std::move(before);
    while (rest && rest.use_count() == 1) rest = std::move(const_cast<HistoryNode&>(*rest).before);
}

std::uint64_t HistoryNode::hash() const {
    const std::uint64_t newest = path_hash - (before ? before->path_hash : 0);
    return combine_hashes(path_hash, newest);
}

} // namespace zug::run
