#include "ir/board_text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace zug::ir {

namespace {

// The file letters of a site name such as `a12`, or empty if its name is not of that kind.
std::string file_letters(const std::string& name) {
    const auto end = std::ranges::find_if(name, [](unsigned char c) { return std::isalpha(c) == 0; });
    const bool plain = end != name.begin() && end != name.end() &&
                       std::all_of(end, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return plain ? std::string(name.begin(), end) : std::string();
}

bool is_hex(const Board& board) { return board.shape == BoardShape::Rhombus || board.shape == BoardShape::Hexagon; }

// Columns from one site to the next in a row. Even on a hex board, where the next row is shifted by half of it.
std::size_t spacing_of(const Board& board, std::size_t width) {
    const std::size_t spacing = width + 1;
    return is_hex(board) ? spacing + spacing % 2 : spacing;
}

std::size_t offset_of(const Board& board, std::size_t spacing, std::int32_t x, std::int32_t y) {
    const auto column = static_cast<std::size_t>(x - 1) * spacing;
    return is_hex(board) ? column + static_cast<std::size_t>(y) * (spacing / 2) : column;
}

class BoardText {
public:
    BoardText(const Board& board, std::span<const std::string> cells, std::size_t width)
        : board_(board), cells_(cells), width_(width), spacing_(spacing_of(board, width)) {}

    std::string all() {
        std::int32_t height = 0;
        for (const Site& site : board_.sites) height = std::max(height, site.y);
        label_width_ = std::to_string(height).size();
        for (std::int32_t y = height; y >= 1; --y) row(y);
        files();
        return std::move(out_);
    }

private:
    void row(std::int32_t y);
    void files();

    const Board& board_;
    std::span<const std::string> cells_;
    std::size_t width_, spacing_, label_width_ = 1;
    std::string out_;
};

// The row's number is printed just before its first site.
void BoardText::row(std::int32_t y) {
    std::map<std::int32_t, std::size_t> sites;
    for (std::size_t i = 0; i < board_.sites.size(); ++i)
        if (board_.sites[i].y == y) sites[board_.sites[i].x] = i;
    if (sites.empty()) return;
    const std::int32_t first = is_hex(board_) ? sites.begin()->first : 1;
    const std::size_t indent = is_hex(board_) ? offset_of(board_, spacing_, first, y) : 0;
    std::string line = std::string(indent, ' ') + fmt::format("{:>{}} ", y, label_width_);
    for (std::int32_t x = first; x <= sites.rbegin()->first; ++x) {
        if (x > first) line.append(spacing_ - width_, ' ');
        const auto it = sites.find(x);
        line += it == sites.end() ? std::string(width_, ' ') : cells_[it->second];
    }
    out_ += line + '\n';
}

// File letters below the columns. On a hex board the columns slant, and a letter is printed where its column would
// continue; a hexagon, whose columns begin at different rows, has none.
void BoardText::files() {
    if (board_.shape == BoardShape::Hexagon) return;
    std::map<std::int32_t, std::string> letters;
    for (const Site& site : board_.sites) {
        const std::string name = file_letters(site.name);
        if (name.empty()) return;
        letters[site.x] = name;
    }
    std::string line;
    for (const auto& [x, name] : letters) {
        // Aligned with the last character of the faces.
        const std::size_t end = label_width_ + offset_of(board_, spacing_, x, 0) + (is_hex(board_) ? 2 : spacing_);
        line.resize(std::max(line.size() + (line.empty() ? 0 : 1), end > name.size() ? end - name.size() : 0), ' ');
        line += name;
    }
    out_ += line + '\n';
}

} // namespace

bool has_rows(const Board& board) {
    if (board.shape == BoardShape::Ring || board.shape == BoardShape::Graph) return false;
    return std::ranges::all_of(board.sites, [](const Site& s) { return s.x >= 1 && s.y >= 1; });
}

const Board* board_with_rows(const Program& program, TypeId type) {
    if (program.types.kind(type) != TypeKind::Site) return nullptr;
    const Board& board = program.boards[static_cast<BoardId>(program.types[type].ref)];
    return has_rows(board) ? &board : nullptr;
}

std::string board_text(const Board& board, std::span<const std::string> cells, std::size_t width) {
    return BoardText(board, cells, width).all();
}

} // namespace zug::ir
