#pragma once
// The text of rules/prelude.zug, put into the library when it is built.

#include <string_view>

namespace zug::lang {

std::string_view prelude_text();

} // namespace zug::lang
