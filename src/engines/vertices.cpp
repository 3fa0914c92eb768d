#include "engines/vertices.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <strings.h>

namespace zug::engines {

namespace {

constexpr std::string_view columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

bool is_word(std::string_view text, std::string_view word) {
    return text.size() == word.size() && ::strncasecmp(text.data(), word.data(), word.size()) == 0;
}

std::optional<Point> point_named(std::string_view text) {
    if (text.size() < 2) return std::nullopt;
    const char letter = text[0] >= 'a' && text[0] <= 'z' ? static_cast<char>(text[0] - 'a' + 'A') : text[0];
    const std::size_t column = columns.find(letter);
    const auto row = number_in<std::int32_t>(text.substr(1));
    if (column == columns.npos || !row) return std::nullopt;
    return Point{static_cast<std::int32_t>(column) + 1, *row};
}

bool has_columns_and_rows(const ir::Board& board) {
    return board.shape == ir::BoardShape::Grid || board.shape == ir::BoardShape::Rhombus;
}

// The first rule whose only parameter is a site of a board of columns and rows.
std::optional<std::pair<ir::RuleId, ir::BoardId>> placing_rule(const ir::Program& program) {
    for (std::size_t i = 0; i < program.rules.size(); ++i) {
        const auto id = static_cast<ir::RuleId>(i);
        const ir::Rule& rule = program.rules[id];
        if (rule.chance || rule.params.size() != 1) continue;
        const ir::Type& type = program.types[program.vars[rule.params[0]].type];
        if (type.kind != ir::TypeKind::Site) continue;
        const auto board = static_cast<ir::BoardId>(type.ref);
        if (has_columns_and_rows(program.boards[board])) return std::pair(id, board);
    }
    return std::nullopt;
}

} // namespace

tl::expected<Vertices, Error> Vertices::of(const game::Game& game) {
    const ir::Program& program = game.program();
    const auto refuse = [&](std::string_view why) {
        return failure(fmt::format("{} can't be played by GTP, which is for two players who place stones in turn: {}",
                                   program.title, why));
    };
    if (game.players() != 2) return refuse(fmt::format("it has {} players", game.players()));
    if (game.traits().chance) return refuse("it has chance events");
    const auto rule = placing_rule(program);
    if (!rule) return refuse("it has no rule of which each move is a point of a grid");
    const ir::Board& board = program.boards[rule->second];
    if (board.width > static_cast<std::int32_t>(columns.size()))
        return refuse(fmt::format("its board has more than {} columns", columns.size()));
    Vertices vertices;
    vertices.rule_ = rule->first;
    vertices.board_ = rule->second;
    vertices.width_ = board.width;
    vertices.height_ = board.height;
    vertices.black_ = is_word(program.players[1], "black") ? 1 : 0;
    return vertices;
}

std::int32_t Vertices::most_columns() { return static_cast<std::int32_t>(columns.size()); }

std::optional<Point> Vertices::point(const ir::Program& program, const game::MoveList& moves, std::size_t i) const {
    const auto steps = moves.steps(i);
    if (steps.size() != 1 || steps[0] == run::pass_code) return std::nullopt;
    ir::RuleId rule{};
    std::vector<std::int64_t> params;
    ir::decode_step(program, steps[0], rule, params);
    if (rule != rule_) return std::nullopt;
    const ir::Site& site = program.boards[board_].sites[static_cast<std::size_t>(params[0])];
    return Point{site.x, site.y};
}

std::optional<std::size_t> Vertices::find(const ir::Program& program, const game::MoveList& moves, Point point) const {
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (const auto at = this->point(program, moves, i); at && at->x == point.x && at->y == point.y) return i;
    return std::nullopt;
}

tl::expected<std::size_t, Error> Vertices::find(game::Game& game, const game::State& state, const game::MoveList& moves,
                                                std::string_view text) const {
    if (const auto point = point_named(text)) {
        if (const auto found = find(game.program(), moves, *point)) return *found;
        return failure("illegal move");
    }
    // Moves that have a point go by its vertex alone: the game's own columns may have an i, which vertices leave out.
    auto found = game.parse_move(state, moves, text);
    if (found && point(game.program(), moves, *found)) return failure("illegal move");
    return found;
}

std::string Vertices::text(game::Game& game, const game::State& state, const game::MoveList& moves,
                           std::size_t i) const {
    const auto at = point(game.program(), moves, i);
    if (!at) return game.move_text(state, moves, i);
    return this->text(*at);
}

std::string Vertices::text(Point point) const {
    return fmt::format("{}{}", columns[static_cast<std::size_t>(point.x - 1)], point.y);
}

std::optional<Point> Vertices::point_in(std::string_view text) const {
    const auto point = point_named(text);
    const bool inside = point && point->x <= width_ && point->y >= 1 && point->y <= height_;
    return inside ? point : std::nullopt;
}

std::optional<std::uint32_t> Vertices::player(std::string_view colour) const {
    if (is_word(colour, "b") || is_word(colour, "black")) return black_;
    if (is_word(colour, "w") || is_word(colour, "white")) return 1 - black_;
    return std::nullopt;
}

} // namespace zug::engines
