#pragma once
// A digest identifies its input: nobody can make two inputs with the same one. What one rule file made is kept under
// the digest of its rules, so that no other file's rules can ever be mistaken for them.
//
// BLAKE2b with 256 bits (Aumasson, Neves, Wilcox-O'Hearn and Winnerlein, "BLAKE2: simpler, smaller, fast as MD5",
// 2013), from libsodium. Cost: about a nanosecond a byte.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zug {

using Digest = std::array<std::uint8_t, 32>;

Digest digest_of(std::span<const std::uint8_t> bytes);

// The same with a key, a message authentication code: only who knows the key can make it, or tell whether it is right.
using SecretKey = std::array<std::uint8_t, 32>;
Digest mac_of(std::span<const std::uint8_t> bytes, const SecretKey& key);

// 64 hexadecimal digits, and back. parse_digest is empty for any other text.
std::string digest_text(const Digest& digest);
std::optional<Digest> parse_digest(std::string_view text);

} // namespace zug
