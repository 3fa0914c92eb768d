// Games as smart game format.

#include "engines/stones.hpp"
#include "records/sgf.hpp"
#include "records/sgf_board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace zug::records {

namespace {

std::string property(std::string_view name, std::string_view value) {
    std::string escaped;
    for (const char c : value) {
        if (c == ']' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return fmt::format("{}[{}]", name, escaped);
}

// By how much is written where a game is about more than who wins.
std::string result_of(const game::Game& game, const SgfBoard& board, const match::GameRecord& record) {
    if (!match::is_scored(record.end)) return "?";
    const std::uint32_t black = board.player('B');
    const double lead = (record.utilities[black] - record.utilities[1 - black]) / 2;
    if (lead == 0) return "0";
    const bool one = record.end == match::End::Forfeit || game.traits().max_utility <= 1;
    return fmt::format("{}+{}", lead > 0 ? 'B' : 'W', one ? "" : fmt::format("{:g}", std::abs(lead)));
}

std::string head(const game::Game& game, const SgfBoard& board, const match::GameRecord& record) {
    const std::int32_t width = board.vertices().width(), height = board.vertices().height();
    std::string text = "(;FF[4]CA[UTF-8]" + property("GN", game.program().title) + property("AP", "Zug") +
                       property("SZ", width == height ? std::to_string(width) : fmt::format("{}:{}", width, height));
    if (const ir::Param* komi = komi_of(game.program())) text += property("KM", komi->value);
    return text + property("PB", record.players[board.player('B')]) +
           property("PW", record.players[board.player('W')]) + property("RE", result_of(game, board, record));
}

tl::expected<std::string, Error> first_position(game::Game& game, const SgfBoard& board, const game::State& state) {
    const auto stones = engines::stones_of(game, board.vertices(), state);
    if (!stones) return failure(fmt::format("SGF can't express where the game began: {}", stones.error().text));
    std::string text;
    for (const char colour : {'B', 'W'}) {
        std::string points;
        for (const auto& stone : *stones)
            if (board.colour(stone.player) == colour) points += fmt::format("[{}]", board.point_text(stone.point));
        if (!points.empty()) text += fmt::format("A{}{}", colour, points);
    }
    return fmt::format("{}PL[{}]", text, board.colour(game.to_move(state)));
}

} // namespace

std::string sgf_refusal(const game::Game& game) {
    const auto board = SgfBoard::of(game);
    return board ? "" : board.error().text;
}

tl::expected<std::string, Error> to_sgf(game::Game& game, const match::GameRecord& record) {
    const auto board = SgfBoard::of(game);
    if (!board) return tl::unexpected(board.error());
    std::string text = head(game, *board, record);
    game::State state = game.initial();
    if (!record.from.empty()) {
        auto from = game.parse_position(record.from);
        if (!from) return tl::unexpected(from.error());
        state = std::move(*from);
        const auto position = first_position(game, *board, state);
        if (!position) return tl::unexpected(position.error());
        text += *position;
    }
    constexpr std::size_t moves_a_line = 10;
    game::MoveList moves;
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
        if (game.expand(state, moves) == game::NodeKind::Fault) return failure(game.fault_text());
        const auto move = game.parse_move(state, moves, record.moves[ply]);
        if (!move) return tl::unexpected(move.error());
        const auto point = board->vertices().point(game.program(), moves, *move);
        const std::string& own = record.moves[ply];
        const std::string value = point ? board->point_text(*point) : own == "pass" ? "" : own;
        text += ply % moves_a_line == 0 ? "\n" : "";
        text += ";" + property(std::string(1, board->colour(game.to_move(state))), value);
        game::State next;
        if (!game.successor(state, moves, *move, next)) return failure(game.fault_text());
        state = std::move(next);
    }
    return text + ")\n";
}

} // namespace zug::records
