// Boards with coordinates: grids, hex boards, stars, rings.

#include "lang/resolve/shapes.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/boards.hpp"
#include "lang/resolve/constants.hpp"

#include <algorithm>

namespace zug::lang {

namespace {

constexpr Compass grid_directions[] = {
    {"N", 0, 1, true, true},   {"NE", 1, 1, true, false},    {"E", 1, 0, true, true},   {"SE", 1, -1, true, false},
    {"S", 0, -1, false, true}, {"SW", -1, -1, false, false}, {"W", -1, 0, false, true}, {"NW", -1, 1, false, false},
};
constexpr Compass hex_directions[] = {
    {"E", 1, 0, true, false},   {"NE", 0, 1, true, false},   {"NW", -1, 1, true, false},
    {"W", -1, 0, false, false}, {"SW", 0, -1, false, false}, {"SE", 1, -1, false, false},
};

} // namespace

std::span<const Compass> grid_compass() { return grid_directions; }
std::span<const Compass> hex_compass() { return hex_directions; }

std::string site_name(std::int64_t x, std::int64_t y) {
    std::string letters;
    for (; x > 0; x = (x - 1) / 26) letters.insert(letters.begin(), static_cast<char>('a' + (x - 1) % 26));
    return letters + std::to_string(y);
}

std::optional<std::pair<std::int64_t, std::int64_t>> site_coordinates(std::string_view name) {
    std::int64_t x = 0, y = 0;
    std::size_t i = 0;
    for (; i < name.size() && i <= 3 && name[i] >= 'a' && name[i] <= 'z'; ++i) x = x * 26 + (name[i] - 'a' + 1);
    if (i == 0 || i > 3 || i == name.size() || name.size() > i + 4) return {};
    for (; i < name.size(); ++i) {
        if (name[i] < '0' || name[i] > '9') return {};
        y = y * 10 + (name[i] - '0');
    }
    if (y == 0) return {};
    return std::pair(x, y);
}

bool is_injective(const ir::StepMap& map) {
    std::vector<bool> reached(map.to.size());
    for (auto to : map.to) {
        if (to < 0) continue;
        if (reached[static_cast<std::size_t>(to)]) return false;
        reached[static_cast<std::size_t>(to)] = true;
    }
    return true;
}

ir::StepMap coordinate_step(const ir::Board& board, std::string name, std::int64_t dx, std::int64_t dy) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> at;
    for (std::size_t i = 0; i < board.sites.size(); ++i)
        at[{board.sites[i].x, board.sites[i].y}] = static_cast<std::int32_t>(i);
    ir::StepMap map{.name = std::move(name), .to = {}};
    for (const auto& site : board.sites) {
        auto it = at.find({site.x + dx, site.y + dy});
        map.to.push_back(it == at.end() ? -1 : it->second);
    }
    return map;
}

void add_compass(ir::Board& board, std::span<const Compass> compass, bool grid) {
    board.dir_count = static_cast<std::uint32_t>(compass.size());
    for (auto* set : {&board.compass, &board.ortho, &board.diagonals, &board.axes, &board.adjacent})
        *set = Bits(compass.size());
    for (std::size_t i = 0; i < compass.size(); ++i) {
        const Compass& c = compass[i];
        board.steps.push(coordinate_step(board, std::string(c.name), c.dx, c.dy));
        board.compass.set(i);
        if (c.axis) board.axes.set(i);
        if (grid) (c.ortho ? board.ortho : board.diagonals).set(i);
        if (!grid || c.ortho) board.adjacent.set(i);
    }
}

