#include "base/digest.hpp"

#include <charconv>
#include <fmt/format.h>
#include <sodium.h>

namespace zug {

Digest digest_of(std::span<const std::uint8_t> bytes) {
    Digest digest{};
    static_assert(sizeof(Digest) == crypto_generichash_BYTES);
    crypto_generichash(digest.data(), digest.size(), bytes.data(), bytes.size(), nullptr, 0);
    return digest;
}

Digest mac_of(std::span<const std::uint8_t> bytes, const SecretKey& key) {
    Digest mac{};
    static_assert(sizeof(SecretKey) == crypto_generichash_KEYBYTES);
    crypto_generichash(mac.data(), mac.size(), bytes.data(), bytes.size(), key.data(), key.size());
    return mac;
}

std::string digest_text(const Digest& digest) {
    std::string text;
    for (const std::uint8_t byte : digest) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
    return text;
}

std::optional<Digest> parse_digest(std::string_view text) {
    Digest digest{};
    if (text.size() != 2 * digest.size()) return std::nullopt;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const auto part = text.substr(2 * i, 2);
        if (std::from_chars(part.begin(), part.end(), digest[i], 16).ptr != part.end()) return std::nullopt;
    }
    return digest;
}

} // namespace zug
