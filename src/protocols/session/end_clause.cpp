#include "protocols/session/end_clause.hpp"

namespace zug::protocols {

std::optional<Span> end_clause(game::Game& game, const game::State& state) {
    for (const ir::EndClause& end : game.program().ends)
        if (game.executor().holds(state, end.condition)) return end.span;
    return std::nullopt;
}

} // namespace zug::protocols
