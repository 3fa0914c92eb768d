#pragma once
// Sorted keys, compressed: in blocks, each its first key and the differences to the following ones in LEB128 (seven
// bits a byte, the lowest first, the top bit set if more follow). Two to three bytes a key in games that fill a board.
// The differences are in memory or in a file, where the blocks' first keys and offsets follow them.

#include "solve/encoding/position_code.hpp"
#include "solve/storage/work.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

inline constexpr std::size_t block_keys = 1024; // in every block but the last
inline constexpr std::size_t most_difference_bytes = 9 * (block_keys - 1);

// Appends the differences of a block's keys.
void pack_differences(std::span<const Key> keys, std::vector<std::uint8_t>& out);
// Decodes them into `keys`, whose first is given. False if the bytes are malformed; `used` is the number of bytes read.
bool unpack_differences(Key first, std::span<const std::uint8_t> bytes, std::span<Key> keys, std::size_t& used);

// A key to look up, and the caller's number for it.
struct KeyQuery {
    Key key;
    std::size_t number;
};
void sort(std::vector<KeyQuery>& queries); // by key

// The files that hold the keys, for a checkpoint.
struct KeysState {
    std::string file;
    std::uint64_t offset = 0, bytes = 0, keys = 0;
};

class PackedKeys {
public:
    PackedKeys() = default;
    explicit PackedKeys(std::span<const Key> ascending);

    std::size_t size() const { return size_; }
    std::size_t blocks() const { return firsts_.size(); }
    // Bytes of memory.
    std::size_t bytes() const { return bytes_.capacity() + firsts_.size() * (sizeof(Key) + sizeof(std::uint64_t)); }
    // The keys of a block, decoded into a buffer of block_keys.
    std::span<const Key> block(std::size_t number, std::array<Key, block_keys>& buffer) const;
    // A block's first key and the bytes of its differences; read into the buffer if they are in a file.
    Key first(std::size_t number) const { return firsts_[number]; }
    using Buffer = std::array<std::uint8_t, most_difference_bytes>;
    std::span<const std::uint8_t> differences(std::size_t number, Buffer& buffer) const;
    // The last block from this one on whose first key is not above the key.
    std::size_t block_of(Key key, std::size_t from = 0) const;

    // Calls each(query, block, i) with the location of each key. Queries are sorted, and all keys present.
    template <class Each>
    void find(std::span<const KeyQuery> queries, Each&& each) const {
        std::array<Key, block_keys> buffer;
        std::span<const Key> keys;
        std::size_t block = SIZE_MAX, i = 0;
        for (const KeyQuery& query : queries) {
            if (const std::size_t own = block_of(query.key, block == SIZE_MAX ? 0 : block); own != block) {
                keys = this->block(block = own, buffer);
                i = 0;
            }
            while (keys[i] < query.key && i + 1 < keys.size()) ++i; // reaches the end only in a damaged file
            each(query, block, i);
        }
    }

    // Writes the keys to the file and frees their memory; does nothing if they are in a file already.
    void move_to(const std::shared_ptr<WorkFile>& file);
    bool in_file() const { return section_.file != nullptr; }
    KeysState state() const { return {section_.file->name(), section_.offset, differences_, size_}; }
    // False: the file has no such keys.
    bool restore(const Work& work, const KeysState& state);

private:
    friend class KeyPacker;

    std::size_t size_ = 0;
    std::vector<Key> firsts_;
    std::vector<std::uint64_t> starts_;
    std::uint64_t differences_ = 0; // bytes of all
    std::vector<std::uint8_t> bytes_;
    Section section_;
};

// Builds packed keys one by one, in memory or at the end of a file.
class KeyPacker {
public:
    explicit KeyPacker(std::shared_ptr<WorkFile> file = nullptr);

    // Must be greater than the previous key.
    void add(Key key) {
        block_[count_++] = key;
        if (count_ == block_keys) close_block();
    }
    PackedKeys finish();

private:
    void close_block();

    PackedKeys keys_;
    std::array<Key, block_keys> block_;
    std::size_t count_ = 0;
    std::vector<std::uint8_t> differences_;
};

} // namespace zug::solve
