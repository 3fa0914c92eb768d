#include "solve/storage/key_merge.hpp"

#include <algorithm>

namespace zug::solve {

KeyMerge::KeyMerge(std::vector<KeyReader> runs) : runs_(std::move(runs)) {
    std::erase_if(runs_, [](const KeyReader& run) { return run.done(); });
    for (std::size_t i = runs_.size(); i-- > 0;) sift_down(i);
}

Key KeyMerge::least_of_others() const {
    Key least = no_key;
    for (std::size_t i = 1; i < std::min<std::size_t>(runs_.size(), 3); ++i) least = std::min(least, runs_[i].key());
    return least;
}

void KeyMerge::drop_first() {
    std::swap(runs_.front(), runs_.back());
    runs_.pop_back();
}

void KeyMerge::sift_down(std::size_t i) {
    while (2 * i + 1 < runs_.size()) {
        std::size_t child = 2 * i + 1;
        if (child + 1 < runs_.size() && runs_[child + 1].key() < runs_[child].key()) ++child;
        if (runs_[i].key() <= runs_[child].key()) return;
        std::swap(runs_[i], runs_[child]);
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
