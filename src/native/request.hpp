#pragma once
// Byte code as a row of bytes: what is handed to the translator, and what the cache knows machine code by. It holds all
// that machine code depends on, and nothing else.

#include "base/archive.hpp"
#include "bytecode/bytecode.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::native {

using archive::Bytes;

// How the number of moves changes from a ply to the next as a rule, as far as it does.
inline constexpr std::int32_t no_trend = INT32_MIN;

// What a translator needs of a program.
struct Request {
    run::Bytecode code;            // without the names of places and what questions are about
    std::uint32_t state_words = 0; // the first words of a frame
    std::int32_t trend = no_trend;
};

Bytes write_request(const run::Bytecode& code, std::uint32_t state_words, std::int32_t trend);
// Empty if the bytes are no request.
std::optional<Request> read_request(std::span<const std::uint8_t> bytes);

} // namespace zug::native
