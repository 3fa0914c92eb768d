#pragma once
// Merges sorted runs of keys (external merge sort: D. Knuth, The Art of Computer Programming 3, 5.4). A run is packed
// keys, in memory or in a file, or a span of keys.

#include "solve/storage/packed_keys.hpp"

#include <memory>

namespace zug::solve {

// A cursor over one run.
class KeyReader {
public:
    explicit KeyReader(std::span<const Key> keys) : rest_(keys) {}
    explicit KeyReader(const PackedKeys& keys)
        : keys_(&keys), buffer_(std::make_unique<std::array<Key, block_keys>>()) {
        fill();
    }

    bool done() const { return rest_.empty(); }
    Key key() const { return rest_.front(); }
    void next() {
        rest_ = rest_.subspan(1);
        if (rest_.empty()) fill();
    }

private:
    void fill() {
        if (keys_ != nullptr && block_ < keys_->blocks()) rest_ = keys_->block(block_++, *buffer_);
    }

    const PackedKeys* keys_ = nullptr;
    std::size_t block_ = 0;
    std::unique_ptr<std::array<Key, block_keys>> buffer_;
    std::span<const Key> rest_;
};

class KeyMerge {
public:
    explicit KeyMerge(std::vector<KeyReader> runs);

    // Calls each(key) for every distinct key, in ascending order.
    template <class Each>
    void run(Each&& each) {
        Key last = no_key;
        while (!runs_.empty()) {
            KeyReader& least = runs_.front();
            // As long as one run stays below all others, the heap needs no repair.
            const Key others = least_of_others();
            for (; !least.done() && least.key() <= others; least.next())
                if (least.key() != last) each(last = least.key());
            if (least.done()) drop_first();
            sift_down(0);
        }
    }

private:
    // A binary heap with the least key on top.
    Key least_of_others() const;
    void drop_first();
    void sift_down(std::size_t i);

    std::vector<KeyReader> runs_;
};

// Removes from ascending keys those that the packed keys hold.
void subtract(std::vector<Key>& keys, const PackedKeys& others);

} // namespace zug::solve
