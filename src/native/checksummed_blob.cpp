#include "native/checksummed_blob.hpp"

#include "executor/hash.hpp"

#include <cstring>

namespace zug::native {
namespace {

struct Header {
    std::array<char, 8> magic;
    Key key;
    Key checksum; // of all that follows
};
constexpr std::array<char, 8> magic = {'z', 'u', 'g', 'c', 'o', 'd', 'e', '2'};

} // namespace

Key hash_of(std::span<const std::uint8_t> bytes) {
    std::vector<std::uint64_t> words(bytes.size() / 8 + 1, bytes.size());
    if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size() / 8 * 8);
    std::uint64_t tail = bytes.size();
    for (std::size_t k = bytes.size() / 8 * 8; k < bytes.size(); ++k) tail = tail << 8 ^ bytes[k];
    words.back() = tail;
    return run::words_hash(words);
}

Bytes write_blob(const Bytes& body, const Key& key) {
    const Header header{magic, key, hash_of(body)};
    Bytes bytes(sizeof header + body.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::copy(body.begin(), body.end(), bytes.begin() + sizeof header);
    return bytes;
}

std::optional<std::span<const std::uint8_t>> read_blob(std::span<const std::uint8_t> bytes, const Key& key) {
    Header header;
    if (bytes.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto body = bytes.subspan(sizeof header);
    if (header.magic != magic || header.key != key || hash_of(body) != header.checksum) return std::nullopt;
    return body;
}

} // namespace zug::native
