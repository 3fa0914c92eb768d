#include "cli/play/thoughts.hpp"

#include "cli/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace zug::cli {

namespace {

std::string number_words(double value) {
    return std::abs(value) < 10 ? fmt::format("{:+.2f}", value) : fmt::format("{:+.0f}", value);
}

// How many moves of a line a player makes, if the game is over at its end.
std::optional<std::size_t> moves_to_end(game::Game& game, game::State state, const search::Result& result,
                                        std::uint32_t player) {
    std::size_t made = 0;
    game::MoveList moves;
    game::State next;
    for (const std::uint64_t id : result.pv_ids) {
        if (game.expand(state, moves) != game::NodeKind::Decision) break;
        const auto move = moves.find(id);
        if (!move || !game.successor(state, moves, *move, next)) break;
        if (game.to_move(state) == player) ++made;
        std::swap(state, next);
    }
    game.clear_fault();
    return game.kind(state) == game::NodeKind::Terminal ? std::optional(made) : std::nullopt;
}

} // namespace

std::string value_words(const game::Game& game, const search::Result& result, std::uint32_t player) {
    if (!result.exact)
        return fmt::format("about {} for {}", number_words(result.value[player]), game.player_name(player));
    return game.traits().chance ? expected_text(game, result.value, std::nullopt) : outcome_text(game, result.value);
}

std::string verdict_words(game::Game& game, const game::State& root, const search::Result& result) {
    std::string words = value_words(game, result, game.to_move(root));
    const auto [least, most] = std::ranges::minmax(result.value);
    const bool won = game.players() == 1 ? most > 0 : least < most;
    // Only a search that has looked for shorter wins before knows that there is none.
    const bool shortest = result.depth > 0 && result.pv_ids.size() <= static_cast<std::size_t>(result.depth);
    if (!result.exact || !won || !shortest || game.traits().chance) return words;
    const auto winner = static_cast<std::uint32_t>(std::ranges::max_element(result.value) - result.value.begin());
    if (const auto made = moves_to_end(game, root, result, winner)) words += fmt::format(" in {}", *made);
    return words;
}

} // namespace zug::cli
