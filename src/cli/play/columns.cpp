#include "cli/play/columns.hpp"

#include "game/faces.hpp"

#include <algorithm>

namespace zug::cli {

std::string in_columns(std::span<const std::string> texts, std::size_t width) {
    constexpr std::size_t gap = 3;
    if (texts.empty()) return "";
    std::vector<std::size_t> lengths;
    for (const std::string& text : texts) lengths.push_back(game::characters(text).size());
    const std::size_t cell = std::ranges::max(lengths) + gap;
    const std::size_t columns = std::max<std::size_t>(1, (width + gap) / cell);
    const std::size_t lines = (texts.size() + columns - 1) / columns;
    std::string out;
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t i = line; i < texts.size(); i += lines) {
            out += texts[i];
            if (i + lines < texts.size()) out.append(cell - lengths[i], ' ');
        }
        out += '\n';
    }
    return out;
}

} // namespace zug::cli
