#include "search/suited.hpp"

#include "game/selfplay/random_games.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace zug::search {

namespace {

constexpr std::uint64_t random_games = 16;
constexpr std::chrono::seconds most_time{1};
constexpr double nodes = 1e6, share_of_game = 0.5;

// What random games are like.
struct Shape {
    double moves = 0; // of a position, on the average
    double plies = 0; // of a game
};

Shape shape_of(game::Game& game) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    double positions = 0, moves = 0, begun = 0;
    game::play_random_games(game, game.initial(), random_games, [&](const game::State& state, std::uint32_t ply) {
        if (ply == 0) begun += 1;
        positions += 1;
        moves += static_cast<double>(game.count(state));
        return Clock::now() - begin < most_time;
    });
    game.clear_fault();
    return {moves / std::max(positions, 1.0), positions / std::max(begun, 1.0)};
}

// Knuth and Moore: about twice the square root of all leaves are read.
double depth_of(double moves) { return 2 * std::log(nodes / 2) / std::log(std::max(moves, 2.0)); }

} // namespace

Suited suited(game::Game& game) {
    const game::Traits& traits = game.traits();
    const Method exact = automatic(traits);
    if (traits.players == 1) return {exact, "one player"};
    if (traits.teams() > 2 && !traits.chance && traits.has_eval)
        return {Method::Paranoid, "several players, no chance, and an evaluation"};
    if (traits.has_eval) return {exact, "the rules have an evaluation"};
    const Shape shape = shape_of(game);
    if (depth_of(shape.moves) >= share_of_game * shape.plies) return {exact, "the end of the game is in sight"};
    return {Method::MonteCarlo, "no evaluation, and the end of the game is far"};
}

} // namespace zug::search
