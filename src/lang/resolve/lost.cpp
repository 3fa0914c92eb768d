// Names that wrong declarations would have declared.
//
// Of a declaration that can't be read, any word may be a name that it declares. One that is read only up to some point,
// or contains another error, is there, but broken; so is one of the extended file or the vocabulary whose successor
// can't be read.

#include "base/nearest.hpp"
#include "base/text.hpp"
#include "lang/resolve/shapes.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>

namespace zug::lang {

namespace {

constexpr std::string_view shape_words[] = {"grid", "hex", "ring", "star", "lines", "graph"};
constexpr std::string_view naming_words[] = {"param", "type", "board",  "state",  "local",  "def",
                                             "path",  "move", "effect", "chance", "players"};
constexpr std::string_view board_words[] = {"compass", "ortho", "diagonals", "axes", "adj", "out"};

// Whether boards may give the name to a site or a direction without declaring it.
bool is_of_boards(std::string_view name) {
    return site_coordinates(name) || std::ranges::find(board_words, name) != std::end(board_words) ||
           std::ranges::find(ring_directions, name) != std::end(ring_directions) ||
           std::ranges::find(grid_compass(), name, &Compass::name) != grid_compass().end();
}

} // namespace

void Symbols::lose(Span at) {
    const std::string_view text = std::string_view(context_.sources.text(at.file)).substr(at.begin, at.end - at.begin);
    std::size_t words = 0;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_word_character(text[end])) ++end;
        const std::string_view word = text.substr(i, end - i);
        lost_board_ |= std::ranges::find(shape_words, word) != std::end(shape_words) ||
                       (i == 0 && (word == "board" || !nearest(word, {"board"}).empty()));
        if (!word.empty()) lost_.emplace(word);
        if (!word.empty() && ++words <= 2) redeclared_.emplace(word);
        if (i == 0 && std::ranges::find(naming_words, word) != std::end(naming_words)) {
            const std::size_t next = text.find_first_not_of(" \t\r\n", end);
            lost_name_ |= next != text.npos && !is_word_character(text[next]);
        }
        i = std::max(end, i + 1);
    }
}

void Symbols::break_redeclared() {
    for (auto& d : declarations_)
        if ((d->extended || d->prelude) && redeclared_.contains(d->name)) d->broken = true;
}

bool Symbols::is_lost(std::string_view name) const {
    const auto declared = table_.find(std::string(name));
    const bool broken = declared != table_.end() && declared->second->broken;
    return broken || lost_name_ || lost_.contains(std::string(name)) || (lacks_board() && is_of_boards(name));
}

bool Symbols::lacks_board() const { return lost_board_ || (context_.damaged && board_declarations_.empty()); }

bool Symbols::lacks_players() const {
    if (!context_.damaged) return false;
    return !valid(players_.id) || context_.is_cut((*players_.tree)[players_.id].span);
}

bool Symbols::lacks_state() const {
    return context_.damaged || std::ranges::any_of(state_declarations_, &Declaration::broken);
}

} // namespace zug::lang
