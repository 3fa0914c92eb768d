#include "native/checksummed_blob.hpp"

#include <array>
#include <cstring>

namespace zug::native {
namespace {

struct Header {
    std::array<char, 8> magic;
    Key key;
    Digest checksum; // of all that follows
};
constexpr std::array<char, 8> magic = {'z', 'u', 'g', 'c', 'o', 'd', 'e', '3'};

} // namespace

Bytes write_blob(const Bytes& body, const Key& key) {
    const Header header{magic, key, digest_of(body)};
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
    if (header.magic != magic || header.key != key || digest_of(body) != header.checksum) return std::nullopt;
    return body;
}

} // namespace zug::native
