#pragma once
// Any text as part of a file in HTML or XML.

#include <string>
#include <string_view>

namespace zug {

// The text as it stands in elements and in quoted attributes. What XML does not allow anywhere becomes a blank (control
// characters) or `?` (bytes that are not UTF-8, U+FFFE and U+FFFF).
std::string escaped(std::string_view text);

} // namespace zug
