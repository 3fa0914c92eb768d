#pragma once
// An error as a value, where what went wrong is for a person to read.

#include <string>

namespace zug {

// What goes wrong with text that a person typed, or a rule that failed: a sentence to show.
struct Error {
    std::string text;
};

} // namespace zug
