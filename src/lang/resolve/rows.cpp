// Initial values as rows of glyphs: the top row first, `/` between rows, numbers for sites that keep their value.

#include "lang/resolve/initial_values.hpp"

#include "base/printable.hpp"
#include "ir/glyphs.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace zug::lang {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The first character of a text, with all its UTF-8 bytes.
std::string first_character(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) ++length;
    return std::string(text.substr(0, length));
}

// The coordinates of a board's sites; the sites of a board without coordinates form one row.
class SiteGrid {
public:
    explicit SiteGrid(const ir::Board& board) {
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

// Fills the initial values of one map from rows of glyphs.
class RowReader : CheckerPart {
public:
    RowReader(Context& context, ir::StateVariable& state, Span at)
        : CheckerPart(context), state_(state), at_(at), grid_(program_.boards[board_of(state.indices[0])]),
          values_(values_by_glyph(bare(state.value))) {}

    void read(std::string_view text) {
        std::int64_t row = 1;
        for (bool more = true; more; ++row) {
            const std::size_t end = std::min(text.find('/'), text.size());
            more = end < text.size();
            if (row <= grid_.height && !read_row(text.substr(0, end), row)) return;
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (row - 1 != grid_.height)
            error(Message::RowCount, at_, {std::to_string(row - 1), std::to_string(grid_.height)});
    }

private:
    // One row, counted from the top. False: it is wrong.
    bool read_row(std::string_view text, std::int64_t row) {
        std::int64_t x = 1;
        while (!text.empty()) {
            if (is_digit(text.front())) {
                x += take_gap(text);
                continue;
            }
            const auto found = glyph_at(text);
            if (found == values_.end()) {
                std::vector<std::string> glyphs;
                for (const auto& [glyph, value] : values_) glyphs.push_back(glyph);
                error(Message::UnknownGlyph, at_, {first_character(text), type_text(state_.value)},
                      "there are " + listed(glyphs));
                return false;
            }
            const auto& [glyph, value] = *found;
            text.remove_prefix(glyph.size());
            if (const auto site = grid_.at(x, grid_.height + 1 - row)) {
                state_.initial[*site] = static_cast<std::uint32_t>(*types().ordinal(state_.value, value));
            } else if (x <= grid_.width) {
                error(Message::GlyphOffBoard, at_, {glyph, std::to_string(row), std::to_string(x)});
            }
            ++x;
        }
        if (x == grid_.width + 1) return true;
        error(Message::RowLength, at_, {std::to_string(row), std::to_string(x - 1), std::to_string(grid_.width)});
        return false;
    }

    using Values = std::map<std::string, std::int64_t>;

    // The glyphs of the first 4,096 values of a type; none of sets, paths and real numbers.
    Values values_by_glyph(TypeId type) const {
        constexpr std::uint64_t most = 4096;
        Values values;
        if (!is_scalar(type)) return values;
        for (std::uint64_t i = 0; i < std::min(most, program_.types.cardinality(type)); ++i) {
            const std::int64_t value = program_.types.value(type, i);
            values.emplace(ir::glyph_text(program_, type, value), value);
        }
        return values;
    }

    // The longest glyph with which the text begins.
    Values::const_iterator glyph_at(std::string_view text) const {
        for (auto it = values_.upper_bound(std::string(text)); it != values_.begin();)
            if (--it; !it->first.empty() && text.starts_with(it->first)) return it;
        return values_.end();
    }

    // Removes the number at the start of `text`, which counts sites that keep their value, and returns it.
    static std::int64_t take_gap(std::string_view& text) {
        constexpr std::int64_t most = 100'000; // beyond any width; keeps the sum from overflowing
        std::int64_t gap = 0;
        for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1))
            gap = std::min<std::int64_t>(gap * 10 + (text.front() - '0'), most);
        return gap;
    }

    ir::StateVariable& state_;
    Span at_;
    SiteGrid grid_;
    Values values_;
};

} // namespace

void InitialValues::initial_rows(NodeId rows, ir::StateVariable& state) {
    const Span at = span(rows);
    if (state.indices.size() != 1 || kind(state.indices[0]) != TypeKind::Site) {
        error(Message::RowsHere, at, {state.name});
        return;
    }
    RowReader(context_, state, at).read(node(rows).text);
}

} // namespace zug::lang
