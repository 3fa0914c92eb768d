#pragma once
// Makes a text shorter while something remains true of it.

#include <functional>
#include <string>

namespace zug::random_rules {

// Drops lines, then words and what stands in brackets, and puts simple values in the place of brackets, as long as
// `holds` is true of the result. `holds` is asked at most so many times.
std::string shrink(std::string text, const std::function<bool(const std::string&)>& holds, int most_questions);

} // namespace zug::random_rules
