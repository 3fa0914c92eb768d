#pragma once
// JSON as the messages have it.

#include <nlohmann/json.hpp>

namespace zug::lsp {

using Json = nlohmann::json;

} // namespace zug::lsp