// Adds the sites inside the shape for which the board's `where` holds, row by row from the bottom.
bool Boards::keep_sites(ir::Board& board, std::int64_t width, std::int64_t height, NodeId where,
                        const std::function<bool(std::int64_t, std::int64_t)>& inside) {
    board.width = static_cast<std::int32_t>(width);
    board.height = static_cast<std::int32_t>(height);
    const VarId x = builder_.new_var("x", types().integer(0, width + 1));
    const VarId y = builder_.new_var("y", types().integer(0, height + 1));
    ExprId kept = none_id<ExprId>;
    if (valid(where)) {
        const Names names(context_);
        push_local({.name = "x", .span = {}, .value = value(builder_.var(x, {}), {}), .warn = false});
        push_local({.name = "y", .span = {}, .value = value(builder_.var(y, {}), {}), .warn = false});
        kept = constants_.condition(where);
        if (!valid(kept)) return false;
        const Facts& facts = builder_.facts(kept);
        const bool open = std::ranges::any_of(facts.free, [&](VarId v) { return v != x && v != y; });
        if (open || facts.reads_state || facts.uses_me) {
            error(Message::NotConstant, span(where));
            return false;
        }
    }
    for (std::int64_t j = 1; j <= height; ++j)
        for (std::int64_t i = 1; i <= width; ++i) {
            if (!inside(i, j)) continue;
            if (valid(kept)) {
                builder_.bind_value(x, ir::scalar_value(i));
                builder_.bind_value(y, ir::scalar_value(j));
                if (builder_.evaluate(kept).scalar == 0) continue;
            }
            board.sites.push_back({site_name(i, j), static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
        }
    return true;
}

std::optional<std::int64_t> Boards::board_size(NodeId id, std::int64_t low) {
    const auto size = constants_.constant_int(id);
    if (!size) return {};
    if (*size < low || *size > static_cast<std::int64_t>(max_sites)) {
        error(Message::BoardSize, span(id), {std::to_string(*size), std::to_string(low), std::to_string(max_sites)});
        return {};
    }
    return size;
}

bool Boards::fits_board(std::int64_t sites, Span at) {
    if (sites <= static_cast<std::int64_t>(max_sites)) return true;
    error(Message::BoardTooLarge, at, {std::to_string(sites), std::to_string(max_sites)});
    return false;
}

bool Boards::grid_sites(NodeId shape, NodeId where, ir::Board& board) {
    board.shape = ir::BoardShape::Grid;
    const auto width = board_size(child(shape, 0), 1);
    const auto height = board_size(child(shape, 1), 1);
    if (!width || !height || !fits_board(*width * *height, span(shape))) return false;
    if (!keep_sites(board, *width, *height, where, [](auto, auto) { return true; })) return false;
    add_compass(board, grid_compass(), true);
    return true;
}

bool Boards::hex_sites(NodeId shape, NodeId where, ir::Board& board) {
    const bool rhombus = node(shape).text == "rhombus";
    board.shape = rhombus ? ir::BoardShape::Rhombus : ir::BoardShape::Hexagon;
    const auto size = board_size(child(shape, 0), 1);
    const NodeId second = child(shape, 1);
    const auto height = valid(second) ? board_size(second, 1) : size;
    if (!size || !height) return false;
    if (valid(second) && !rhombus) error(Message::HexagonSize, span(second));
    const std::int64_t n = *size;
    if (!fits_board(rhombus ? n * *height : 3 * n * (n - 1) + 1, span(shape))) return false;
    const std::int64_t side = 2 * n - 1;
    const bool kept = rhombus ? keep_sites(board, n, *height, where, [](auto, auto) { return true; })
                              : keep_sites(board, side, side, where, [&](std::int64_t x, std::int64_t y) {
                                    return x + y >= n + 1 && x + y <= 3 * n - 1;
                                });
    if (!kept) return false;
    add_compass(board, hex_compass(), false);
    return true;
}

// A hexagon of side size + 1 with a triangle of side `size` on each of its sides: two triangles of side 3 * size + 1
// laid over each other. Axial coordinates, the centre at (2 * size + 1, 2 * size + 1).
bool Boards::star_sites(NodeId shape, NodeId where, ir::Board& board) {
    board.shape = ir::BoardShape::Hexagon;
    const auto size = board_size(child(shape, 0), 1);
    if (!size || !fits_board(6 * *size * (*size + 1) + 1, span(shape))) return false;
    const std::int64_t n = *size, centre = 2 * n + 1;
    const auto inside = [&](std::int64_t x, std::int64_t y) {
        const std::int64_t a = x - centre, b = y - centre, c = -a - b;
        return (a >= -n && b >= -n && c >= -n) || (a <= n && b <= n && c <= n);
    };
    if (!keep_sites(board, 4 * n + 1, 4 * n + 1, where, inside)) return false;
    add_compass(board, hex_compass(), false);
    return true;
}

void add_tips(ir::Board& board) {
    const std::int64_t n = (board.width - 1) / 4, centre = 2 * n + 1;
    for (int tip = 0; tip < 6; ++tip) {
        Bits sites(board.sites.size());
        for (std::size_t i = 0; i < board.sites.size(); ++i) {
            const std::int64_t a = board.sites[i].x - centre, b = board.sites[i].y - centre, c = -a - b;
            const std::int64_t out[] = {-b, c, -a, b, -c, a}; // the distance from the centre towards each tip
            if (out[tip] > n) sites.set(i);
        }
        board.groups.push_back({"tip" + std::to_string(tip), std::move(sites)});
    }
}

bool Boards::ring_sites(NodeId shape, ir::Board& board) {
    board.shape = ir::BoardShape::Ring;
    const auto size = board_size(child(shape, 0), 1);
    if (!size) return false;
    board.width = static_cast<std::int32_t>(*size);
    board.height = 1;
    ir::StepMap on{.name = std::string(ring_directions[0]), .to = {}};
    ir::StepMap back{.name = std::string(ring_directions[1]), .to = {}};
    for (std::int32_t i = 0; i < board.width; ++i) {
        board.sites.push_back({"p" + std::to_string(i + 1), i + 1, 1});
        on.to.push_back((i + 1) % board.width);
        back.to.push_back((i + board.width - 1) % board.width);
    }
    board.steps.push(std::move(on));
    board.steps.push(std::move(back));
    board.dir_count = 2;
    board.ortho = board.diagonals = board.axes = Bits(2);
    board.axes.set(0);
    board.compass = board.adjacent = Bits::full(2);
    return true;
}

} // namespace zug::lang
