#pragma once
// Shortens a text while a predicate holds.

#include <functional>
#include <string>

namespace zug::random_rules {

// Drops lines, then words and the contents of brackets, and replaces brackets by simple values, as long as
// `holds` is true of the result. Calls `holds` at most `most_questions` times.
std::string shrink(std::string text, const std::function<bool(const std::string&)>& holds, int most_questions);

} // namespace zug::random_rules
