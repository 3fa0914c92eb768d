#include "draw/board/layout/travel.hpp"

#include "draw/board/layout/random_games.hpp"
#include "draw/board/pieces/bare.hpp"

#include <algorithm>
#include <set>

namespace zug::draw::board {

namespace {

// Whether a step of the rule can lead from a site to another.
bool is_travel(const ir::Program& program, const ir::Rule& rule) {
    std::size_t sites = 0, all = 0;
    for (const ir::VarId param : rule.params) {
        const ir::TypeKind kind = bare_kind(program, program.vars[param].type);
        sites += kind == ir::TypeKind::Site ? 1 : 0;
        all += kind == ir::TypeKind::Site || kind == ir::TypeKind::Dir ? 1 : 0;
    }
    return !rule.chance && sites >= 1 && all >= 2;
}

using Found = std::vector<std::set<Travel>>;

void add_travels(const ir::Program& program, const game::MoveList& moves, Found& found) {
    for (std::size_t i = 0; i < moves.size(); ++i)
        for (const game::StepCode step : moves.steps(i)) {
            const std::vector<Visit> visits = visits_of(program, step);
            for (std::size_t v = 1; v < visits.size(); ++v)
                if (visits[v].board == visits[v - 1].board)
                    found[index(visits[v].board)].insert({visits[v - 1].site, visits[v].site});
        }
}

// Calls f(type, value) for each parameter of a step.
template <class F>
void each_argument(const ir::Program& program, game::StepCode step, F&& f) {
    if (step == run::pass_code) return;
    ir::RuleId rule{};
    std::vector<std::int64_t> values;
    ir::decode_step(program, step, rule, values);
    for (std::size_t i = 0; i < values.size(); ++i) f(program.vars[program.rules[rule].params[i]].type, values[i]);
}

} // namespace

std::vector<Visit> visits_of(const ir::Program& program, game::StepCode step) {
    std::vector<Visit> visits;
    each_argument(program, step, [&](ir::TypeId type, std::int64_t value) {
        if (value == ir::none) return;
        const auto board = static_cast<ir::BoardId>(program.types[bare(program, type)].ref);
        if (bare_kind(program, type) == ir::TypeKind::Site) visits.push_back({board, static_cast<std::size_t>(value)});
        if (bare_kind(program, type) != ir::TypeKind::Dir || visits.empty() || visits.back().board != board) return;
        const auto& to = program.boards[board].steps[static_cast<ir::StepId>(value)].to;
        if (const std::int32_t site = to[visits.back().site]; site >= 0)
            visits.push_back({board, static_cast<std::size_t>(site)});
    });
    return visits;
}

std::vector<PlaceVisit> place_visits_of(const ir::Program& program, game::StepCode step) {
    std::vector<PlaceVisit> visits;
    each_argument(program, step, [&](ir::TypeId type, std::int64_t value) {
        for (std::size_t t = 0; t < program.looks.places.size(); ++t) {
            if (program.states[program.looks.places[t].state].indices[1] != type) continue;
            if (const auto place = program.types.ordinal(type, value)) visits.push_back({t, *place});
        }
    });
    return visits;
}

std::vector<std::vector<Travel>> travels_of(const game::Game& game, std::size_t positions) {
    const ir::Program& program = game.program();
    Found found(program.boards.size());
    if (std::ranges::any_of(program.rules, [&](const ir::Rule& rule) { return is_travel(program, rule); }))
        watch_random_games(game, positions, [&](const Sight& sight) {
            if (sight.kind == game::NodeKind::Decision) add_travels(program, sight.moves, found);
        });
    std::vector<std::vector<Travel>> travels;
    for (const auto& all : found) travels.emplace_back(all.begin(), all.end());
    return travels;
}

} // namespace zug::draw::board
