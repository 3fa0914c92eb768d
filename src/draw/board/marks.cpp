#include "draw/board/marks.hpp"

#include "draw/board/layout/travel.hpp"

namespace zug::draw::board {

Marks no_marks(const ir::Program& program) {
    Marks marks;
    for (const ir::Board& board : program.boards) marks.emplace_back(board.sites.size());
    return marks;
}

void mark_last(Marks& marks, const LastMove& last, const View& before, const View& now) {
    const ir::Program& program = now.program();
    for (const game::StepCode step : last.steps)
        for (const Visit& visit : visits_of(program, step)) marks[index(visit.board)][visit.site].named = true;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& state = program.states[id];
        const bool map = state.indices.size() == 1 && program.types.kind(state.indices[0]) == ir::TypeKind::Site;
        if (!map || state.local || program.types.kind(state.value) == ir::TypeKind::Set) continue;
        auto& sites = marks[program.types[state.indices[0]].ref];
        for (std::size_t site = 0; site < sites.size(); ++site)
            if (before.value(id, site) != now.value(id, site)) sites[site].changed = true;
    }
}

void mark_targets(Marks& marks, const ir::Program& program, const game::MoveList& moves) {
    for (std::size_t i = 0; i < moves.size(); ++i)
        for (const game::StepCode step : moves.steps(i)) {
            const std::vector<Visit> visits = visits_of(program, step);
            for (std::size_t v = 0; v < visits.size(); ++v) {
                Mark& mark = marks[index(visits[v].board)][visits[v].site];
                (v + 1 < visits.size() ? mark.origin : mark.target) = true;
            }
        }
}

} // namespace zug::draw::board
