#include "search/leaf.hpp"

#include <array>

namespace zug::search {

namespace {

std::span<double> by_player(std::array<double, max_players>& room, const game::Game& game) {
    return {room.data(), game.players()};
}

double half_difference(std::span<const double> values) { return (values[0] - values[1]) / 2; }

} // namespace

double terminal_value(game::Game& game, const game::State& state) {
    std::array<double, max_players> room;
    game.payoffs(state, by_player(room, game));
    return room[0];
}

double static_value(game::Game& game, const game::State& state) {
    std::array<double, max_players> room;
    const auto values = by_player(room, game);
    game.evaluate(state, values);
    return values.size() == 2 ? half_difference(values) : values[0];
}

void terminal_values(game::Game& game, const game::State& state, std::span<double> out) { game.payoffs(state, out); }

void static_values(game::Game& game, const game::State& state, std::span<double> out) {
    game.evaluate(state, out);
    if (out.size() != 2 || !game.traits().zero_sum) return;
    out[0] = half_difference(out);
    out[1] = -out[0];
}

} // namespace zug::search
