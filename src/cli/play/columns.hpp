#pragma once
// Short texts in as many columns as fit, in the order in which one reads a column, then the next.

#include <cstddef>
#include <span>
#include <string>

namespace zug::cli {

// Lines of at most `width` characters, unless a text alone is longer.
std::string in_columns(std::span<const std::string> texts, std::size_t width);

} // namespace zug::cli
