#pragma once
// Presentation, and what is loud, in the files that a game extends. Internal to src/lang.

#include "lang/core/context.hpp"

#include <functional>
#include <optional>

namespace zug::lang {

class Assembly;

// Runs a check without reporting anything, and returns the first error that it found.
std::optional<diag::Diagnostic> first_error(Context& context, const std::function<void()>& check);

// Checks a glyph, look, notation, position format or `loud`. One of an extended file that no longer fits the game,
// because it is about something that the extending file has replaced, is left out without a message: the first thing
// that does not fit is returned.
std::optional<diag::Diagnostic> check_presentation(Context& context, const Assembly& assembly, const Item& item,
                                                   const std::function<void(NodeId)>& check);

} // namespace zug::lang
