#pragma once
// Many keys in ascending order, in little memory: blocks of keys, each block its first key and the differences that
// follow in a variable number of bytes (LEB128: seven bits a byte, the lowest first, the top bit set where more
// follow). Two to three bytes a key in games that fill a board.

#include "solve/position_code.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zug::solve {

inline constexpr std::size_t block_keys = 1024; // of every block but the last

// Appends the differences of a block's keys after the first.
void pack_differences(std::span<const Key> keys, std::vector<std::uint8_t>& out);
// Reads them back: fills `keys` from its first, which is given. False where the bytes can't be such differences; `used`
// is how many they were.
bool unpack_differences(Key first, std::span<const std::uint8_t> bytes, std::span<Key> keys, std::size_t& used);

class PackedKeys {
public:
    PackedKeys() = default;
    explicit PackedKeys(std::span<const Key> ascending);

    std::size_t size() const { return size_; }
    std::size_t blocks() const { return firsts_.size(); }
    std::size_t bytes() const { return bytes_.size() + firsts_.size() * (sizeof(Key) + sizeof(std::size_t)); }
    // The keys of a block, in room for block_keys of them.
    std::span<const Key> block(std::size_t number, std::array<Key, block_keys>& room) const;
    // A block's first key and the bytes of its differences.
    Key first(std::size_t number) const { return firsts_[number]; }
    std::span<const std::uint8_t> differences(std::size_t number) const {
        const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] : bytes_.size();
        return {bytes_.data() + starts_[number], end - starts_[number]};
    }

private:
    std::size_t size_ = 0;
    std::vector<Key> firsts_;
    std::vector<std::size_t> starts_;
    std::vector<std::uint8_t> bytes_;
};

} // namespace zug::solve
