#include "search/core/leaf.hpp"

#include <array>

namespace zug::search {

std::optional<double> terminal_value(game::Line& line, int ply, const game::Traits& traits, std::uint32_t player) {
    std::array<double, game::max_players> payoffs;
    if (!line.payoffs(ply, std::span(payoffs).first(traits.players))) return std::nullopt;
    return payoffs[player];
}

double static_value(game::Line& line, int ply, const game::Traits& traits, std::uint32_t player) {
    std::array<double, game::max_players> values;
    static_values(line, ply, traits, std::span(values).first(traits.players));
    return values[player];
}

bool terminal_values(game::Line& line, int ply, std::span<double> out) { return line.payoffs(ply, out); }

void static_values(game::Line& line, int ply, const game::Traits& traits, std::span<double> out) {
    line.evaluate(ply, out);
    if (!traits.zero_sum) return;
    share_out((out[0] - out[traits.rival]) / 2, traits.first_side, out);
}

} // namespace zug::search
