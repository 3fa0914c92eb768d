#include "base/nearest.hpp"

#include <algorithm>
#include <array>

namespace zug {

namespace {

constexpr std::size_t longest = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance, row by row; both words have at most `longest` bytes.
std::size_t distance(std::string_view a, std::string_view b) {
    using Row = std::array<std::size_t, longest + 1>;
    Row before{}, previous{}, current{};
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto x = lower(a[i - 1]), y = lower(b[j - 1]);
            const std::size_t replaced = previous[j - 1] + (x == y ? 0U : 1U);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        before = previous;
        previous = current;
    }
    return previous[b.size()];
}

} // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
    if (name.size() > longest) return {};
    // Two of three letters must be right; a word of two may have one wrong.
    std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
    if (name.size() < 2) best = 1;
    std::string result;
    for (const auto& candidate : candidates) {
        if (candidate.size() > longest || candidate == name) continue;
        const auto difference = distance(name, candidate);
        if (difference >= best) continue;
        best = difference;
        result = candidate;
    }
    return result;
}

} // namespace zug
