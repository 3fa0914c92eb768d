// Plays a game that is named on the command line, with a search for the first player and the first legal move for all
// others, then random games, and tells what came of it.

#include <zug/game.hpp>
#include <zug/observation.hpp>
#include <zug/playouts.hpp>
#include <zug/search.hpp>
#include <zug/solve.hpp>

#include <iostream>

namespace {

int tell(const zug::Error& error) {
    std::cerr << error.text << '\n';
    return 1;
}

int play(const zug::api::Game& game) {
    auto player = zug::api::Player::make(game, "alphabeta:depth=9");
    if (!player) return tell(player.error());
    zug::api::State state = game.initial();
    while (state.kind() == zug::api::Kind::Decision) {
        std::size_t move = 0;
        if (state.player() == 0) {
            const auto found = player->search(state);
            if (!found) return tell(found.error());
            move = found->move.value_or(0);
        }
        std::cout << state.texts()[move] << ' ';
        if (const auto done = state.play(move); !done) return tell(done.error());
    }
    std::cout << "utility " << state.utilities().front() << '\n';
    return 0;
}

int measure(const zug::api::Game& game) {
    const auto results = zug::api::playouts(game.initial(), {.games = 1000, .threads = 2});
    if (!results) return tell(results.error());
    const auto solution = zug::api::solve(game.initial());
    if (!solution) return tell(solution.error());
    std::cout << results->games << " random games, " << solution->positions << " positions, " << game.observer().size()
              << " numbers each\n";
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const auto game = zug::api::Game::load(argc > 1 ? argv[1] : "tic-tac-toe");
    if (!game) return tell(game.error());
    const int code = play(*game);
    return code != 0 ? code : measure(*game);
}
