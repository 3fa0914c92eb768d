#pragma once
// The language server over streams.

#include "base/error.hpp"
#include "lang/load.hpp"

#include <functional>
#include <istream>
#include <string>

namespace zug::lsp {

// Reads messages to `exit` or to the end of the input. `write` gets answers with their headers, from several threads,
// one at a time. Returns the exit code that the protocol asks for; an error: the system has no thread left. While a
// request is under way others arrive in another thread, so that they can be cancelled, and that texts are checked once
// for several changes.
tl::expected<int, Error> serve(std::istream& in, lang::Folders folders, const std::string& version,
                               const std::function<void(const std::string&)>& write);

} // namespace zug::lsp
