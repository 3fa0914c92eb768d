#pragma once
// The text of rules/prelude.zug, embedded in the library at build time.

#include <string_view>

namespace zug::lang {

std::string_view prelude_text();

} // namespace zug::lang
