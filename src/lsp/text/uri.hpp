#pragma once
// URIs of files: RFC 3986, as far as editors use it.

#include <string>
#include <string_view>

namespace zug::lsp {

// The path that a `file:` URI names; of any other URI, itself.
std::string path_of(std::string_view uri);
// The URI of a path, which is made absolute.
std::string uri_of(const std::string& path);

} // namespace zug::lsp
