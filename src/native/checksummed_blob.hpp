#pragma once
// Bytes with a header for files and pipes: a key that says what they are, and a checksum that shows damage.

#include "base/archive.hpp"
#include "base/digest.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace zug::native {

using archive::Bytes;
// Identifies an input together with the version of the program that processes it.
using Key = Digest;

Bytes write_blob(const Bytes& body, const Key& key);
// The body, as a part of `bytes`; nullopt unless they are a whole and unchanged blob with that key.
std::optional<std::span<const std::uint8_t>> read_blob(std::span<const std::uint8_t> bytes, const Key& key);

} // namespace zug::native
