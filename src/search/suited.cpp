#include "search/suited.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace zug::search {

namespace {

constexpr std::uint64_t random_games = 16;
constexpr std::chrono::seconds most_time{1};
constexpr double nodes = 1e6, share_of_game = 0.5;

// Of a whole game; if a second is not enough, the end is taken to be far.
game::Shape shape_within_a_second(game::Game& game) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    return game::shape_of(game, game.initial(), random_games, [&] { return Clock::now() - begin < most_time; });
}

} // namespace

double least_leaves(double moves, double plies) { return 2 * std::pow(std::max(moves, 2.0), plies / 2); }

Suited suited(game::Game& game) {
    const game::Traits& traits = game.traits();
    const Method exact = automatic(traits);
    if (traits.players == 1) return {exact, "one player"};
    if (traits.teams() > 2 && !traits.chance && traits.has_eval)
        return {Method::Paranoid, "several players, no chance, and an evaluation"};
    if (traits.has_eval) return {exact, "the rules have an evaluation"};
    const game::Shape shape = shape_within_a_second(game);
    if (least_leaves(shape.moves, share_of_game * shape.plies) <= nodes)
        return {exact, "the end of the game is in sight"};
    return {Method::MonteCarlo, "no evaluation, and the end of the game is far"};
}

Method method_for(const std::optional<Method>& named, bool exact, game::Game& game) {
    if (named) return *named;
    return exact ? automatic(game.traits()) : suited(game).method;
}

} // namespace zug::search
