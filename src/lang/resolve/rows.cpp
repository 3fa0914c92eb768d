// Initial values as rows of glyphs: the top row first, `/` between rows, digits for places that keep their value.

#include "lang/resolve/initial_values.hpp"
#include "lang/resolve/letters.hpp"

#include <algorithm>
#include <cctype>

namespace zug::lang {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The character at the start of a text, of as many bytes as UTF-8 gives it.
std::string first_character(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) ++length;
    return std::string(text.substr(0, length));
}

// The coordinates of a board's sites; those of a board without stand in one row.
class Places {
public:
    explicit Places(const ir::Board& board) {
        const bool flat = board.height == 0;
        width = flat ? static_cast<std::int64_t>(board.sites.size()) : board.width;
        height = std::max(board.height, 1);
        for (std::size_t i = 0; i < board.sites.size(); ++i) {
            const std::int64_t x = flat ? static_cast<std::int64_t>(i) + 1 : board.sites[i].x;
            sites_[{x, flat ? 1 : board.sites[i].y}] = i;
        }
    }
    std::optional<std::size_t> at(std::int64_t x, std::int64_t y) const {
        auto it = sites_.find({x, y});
        return it == sites_.end() ? std::nullopt : std::optional(it->second);
    }
    std::int64_t width = 0, height = 0;

private:
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> sites_;
};

} // namespace

void InitialValues::initial_rows(NodeId rows, ir::StateVariable& state) {
    const Span at = span(rows);
    if (state.indices.size() != 1 || kind(state.indices[0]) != TypeKind::Site) {
        error(Message::RowsHere, at, {state.name});
        return;
    }
    const Places places(program_.boards[board_of(state.indices[0])]);
    const auto letters = letters_of(program_, bare(state.value));
    std::string_view text = node(rows).text;
    std::int64_t row = 1;
    for (bool more = true; more; ++row) {
        const std::size_t end = std::min(text.find('/'), text.size());
        more = end < text.size();
        if (row <= places.height && !initial_row(text.substr(0, end), row, places, letters, state, at)) return;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (row - 1 != places.height)
        error(Message::RowCount, at, {std::to_string(row - 1), std::to_string(places.height)});
}

// One row, counted from the top. False: it has a glyph that stands for nothing.
template <class P>
bool InitialValues::initial_row(std::string_view text, std::int64_t row, const P& places,
                                const std::map<std::string, std::int64_t>& letters, ir::StateVariable& state, Span at) {
    std::int64_t x = 1;
    while (!text.empty()) {
        if (is_digit(text.front())) {
            std::int64_t gap = 0;
            for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1))
                gap = std::min<std::int64_t>(gap * 10 + (text.front() - '0'), 100000);
            x += gap;
            continue;
        }
        const std::string glyph = first_character(text);
        text.remove_prefix(glyph.size());
        const auto letter = letters.find(glyph);
        if (letter == letters.end()) {
            error(Message::UnknownGlyph, at, {glyph, type_text(state.value)});
            return false;
        }
        if (const auto site = places.at(x, places.height + 1 - row)) {
            state.initial[*site] = static_cast<std::uint32_t>(*types().ordinal(state.value, letter->second));
        } else if (x <= places.width) {
            error(Message::GlyphOffBoard, at, {glyph, std::to_string(row), std::to_string(x)});
        }
        ++x;
    }
    if (x != places.width + 1)
        error(Message::RowLength, at, {std::to_string(row), std::to_string(x - 1), std::to_string(places.width)});
    return true;
}

} // namespace zug::lang
