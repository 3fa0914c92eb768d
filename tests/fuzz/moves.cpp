// A line of moves, as after --moves or at the prompt. It is played, or the error can be shown.

#include "tests/fuzz/games.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace zug;
    fuzz::with_game(data, size, [](fuzz::Pair& pair, std::string_view text) {
        game::Game& game = pair.game;
        const auto end = game.play_line(game.initial(), text);
        if (!end) fuzz::require_fit_for_people(end.error().text);
        game.clear_fault();
    });
    return 0;
}
