#include "solve/storage/key_merge.hpp"

#include <algorithm>

namespace zug::solve {

KeyMerge::KeyMerge(std::vector<KeyReader> rows) : rows_(std::move(rows)) {
    std::erase_if(rows_, [](const KeyReader& row) { return row.done(); });
    for (std::size_t i = rows_.size(); i-- > 0;) sift_down(i);
}

Key KeyMerge::least_of_others() const {
    Key least = no_key;
    for (std::size_t i = 1; i < std::min<std::size_t>(rows_.size(), 3); ++i) least = std::min(least, rows_[i].key());
    return least;
}

void KeyMerge::drop_first() {
    std::swap(rows_.front(), rows_.back());
    rows_.pop_back();
}

void KeyMerge::sift_down(std::size_t i) {
    while (2 * i + 1 < rows_.size()) {
        std::size_t child = 2 * i + 1;
        if (child + 1 < rows_.size() && rows_[child + 1].key() < rows_[child].key()) ++child;
        if (rows_[i].key() <= rows_[child].key()) return;
        std::swap(rows_[i], rows_[child]);
        i = child;
    }
}

void subtract(std::vector<Key>& keys, const PackedKeys& others) {
    std::array<Key, block_keys> buffer;
    std::span<const Key> block;
    std::size_t number = 0, unpacked = SIZE_MAX;
    const auto has = [&](Key key) {
        if (others.blocks() == 0 || key < others.first(0)) return false;
        number = others.block_of(key, number);
        if (number != unpacked) block = others.block(unpacked = number, buffer);
        while (!block.empty() && block.front() < key) block = block.subspan(1);
        return !block.empty() && block.front() == key;
    };
    std::erase_if(keys, has);
}

} // namespace zug::solve
