#include "draw/terminal/characters.hpp"

#include "game/faces.hpp"

#include <algorithm>

namespace zug::draw::terminal {

void Characters::write(Place at, std::string_view text, std::string_view colour) {
    for (const std::string& character : game::characters(text)) rows_[at.y][at.x++] = {character, std::string(colour)};
}

bool Characters::is_free(Place at) const {
    const auto row = rows_.find(at.y);
    return row == rows_.end() || !row->second.contains(at.x);
}

int Characters::left() const {
    int least = rows_.empty() ? 0 : rows_.begin()->second.begin()->first;
    for (const auto& [y, row] : rows_) least = std::min(least, row.begin()->first);
    return least;
}

int Characters::right() const {
    int most = 0;
    for (const auto& [y, row] : rows_) most = std::max(most, row.rbegin()->first + 1);
    return most;
}

int Characters::bottom() const { return rows_.empty() ? 0 : rows_.rbegin()->first + 1; }

std::string Characters::lines(bool colour) const {
    std::string text;
    int y = rows_.empty() ? 0 : rows_.begin()->first;
    for (const auto& [row, characters] : rows_) {
        for (; y < row; ++y) text += '\n';
        int x = left();
        std::string_view shown; // the colour that is on
        const auto change_to = [&](std::string_view wanted) {
            if (!shown.empty()) text += game::colour_off;
            text += game::colour_on(shown = wanted);
        };
        for (const auto& [column, character] : characters) {
            const std::string_view wanted = colour ? std::string_view(character.colour) : "";
            if (!shown.empty() && shown != wanted) change_to({});
            text.append(static_cast<std::size_t>(column - x), ' ');
            if (shown != wanted) change_to(wanted);
            text += character.text;
            x = column + 1;
        }
        if (!shown.empty()) change_to({});
        text += '\n';
        ++y;
    }
    return text;
}

int columns_of(std::string_view text) { return static_cast<int>(game::characters(text).size()); }

} // namespace zug::draw::terminal
