#include "records/sgf_board.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zug::records {

namespace {

// The 26 small letters, then the capitals; -1: another character.
std::int32_t letter_number(char c) {
    if (c >= 'a' && c <= 'z') return c - 'a' + 1;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 27;
    return -1;
}

char letter(std::int32_t number) { return static_cast<char>('a' + number - 1); } // boards have at most 25 columns

} // namespace

const ir::Param* komi_of(const ir::Program& program) {
    constexpr std::string_view name = "komi";
    const auto found = std::ranges::find(program.params, name, &ir::Param::name);
    return found == program.params.end() ? nullptr : &*found;
}

tl::expected<SgfBoard, Error> SgfBoard::of(const game::Game& game) {
    const auto vertices = engines::Vertices::of(game);
    if (!vertices || vertices->height() > vertices->most_columns())
        return failure(fmt::format("SGF is for two players who place stones on points of a board in turn, and {} is "
                                   "not such a game",
                                   game.program().title));
    SgfBoard board(*vertices);
    board.from_top_ = game.program().boards[vertices->board()].shape == ir::BoardShape::Grid;
    return board;
}

std::string SgfBoard::point_text(engines::Point point) const {
    if (!from_top_) return fmt::format("{}{}", letter(point.x), point.y);
    return {letter(point.x), letter(vertices_.height() - point.y + 1)};
}

std::optional<engines::Point> SgfBoard::point_in(std::string_view text) const {
    if (text.size() < 2 || letter_number(text[0]) < 0) return std::nullopt;
    engines::Point point{.x = letter_number(text[0]), .y = 0};
    if (const auto row = number_in<std::int32_t>(text.substr(1)))
        point.y = *row;
    else if (text.size() != 2 || letter_number(text[1]) < 0)
        return std::nullopt;
    else
        point.y = from_top_ ? vertices_.height() - letter_number(text[1]) + 1 : letter_number(text[1]);
    const bool inside = point.x <= vertices_.width() && point.y >= 1 && point.y <= vertices_.height();
    return inside ? std::optional(point) : std::nullopt;
}

std::vector<engines::Point> SgfBoard::points_in(std::string_view text) const {
    const std::size_t colon = text.find(':');
    const auto first = point_in(text.substr(0, colon)),
               last = colon == text.npos ? first : point_in(text.substr(colon + 1));
    std::vector<engines::Point> points;
    if (!first || !last) return points;
    const auto [left, right] = std::minmax(first->x, last->x);
    const auto [low, high] = std::minmax(first->y, last->y);
    for (std::int32_t y = low; y <= high; ++y)
        for (std::int32_t x = left; x <= right; ++x) points.push_back({x, y});
    return points;
}

} // namespace zug::records
