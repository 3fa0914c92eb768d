#include "draw/board/marks.hpp"

#include "draw/board/layout/travel.hpp"
#include "game/position.hpp"

namespace zug::draw::board {

namespace {

// The places that a step names, as the player sees them.
void mark_places(Marks& marks, const ir::Program& program, game::StepCode step, std::uint32_t player) {
    for (const PlaceVisit& visit : place_visits_of(program, step)) {
        const ir::TypeId places = program.states[program.looks.places[visit.track].state].indices[1];
        marks.tracks[visit.track][player * program.types.cardinality(places) + visit.place].target = true;
    }
}

} // namespace

Marks no_marks(const ir::Program& program) {
    Marks marks;
    for (const ir::Board& board : program.boards) marks.boards.emplace_back(board.sites.size());
    for (const ir::PlaceLook& look : program.looks.places)
        marks.tracks.emplace_back(game::entry_count(program, program.states[look.state]));
    return marks;
}

void mark_last(Marks& marks, const LastMove& last, const View& before, const View& now) {
    const ir::Program& program = now.program();
    for (const game::StepCode step : last.steps)
        for (const Visit& visit : visits_of(program, step)) marks.boards[index(visit.board)][visit.site].named = true;
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& state = program.states[id];
        const bool map = state.indices.size() == 1 && program.types.kind(state.indices[0]) == ir::TypeKind::Site;
        if (!map || state.local || program.types.kind(state.value) == ir::TypeKind::Set) continue;
        auto& sites = marks.boards[program.types[state.indices[0]].ref];
        for (std::size_t site = 0; site < sites.size(); ++site)
            if (before.value(id, site) != now.value(id, site)) sites[site].changed = true;
    }
    for (std::size_t t = 0; t < marks.tracks.size(); ++t)
        for (std::size_t i = 0; i < marks.tracks[t].size(); ++i) {
            const ir::StateId id = program.looks.places[t].state;
            if (before.value(id, i) != now.value(id, i)) marks.tracks[t][i].changed = true;
        }
}

void mark_targets(Marks& marks, const ir::Program& program, const game::MoveList& moves, std::uint32_t mover) {
    for (std::size_t i = 0; i < moves.size(); ++i)
        for (const game::StepCode step : moves.steps(i)) {
            mark_places(marks, program, step, mover);
            const std::vector<Visit> visits = visits_of(program, step);
            for (std::size_t v = 0; v < visits.size(); ++v) {
                Mark& mark = marks.boards[index(visits[v].board)][visits[v].site];
                (v + 1 < visits.size() ? mark.origin : mark.target) = true;
            }
        }
}

} // namespace zug::draw::board
