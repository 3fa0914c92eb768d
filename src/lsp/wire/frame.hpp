#pragma once
// The frame of messages: a header `Content-Length: N`, an empty line, and N bytes.

#include "base/error.hpp"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace zug::lsp {

inline constexpr std::uint64_t longest_message = 64U << 20U; // bytes
inline constexpr std::size_t longest_header_line = 1000;

// Reads the next message; none at the end of the input, also if it ends within a message. An error: the header is
// wrong, and the bytes behind it are read as the next one; or the message is longer than `longest_message`, and its
// bytes are passed over. Memory: that of the message as far as it has arrived.
tl::expected<std::optional<std::string>, Error> read_message(std::istream& in);

// A message with its header.
std::string framed(std::string_view content);

} // namespace zug::lsp
