#include "solve/packed_keys.hpp"

#include <algorithm>

namespace zug::solve {

void pack_differences(std::span<const Key> keys, std::vector<std::uint8_t>& out) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        std::uint64_t difference = keys[i] - keys[i - 1];
        for (; difference >= 0x80; difference >>= 7) out.push_back(static_cast<std::uint8_t>(difference | 0x80));
        out.push_back(static_cast<std::uint8_t>(difference));
    }
}

bool unpack_differences(Key first, std::span<const std::uint8_t> bytes, std::span<Key> keys, std::size_t& used) {
    std::size_t at = 0;
    Key key = keys[0] = first;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        std::uint64_t difference = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at == bytes.size() || shift > 63) return false;
            const std::uint8_t byte = bytes[at++];
            difference |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        keys[i] = key += difference;
    }
    used = at;
    return true;
}

PackedKeys::PackedKeys(std::span<const Key> ascending) : size_(ascending.size()) {
    for (std::size_t i = 0; i < ascending.size(); i += block_keys) {
        firsts_.push_back(ascending[i]);
        starts_.push_back(bytes_.size());
        pack_differences(ascending.subspan(i, std::min(block_keys, ascending.size() - i)), bytes_);
    }
    bytes_.shrink_to_fit();
}

std::span<const Key> PackedKeys::block(std::size_t number, std::array<Key, block_keys>& room) const {
    const std::span keys(room.data(), std::min(block_keys, size_ - number * block_keys));
    std::size_t used = 0;
    unpack_differences(firsts_[number], differences(number), keys, used);
    return keys;
}

} // namespace zug::solve
