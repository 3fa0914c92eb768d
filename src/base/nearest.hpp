#pragma once
// Spelling correction.

#include <string>
#include <string_view>
#include <vector>

namespace zug {

// The candidate nearest to `name` by edit distance (deletions, insertions, substitutions and transpositions: F.
// Damerau, A technique for computer detection and correction of spelling errors, 1964; case is ignored), or empty if
// none is within a third of its length. Of several at one distance, the first. Names and candidates of more than 64
// bytes are ignored, which bounds the cost of a comparison.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

} // namespace zug
