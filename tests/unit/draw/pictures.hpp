#pragma once
// Pictures of positions as texts, and what is in them.

#include "draw/board/picture.hpp"
#include "lang/load.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace zug {

// After the moves.
inline std::string drawn(game::Game& game, const std::string& moves = "",
                         const draw::board::PictureOptions& options = {}) {
    std::vector<std::uint64_t> ids;
    const auto state = game.play_line(game.initial(), moves, &ids);
    REQUIRE_MESSAGE(state, state.error().text);
    const auto picture =
        draw::board::picture_of(game, *state, draw::board::last_move(game, game.initial(), ids), options);
    REQUIRE_MESSAGE(picture, picture.error().text);
    return *picture;
}

inline game::Game game_from(const std::string& text) {
    const lang::Loaded loaded = lang::load_text("test.zug", text);
    REQUIRE(loaded.program);
    return game::Game(loaded.program);
}

inline std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

} // namespace zug
