#pragma once
// The serialised input of a translator. It holds all of a program that machine code depends on, and nothing else, so
// that its hash is a part of the key of cached machine code.

#include "base/archive.hpp"
#include "bytecode/bytecode.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zug::native {

using archive::Bytes;

// Of Request::move_count_change: the number of moves cannot be predicted.
inline constexpr std::int32_t no_prediction = INT32_MIN;

// What a translator needs of a program.
struct Request {
    run::Bytecode code;                             // without the names of checks and the contents of questions
    std::uint32_t state_words = 0;                  // the state's part of a frame, from its beginning
    std::int32_t move_count_change = no_prediction; // by how much the number of moves usually changes from ply to ply
};

Bytes write_request(const run::Bytecode& code, std::uint32_t state_words, std::int32_t move_count_change);
// Empty if the bytes are not a request.
std::optional<Request> read_request(std::span<const std::uint8_t> bytes);

} // namespace zug::native
