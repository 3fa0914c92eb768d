#pragma once
// Byte code as a row of bytes: what is handed to the translator, and what the cache knows machine code by. It holds all
// that machine code depends on, and nothing else.

#include "run/code.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::native {

using Bytes = std::vector<std::uint8_t>;

// What a translator needs of a program.
struct Request {
    run::Code code;                // without the names of places and what questions are about
    std::uint32_t state_words = 0; // the first words of a frame
};

Bytes write_request(const run::Code& code, std::uint32_t state_words);
// Empty if the bytes are no request.
std::optional<Request> read_request(std::span<const std::uint8_t> bytes);

} // namespace zug::native
