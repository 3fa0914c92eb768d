#pragma once
// A text that is open in the editor, and its changes.

#include "base/error.hpp"
#include "lsp/text/json.hpp"

#include <cstdint>
#include <string>

namespace zug::lsp {

struct Document {
    std::string uri, path;
    std::string text;
    std::int64_t version = 0;
};

// Applies the `contentChanges` of a message in order: with a range a part is replaced, without one all of the text.
// Throws what the JSON library does if they are malformed. An error: a range ends before it begins, or the text would
// be longer than `longest_text`; the changes before that one have been made.
tl::expected<void, Error> apply_changes(Document& document, const Json& changes);

inline constexpr std::size_t longest_text = 16U << 20U; // bytes; rule files are much shorter

} // namespace zug::lsp
