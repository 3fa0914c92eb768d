#include "protocols/session/findings.hpp"

#include <utility>

namespace zug::protocols {

Line line_of(game::Game& game, const game::State& root, search::Result result) {
    const game::State last = search::write_pv(game, root, result);
    const bool whole = result.pv.size() == result.pv_ids.size() && !game.faulted();
    game.clear_fault();
    return {.ids = std::move(result.pv_ids),
            .moves = std::move(result.pv),
            .value = std::move(result.value),
            .depth = result.depth,
            .exact = result.exact,
            .ends = whole && game.kind(last) == game::NodeKind::Terminal};
}

} // namespace zug::protocols
