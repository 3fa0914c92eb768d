#include "draw/terminal/habits.hpp"

#include "draw/board/layout/random_games.hpp"
#include "draw/board/layout/travel.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace zug::draw::terminal {

using board::Sight;

namespace {

// Rings have no rows or columns from which it could be seen who sits where.
bool is_ring(const ir::Board& board) { return board.shape == ir::BoardShape::Ring; }

void add_owners(const Sight& sight, std::vector<std::vector<Owner>>& owners) {
    const ir::Program& program = sight.game.program();
    const std::uint32_t player = sight.game.to_move(sight.state);
    for (std::size_t i = 0; i < sight.moves.size(); ++i) {
        const auto steps = sight.moves.steps(i);
        const auto visits = board::visits_of(program, steps.front());
        if (visits.empty() || !is_ring(program.boards[visits.front().board])) continue;
        Owner& owner = owners[index(visits.front().board)][visits.front().site];
        owner.several |= owner.player && owner.player != player;
        const std::string text = steps.size() == 1 ? sight.game.move_text(sight.state, sight.moves, i) : "";
        owner.text = !owner.player || owner.text == text ? text : "";
        owner.player = player;
    }
}

// Where a player's men came to in a turn, and where the other one's went from.
struct Hit {
    std::vector<std::int64_t> to, from;
};

std::optional<Hit> hit_in(const Sight& sight, ir::StateId id) {
    const ir::Program& program = sight.game.program();
    const ir::StateVariable& state = program.states[id];
    std::vector<std::uint32_t> before, after;
    sight.game.executor().store(sight.state, before);
    sight.game.executor().store(*sight.next, after);
    const std::size_t places = program.types.cardinality(state.indices[1]);
    const std::size_t mover = sight.game.to_move(sight.state);
    Hit hit;
    for (std::size_t n = 0; n < places; ++n) {
        const std::size_t own = state.first_slot + mover * places + n,
                          other = state.first_slot + (1 - mover) * places + n;
        const std::int64_t place = program.types.value(state.indices[1], n);
        if (after[own] > before[own]) hit.to.push_back(place);
        if (after[other] < before[other]) hit.from.push_back(place);
    }
    return hit.to.empty() || hit.from.empty() ? std::nullopt : std::optional(std::move(hit));
}

// A man may go on after a hit, so that some hits show nothing.
std::optional<Meeting> meeting_of(const std::vector<Hit>& hits) {
    std::map<std::int64_t, std::size_t> votes;
    for (const Hit& hit : hits)
        for (const std::int64_t from : hit.from)
            for (const std::int64_t to : hit.to) ++votes[from + to];
    const auto best = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    if (best == votes.end() || 2 * best->second < hits.size()) return std::nullopt;
    std::set<std::int64_t> met;
    for (const Hit& hit : hits)
        for (const std::int64_t from : hit.from)
            if (std::ranges::find(hit.to, best->first - from) != hit.to.end()) met.insert({from, best->first - from});
    constexpr std::size_t few = 4; // which chance may bring about
    if (met.size() <= few) return std::nullopt;
    return Meeting{best->first, *met.begin()};
}

} // namespace

bool is_track(const ir::Program& program, ir::StateId id) {
    constexpr std::uint64_t least = 8;
    const ir::StateVariable& state = program.states[id];
    return state.assigned && !state.local && state.indices.size() == 2 &&
           program.types.kind(state.indices[0]) == ir::TypeKind::Player &&
           program.types.kind(state.indices[1]) == ir::TypeKind::Int &&
           program.types.kind(state.value) == ir::TypeKind::Int && program.types[state.value].lo == 0 &&
           program.types.cardinality(state.indices[1]) >= least;
}

Habits habits_of(const game::Game& game) {
    constexpr std::size_t positions = 3000;
    const ir::Program& program = game.program();
    Habits habits;
    bool rings = false;
    for (const ir::Board& board : program.boards) {
        habits.owners.emplace_back(board.sites.size());
        rings |= is_ring(board);
    }
    std::map<ir::StateId, std::vector<Hit>> hits;
    for (std::size_t i = 0; i < program.states.size(); ++i)
        if (const auto id = static_cast<ir::StateId>(i); game.players() == 2 && is_track(program, id)) hits[id];
    if (!rings && hits.empty()) return habits;
    board::watch_random_games(game, positions, [&](const Sight& sight) {
        if (sight.kind != game::NodeKind::Decision) return;
        if (rings) add_owners(sight, habits.owners);
        if (sight.next == nullptr) return;
        for (auto& [id, all] : hits)
            if (auto hit = hit_in(sight, id)) all.push_back(std::move(*hit));
    });
    for (const auto& [id, all] : hits)
        if (const auto meeting = meeting_of(all)) habits.meetings[id] = *meeting;
    return habits;
}

} // namespace zug::draw::terminal
