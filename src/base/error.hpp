#pragma once
// Errors as values, with a text for the user.

#include <string>

namespace zug {

// An error in text that the user typed, or a run-time fault of a rule: a sentence to show.
struct Error {
    std::string text;
};

} // namespace zug
