#include "cli/outcome.hpp"

#include "game/game.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <vector>

namespace zug::cli {

namespace {

// A single player: wins or loses at utility 1 or -1, else gets the utility.
std::string solitaire_text(const std::string& player, double payoff) {
    if (payoff == 1) return player + " wins";
    if (payoff == -1) return player + " loses";
    return fmt::format("{} gets {:.6g}", player, payoff);
}

} // namespace

std::string outcome_text(const game::Game& game, std::span<const double> payoffs) {
    if (payoffs.size() == 1) return solitaire_text(game.player_name(0), payoffs[0]);
    const auto [least, most] = std::ranges::minmax(payoffs);
    const game::Traits& traits = game.traits();
    std::vector<std::string> winners, all;
    std::set<std::uint32_t> winning; // teams
    for (std::size_t p = 0; p < payoffs.size(); ++p) {
        const std::string& name = game.player_name(static_cast<std::uint32_t>(p));
        if (payoffs[p] == most) winners.push_back(name), winning.insert(traits.team[p]);
        all.push_back(fmt::format("{} {:.6g}", name, payoffs[p]));
    }
    std::string text = least == most
                           ? "draw"
                           : fmt::format("{} {}", fmt::join(winners, " and "), winners.size() == 1 ? "wins" : "win");
    const bool plain = least == most ? most == 0 : most == 1 && winning.size() == 1;
    if (!plain) text += fmt::format(" ({})", fmt::join(all, ", "));
    return text;
}

std::string expected_text(const game::Game& game, std::span<const double> values,
                          std::optional<double> win_probability) {
    const bool alone = game.traits().first_side == 1;
    const std::string first = game.team_name(0);
    if (win_probability)
        return fmt::format("{} {} with probability {:.9f}", first, alone ? "wins" : "win", *win_probability);
    if (values.size() == 1 || game.traits().zero_sum || (values.size() == 2 && values[0] == -values[1]))
        return fmt::format("{} {} {:.9g}", first, alone ? "expects" : "expect", values.front());
    std::vector<std::string> all;
    for (std::size_t p = 0; p < values.size(); ++p)
        all.push_back(fmt::format("{} {:.9g}", game.player_name(static_cast<std::uint32_t>(p)), values[p]));
    return fmt::format("expected: {}", fmt::join(all, ", "));
}

} // namespace zug::cli
