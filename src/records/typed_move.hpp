#pragma once
// The move that a person types: as the game writes its moves, or, in games like chess, as players of chess write
// theirs.

#include "records/san.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace zug::records {

class TypedMoves {
public:
    explicit TypedMoves(game::Game& game) : san_(San::of(game)) {}

    // The index in the list; `game` is the one of the constructor. The error: none is called so, or several.
    tl::expected<std::size_t, Error> find(game::Game& game, const game::State& state, const game::MoveList& moves,
                                          std::string_view text) const;
    // Plays a line of moves, as Game::play_line does. A line of chess may have the numbers that records have before
    // moves: `1. e4 e5 2. Nf3`.
    tl::expected<game::State, Error> play_line(game::Game& game, const game::State& from, std::string_view line,
                                               std::vector<std::uint64_t>* ids = nullptr) const;

private:
    std::optional<San> san_; // none: the game's own way is the only one
};

} // namespace zug::records
