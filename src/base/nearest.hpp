#pragma once
// Which name somebody may have meant.

#include <string>
#include <string_view>
#include <vector>

namespace zug {

// The candidate nearest to `name` by edit distance (letters left out, put in, exchanged, or two neighbours swapped:
// F. Damerau, A technique for computer detection and correction of spelling errors, 1964; the case of a letter counts
// nothing), or empty when none is within a third of its length. The first one of equals. Candidates much longer than
// names are passed over, so the cost is small.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

} // namespace zug
