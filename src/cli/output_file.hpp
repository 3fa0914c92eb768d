#pragma once
// Files for results that a command writes once, at its end.

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace zug::cli {

// Whether the file can be written, to know it before the work begins: makes it if there is none, and leaves its
// content.
tl::expected<void, Error> check_writable(const std::string& file);
// Replaces the content.
tl::expected<void, Error> write_file(const std::string& file, std::string_view text);

} // namespace zug::cli
