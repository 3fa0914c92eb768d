#pragma once
// Bytes under a seal, for files and pipes: what they are about, and that they are whole and unchanged.

#include "base/archive.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace zug::native {

using archive::Bytes;
// What identifies a text, or what was made from it by some version of the program.
using Key = std::array<std::uint64_t, 2>;

Key hash_of(std::span<const std::uint8_t> bytes);

Bytes seal(const Bytes& body, const Key& key);
// Empty if the bytes are not what was sealed with that key.
std::optional<std::span<const std::uint8_t>> unseal(std::span<const std::uint8_t> bytes, const Key& key);

} // namespace zug::native
