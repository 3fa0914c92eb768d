#include "match/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

namespace zug::match {

namespace {

using game::Game;
using game::NodeKind;
using game::State;

std::string fault_of(Game& game) {
    std::string text = game.fault_text();
    game.clear_fault();
    return text;
}

tl::expected<void, Error> same_game(const Game& game, const GameRecord& record) {
    if (record.game != game.program().title)
        return failure(fmt::format("the record is of {}, and this game is {}", record.game, game.program().title));
    if (record.players.size() != game.players())
        return failure(
            fmt::format("the record has {} players, and the game has {}", record.players.size(), game.players()));
    for (const auto& param : game.program().params) {
        const auto recorded = record.params.find(param.name);
        if (recorded != record.params.end() && recorded->second != param.value)
            return failure(fmt::format("the record was played with {} = {}, and here it is {}", param.name,
                                       recorded->second, param.value));
    }
    return {};
}

// The id of the move, which leads from `state` to `next`.
tl::expected<std::uint64_t, Error> step(Game& game, const State& state, const std::string& text, State& next) {
    game::MoveList moves;
    const NodeKind kind = game.expand(state, moves);
    if (kind == NodeKind::Terminal) return failure("the game is already over");
    if (kind == NodeKind::Fault) return failure(fault_of(game));
    const auto i = game.parse_move(state, moves, text);
    if (!i) return tl::unexpected(i.error());
    if (!game.successor(state, moves, *i, next)) return failure(fault_of(game));
    return moves.id(*i);
}

// Utilities are written with all their digits; the tolerance is for records made by hand.
bool same_utilities(const std::vector<double>& a, const std::vector<double>& b) {
    constexpr double tolerance = 1e-6;
    if (a.size() != b.size()) return false;
    for (std::size_t p = 0; p < a.size(); ++p)
        if (!(std::abs(a[p] - b[p]) <= tolerance * std::max(1.0, std::abs(b[p])))) return false;
    return true;
}

tl::expected<void, Error> same_end(Game& game, const State& state, const GameRecord& record) {
    const NodeKind kind = game.kind(state);
    game.clear_fault();
    const bool over = kind == NodeKind::Terminal;
    if (over != (record.end == End::Finished))
        return failure(over ? fmt::format("the game is over, and the record says `{}`", end_name(record.end))
                            : "the record says that the game is over, and it is not");
    if (!over) return {};
    std::vector<double> utilities(game.players());
    if (!game.payoffs(state, utilities)) return failure(game.fault_text());
    if (same_utilities(record.utilities, utilities)) return {};
    return failure(fmt::format("the result is {}, and the record says {}", fmt::join(utilities, ", "),
                               fmt::join(record.utilities, ", ")));
}

} // namespace

tl::expected<State, Error> replay(Game& game, const GameRecord& record, Line* line) {
    if (auto same = same_game(game, record); !same) return tl::unexpected(same.error());
    State state = game.initial(), next;
    if (!record.from.empty()) {
        auto from = game.parse_position(record.from);
        if (!from) return failure(fmt::format("the position the game began with: {}", from.error().text));
        state = std::move(*from);
    }
    if (line != nullptr) *line = {.start = state, .moves = {}};
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
        const auto move = step(game, state, record.moves[ply], next);
        if (!move) return failure(fmt::format("move {}, `{}`: {}", ply + 1, record.moves[ply], move.error().text));
        if (line != nullptr) line->moves.push_back(*move);
        std::swap(state, next);
    }
    if (auto same = same_end(game, state, record); !same) return tl::unexpected(same.error());
    return state;
}

} // namespace zug::match
