#pragma once
// Errors as values, with a text for the user.

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace zug {

// An error in text that the user typed, or a run-time fault of a rule: a sentence to show.
struct Error {
    std::string text;
};

// The error that a function returns instead of its value.
inline tl::unexpected<Error> failure(std::string text) { return tl::unexpected(Error{std::move(text)}); }

} // namespace zug
