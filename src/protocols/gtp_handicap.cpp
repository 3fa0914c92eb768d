// Handicap stones: section 4.1 of the protocol, which fixes the points.

#include "engines/stones.hpp"
#include "protocols/gtp.hpp"
#include "protocols/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace zug::protocols {

namespace {

constexpr std::size_t fewest = 2;

// The third line of small boards, the fourth of others; 0: too small for a handicap.
std::int32_t star_line(std::int32_t size) {
    constexpr std::int32_t smallest = 7, large = 13;
    return size < smallest ? 0 : size < large ? 3 : 4;
}

} // namespace

std::vector<engines::Point> Gtp::handicap_points(std::size_t stones) {
    const std::int32_t width = vertices_.width(), height = vertices_.height();
    const ir::BoardShape shape = line_.game().program().boards[vertices_.board()].shape;
    if (shape != ir::BoardShape::Grid || star_line(width) == 0 || star_line(height) == 0) return {};
    const std::int32_t left = star_line(width), right = width + 1 - left, low = star_line(height),
                       high = height + 1 - low, middle = (width + 1) / 2, half = (height + 1) / 2;
    std::vector<engines::Point> points{{left, low}, {right, high}, {left, high}, {right, low}};
    constexpr std::int32_t least_for_more = 9;
    constexpr std::size_t corners = 4, most = 9;
    const bool has_middle = width % 2 == 1 && height % 2 == 1 && std::min(width, height) >= least_for_more;
    stones = std::min(stones, has_middle ? most : corners);
    if (stones <= corners) {
        points.resize(stones);
        return points;
    }
    const std::vector<engines::Point> sides{{left, half}, {right, half}, {middle, low}, {middle, high}};
    const std::size_t odd = stones % 2;
    points.insert(points.end(), sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(stones - corners - odd));
    if (odd == 1) points.push_back({middle, half});
    return points;
}

tl::expected<std::size_t, Error> Gtp::handicap_size(std::string_view arguments) {
    const auto stones = number_in<std::size_t>(next_word(arguments));
    if (!stones) return failure("handicap not an integer");
    if (*stones < fewest || handicap_points(fewest).empty()) return failure("invalid number of stones");
    return *stones;
}

// The position with Black's stones on these points, and White to move.
Gtp::Answered Gtp::place(const std::vector<engines::Point>& points) {
    game::Game& game = line_.game();
    const auto empty = engines::is_empty(game, vertices_, line_.state());
    if (!empty) return failure(fmt::format("handicap stones have no meaning here: {}", empty.error().text));
    if (!*empty || line_.plies() > 0) return failure("board not empty");
    const std::uint32_t black = vertices_.player("black").value_or(0);
    std::vector<engines::Stone> stones;
    std::vector<std::string> names;
    for (const engines::Point point : points) {
        stones.push_back({point, black});
        names.push_back(vertices_.text(point));
    }
    auto position = engines::position_with(game, vertices_, stones, 1 - black);
    if (!position) return tl::unexpected(position.error());
    line_.begin(std::move(*position));
    handicap_ = points;
    thinker_.reset();
    return fmt::format("{}", fmt::join(names, " "));
}

Gtp::Answered Gtp::fixed_handicap(std::string_view arguments) {
    const auto stones = handicap_size(arguments);
    if (!stones) return tl::unexpected(stones.error());
    const auto points = handicap_points(*stones);
    if (points.size() != *stones) return failure("invalid number of stones");
    return place(points);
}

Gtp::Answered Gtp::place_free_handicap(std::string_view arguments) {
    const auto stones = handicap_size(arguments);
    if (!stones) return tl::unexpected(stones.error());
    return place(handicap_points(*stones));
}

Gtp::Answered Gtp::set_free_handicap(std::string_view arguments) {
    std::vector<engines::Point> points;
    while (!arguments.empty()) {
        const auto point = vertices_.point_in(next_word(arguments));
        const auto same = [&](const engines::Point other) { return other.x == point->x && other.y == point->y; };
        if (!point || std::ranges::any_of(points, same)) return failure("bad vertex list");
        points.push_back(*point);
    }
    const auto all = static_cast<std::size_t>(vertices_.width()) * static_cast<std::size_t>(vertices_.height());
    if (points.size() < fewest || points.size() >= all) return failure("bad vertex list");
    const Answered placed = place(points);
    return placed ? Answered("") : placed;
}

} // namespace zug::protocols
