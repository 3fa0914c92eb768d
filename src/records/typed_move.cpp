#include "records/typed_move.hpp"

namespace zug::records {

// What is wrong is said of the game's own way, unless chess players would call several moves so.
tl::expected<std::size_t, Error> TypedMoves::find(game::Game& game, const game::State& state,
                                                  const game::MoveList& moves, std::string_view text) const {
    auto own = game.parse_move(state, moves, text);
    if (own || !san_) return own;
    const auto called_so = san_->called(game, state, moves, text);
    if (called_so.size() == 1) return called_so.front();
    return called_so.empty() ? own : san_->find(game, state, moves, text);
}

} // namespace zug::records
