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

// The one map from points of the board to players.
tl::expected<ir::StateId, Error> SgfBoard::map(const ir::Program& program) const {
    std::optional<ir::StateId> found;
    for (std::size_t i = 0; i < program.states.size(); ++i) {
        const auto id = static_cast<ir::StateId>(i);
        const ir::StateVariable& state = program.states[id];
        if (state.indices.size() != 1 || program.types.kind(state.value) != ir::TypeKind::Optional) continue;
        const ir::Type& index = program.types[state.indices[0]];
        const bool of_stones = index.kind == ir::TypeKind::Site &&
                               static_cast<ir::BoardId>(index.ref) == vertices_.board() &&
                               program.types.inner(state.value) == program.player_type;
        if (!of_stones) continue;
        if (found) return failure(fmt::format("{} has several maps of stones", program.title));
        found = id;
    }
    if (found) return *found;
    return failure(fmt::format("{} has no map from points to the player whose stone is there", program.title));
}

tl::expected<game::State, Error> SgfBoard::position(game::Game& game, const std::vector<Stone>& stones,
                                                    std::uint32_t to_move) const {
    const ir::Program& program = game.program();
    std::vector<std::uint32_t> slots;
    game.executor().store(game.initial(), slots);
    slots[program.slot_count] = to_move;
    if (!stones.empty()) {
        const auto map = this->map(program);
        if (!map) return tl::unexpected(map.error());
        const ir::StateVariable& variable = program.states[*map];
        const auto& sites = program.boards[vertices_.board()].sites;
        for (const Stone& stone : stones) {
            const auto site = std::ranges::find_if(
                sites, [&](const ir::Site& one) { return one.x == stone.point.x && one.y == stone.point.y; });
            const auto value = program.types.ordinal(variable.value, stone.player);
            if (site == sites.end() || !value) return failure("there is no such point on the board");
            slots[variable.first_slot + static_cast<std::size_t>(site - sites.begin())] =
                static_cast<std::uint32_t>(*value);
        }
    }
    game::State state;
    game.executor().load(slots, state);
    return state;
}

tl::expected<std::vector<SgfBoard::Stone>, Error> SgfBoard::stones(game::Game& game, const game::State& state) const {
    const ir::Program& program = game.program();
    std::vector<Stone> stones;
    std::vector<std::uint32_t> slots, initial;
    game.executor().store(state, slots);
    game.executor().store(game.initial(), initial);
    if (const auto map = this->map(program)) {
        const ir::StateVariable& variable = program.states[*map];
        const auto& sites = program.boards[vertices_.board()].sites;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const std::uint32_t slot = slots[variable.first_slot + i];
            const std::int64_t owner = program.types.value(variable.value, slot);
            if (slot != initial[variable.first_slot + i] && owner != ir::none)
                stones.push_back({{sites[i].x, sites[i].y}, static_cast<std::uint32_t>(owner)});
        }
    }
    const auto again = position(game, stones, game.to_move(state));
    if (again && game.hash(*again) == game.hash(state)) return stones;
    return failure("the game began in a position that SGF can't express");
}

} // namespace zug::records
