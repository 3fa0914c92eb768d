#pragma once
// Sorted rows of keys as one: read side by side, the least first (external merge sort: D. Knuth, The Art of Computer
// Programming 3, 5.4). A row is packed keys, from memory or a file, or a span of keys.

#include "solve/storage/packed_keys.hpp"

#include <memory>

namespace zug::solve {

// One row from its first key to its last.
class KeyReader {
public:
    explicit KeyReader(std::span<const Key> keys) : rest_(keys) {}
    explicit KeyReader(const PackedKeys& keys) : keys_(&keys), room_(std::make_unique<std::array<Key, block_keys>>()) {
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
        if (keys_ != nullptr && block_ < keys_->blocks()) rest_ = keys_->block(block_++, *room_);
    }

    const PackedKeys* keys_ = nullptr;
    std::size_t block_ = 0;
    std::unique_ptr<std::array<Key, block_keys>> room_;
    std::span<const Key> rest_;
};

class KeyMerge {
public:
    explicit KeyMerge(std::vector<KeyReader> rows);

    // Calls each(key) for every key that some row has, once, in ascending order.
    template <class Each>
    void run(Each&& each) {
        Key last = no_key;
        while (!rows_.empty()) {
            KeyReader& least = rows_.front();
            // While a row stays behind all others nothing has to be put in order.
            const Key others = least_of_others();
            for (; !least.done() && least.key() <= others; least.next())
                if (least.key() != last) each(last = least.key());
            if (least.done()) drop_first();
            sift_down(0);
        }
    }

private:
    // A binary heap: the row with the least key stands first.
    Key least_of_others() const;
    void drop_first();
    void sift_down(std::size_t i);

    std::vector<KeyReader> rows_;
};

// Takes the keys of packed ones out of ascending keys.
void subtract(std::vector<Key>& keys, const PackedKeys& others);

} // namespace zug::solve
