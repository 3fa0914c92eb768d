#pragma once
// Many keys in ascending order, in little memory: blocks of keys, each block its first key and the differences that
// follow in a variable number of bytes (LEB128: seven bits a byte, the lowest first, the top bit set where more
// follow). Two to three bytes a key in games that fill a board. The differences are in memory or in a file, in which
// the firsts and the starts of the blocks follow them.

#include "solve/encoding/position_code.hpp"
#include "solve/storage/work.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

inline constexpr std::size_t block_keys = 1024; // of every block but the last
inline constexpr std::size_t most_difference_bytes = 9 * (block_keys - 1);

// Appends the differences of a block's keys after the first.
void pack_differences(std::span<const Key> keys, std::vector<std::uint8_t>& out);
// Reads them back: fills `keys` from its first, which is given. False where the bytes can't be such differences; `used`
// is how many they were.
bool unpack_differences(Key first, std::span<const std::uint8_t> bytes, std::span<Key> keys, std::size_t& used);

// A key that is looked for, and what the asker calls it.
struct KeyQuery {
    Key key;
    std::size_t number;
};
void sort(std::vector<KeyQuery>& queries); // by key

// Where keys are, for a checkpoint.
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
    // Of memory.
    std::size_t bytes() const { return bytes_.capacity() + firsts_.size() * (sizeof(Key) + sizeof(std::uint64_t)); }
    // The keys of a block, in room for block_keys of them.
    std::span<const Key> block(std::size_t number, std::array<Key, block_keys>& room) const;
    // A block's first key and the bytes of its differences, in the room where they are in a file.
    Key first(std::size_t number) const { return firsts_[number]; }
    using Room = std::array<std::uint8_t, most_difference_bytes>;
    std::span<const std::uint8_t> differences(std::size_t number, Room& room) const;
    // The last of the blocks from this one on that begins at the key or before it.
    std::size_t block_of(Key key, std::size_t from = 0) const;

    // Calls each(query, block, i) with where each key stands. The queries are sorted, and their keys are all there.
    template <class Each>
    void find(std::span<const KeyQuery> queries, Each&& each) const {
        std::array<Key, block_keys> room;
        std::span<const Key> keys;
        std::size_t block = SIZE_MAX, i = 0;
        for (const KeyQuery& query : queries) {
            if (const std::size_t own = block_of(query.key, block == SIZE_MAX ? 0 : block); own != block) {
                keys = this->block(block = own, room);
                i = 0;
            }
            while (keys[i] < query.key && i + 1 < keys.size()) ++i; // the end comes first only in a damaged file
            each(query, block, i);
        }
    }

    // Frees the memory of what is in a file from now on. Nothing is done where it is in one already.
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

// Makes packed keys one by one, in memory or at the end of a file.
class KeyPacker {
public:
    explicit KeyPacker(std::shared_ptr<WorkFile> file = nullptr);

    // Greater than the one before.
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
