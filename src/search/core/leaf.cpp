#include "search/core/leaf.hpp"

#include <array>

namespace zug::search {

namespace {

double half_difference(std::span<const double> values) { return (values[0] - values[1]) / 2; }

} // namespace

std::optional<double> terminal_value(game::Line& line, int ply, std::uint32_t players) {
    std::array<double, game::max_players> payoffs;
    if (!line.payoffs(ply, std::span(payoffs).first(players))) return std::nullopt;
    return payoffs[0];
}

double static_value(game::Line& line, int ply, std::uint32_t players) {
    std::array<double, game::max_players> payoffs;
    const std::span values = std::span(payoffs).first(players);
    line.evaluate(ply, values);
    return players == 2 ? half_difference(values) : values[0];
}

bool terminal_values(game::Line& line, int ply, std::span<double> out) { return line.payoffs(ply, out); }

void static_values(game::Line& line, int ply, const game::Traits& traits, std::span<double> out) {
    line.evaluate(ply, out);
    if (out.size() != 2 || !traits.zero_sum) return;
    out[0] = half_difference(out);
    out[1] = -out[0];
}

} // namespace zug::search
