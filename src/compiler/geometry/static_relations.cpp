#include "compiler/geometry/static_relations.hpp"

#include "compiler/analysis/dependence.hpp"
#include "compiler/analysis/substitution.hpp"
#include "ir/evaluate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

constexpr std::size_t most_maps = 64;
constexpr std::size_t most_sites = 400; // of a board

class Relations {
public:
    explicit Relations(const ir::Program& program)
        : program_(program), dependences_(program), evaluator_(program, nullptr, &work_) {}

    std::uint64_t replace_all(ir::Program& program) {
        std::vector<ExprId> found;
        for (std::size_t k = 0; k < program_.exprs.size(); ++k)
            if (const auto e = static_cast<ExprId>(k); is_relation(e) || is_function(e)) found.push_back(e);
        std::vector<bool> inside(program_.exprs.size(), false);
        for (const ExprId e : found)
            for (const ExprId part : program_.arguments(e)) cover(part, inside);
        std::uint64_t changed = 0;
        for (std::size_t k = 0; k < program_.exprs.size(); ++k)
            if (!inside[k] && !work_.spent() && narrow(static_cast<ExprId>(k), program)) ++changed;
        for (const ExprId e : found)
            if (!inside[index(e)] && !work_.spent() && (is_relation(e) ? replace(e, program) : make_step(e, program)))
                ++changed;
        return changed;
    }

private:
    bool is_relation(ExprId e) {
        const ir::Expr& x = program_.exprs[e];
        if (program_.types.kind(x.type) != TypeKind::Bool || x.op == Op::Var) return false;
        const Dependence& on = dependences_.of(e);
        const bool joins = x.op == Op::Or || x.op == Op::And;
        if (on.on_more || !(on.computes || joins) || on.names.size() != 2) return false;
        const ir::TypeId a = program_.vars[on.names[0]].type, b = program_.vars[on.names[1]].type;
        return a == b && program_.types.kind(a) == TypeKind::Site && board_of(a).sites.size() <= most_sites;
    }

    // A site that depends on another, such as the next one of a board that is joined at its edges, unless it is written
    // as a path or by coordinates alone, which are followed as they are.
    bool is_function(ExprId e) {
        const ir::Expr& x = program_.exprs[e];
        if (program_.types.kind(x.type) != TypeKind::Optional) return false;
        const bool chosen = x.op == Op::If || x.op == Op::Let ||
                            (x.op == Op::The && program_.exprs[program_.argument(e, 0)].op != Op::Image &&
                             program_.exprs[program_.argument(e, 0)].op != Op::Single);
        const ir::TypeId site = program_.types.inner(x.type);
        if (!chosen || program_.types.kind(site) != TypeKind::Site) return false;
        const Dependence& on = dependences_.of(e);
        return !on.on_more && on.names.size() == 1 && program_.vars[on.names[0]].type == site &&
               board_of(site).sites.size() <= most_sites;
    }

    // Of a quantifier: which pairs of its member and of one other site what is known beforehand allows.
    struct Allowed {
        ir::VarId other{};
        std::vector<ExprId> sets = {}, conditions = {}; // of `all`, the member is exempt where a condition holds
        std::vector<ExprId> domain = {}, rest = {};
    };

    // A set that depends on another site, and the conditions on it and on a quantifier's member, are one path: `all d
    // in col(x(c)): y(d) >= y(c) or P(d)` is about the sites below c. Each alone may have too many steps.
    bool narrow(ExprId e, ir::Program& program) {
        const ir::Expr& binder = program_.exprs[e];
        const auto var = static_cast<ir::VarId>(binder.imm);
        const bool is_quantifier = binder.op == Op::Exists || binder.op == Op::ForAll || binder.op == Op::SetOf;
        if (!is_quantifier && binder.op != Op::MinOver && binder.op != Op::MaxOver) return false;
        const ir::TypeId site = program_.vars[var].type;
        if (program_.types.kind(site) != TypeKind::Site || board_of(site).sites.size() > most_sites) return false;
        Allowed allowed;
        if (!find_allowed(e, var, allowed) || (is_quantifier && allowed.conditions.empty())) return false;
        const std::size_t sites = board_of(site).sites.size();
        std::vector<std::vector<bool>> holds(sites, std::vector<bool>(sites));
        for (std::size_t a = 0; a < sites; ++a)
            for (std::size_t b = 0; b < sites && !work_.spent(); ++b)
                holds[a][b] = allows(allowed, var, {static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)},
                                     binder.op == Op::ForAll);
        const Maps maps = work_.spent() ? Maps{} : maps_of(board_of(site), holds, true);
        if (maps.empty()) return false;
        ExpressionBuilder builder(program);
        ExprId domain = reached(allowed.other, maps, binder.span, program);
        for (const ExprId set : allowed.domain)
            domain = builder.make(Op::Inter, program.exprs[set].type, 0, {domain, set}, binder.span);
        ExprId body = program_.argument(e, 1);
        if (is_quantifier)
            body = builder.junction(binder.op == Op::ForAll ? Op::Or : Op::And, allowed.rest, binder.span);
        if (is_quantifier && allowed.rest.empty()) body = builder.truth(binder.op != Op::ForAll, binder.span);
        program.exprs[e] = program.exprs[builder.make(binder.op, binder.type, binder.imm, {domain, body}, binder.span)];
        return true;
    }

    // Whether b may be the quantifier's member for a as the other site.
    bool allows(const Allowed& allowed, ir::VarId var, std::pair<std::int64_t, std::int64_t> sites, bool all) {
        evaluator_.bind(allowed.other, ir::scalar_value(sites.first));
        evaluator_.bind(var, ir::scalar_value(sites.second));
        const auto has = [&](ExprId set) { return evaluator_.set(set).test(static_cast<std::size_t>(sites.second)); };
        return std::ranges::all_of(allowed.sets, has) &&
               std::ranges::all_of(allowed.conditions, [&](ExprId c) { return evaluator_.truth(c) != all; });
    }

    // False: it depends on no other site, or on several.
    bool find_allowed(ExprId e, ir::VarId var, Allowed& out) {
        bool found = false;
        const auto is_about = [&](ExprId part, bool with_member) {
            const Dependence& on = dependences_.of(part);
            if (on.on_more || on.names.size() != (with_member ? 2U : 1U)) return false;
            if (with_member && !std::ranges::count(on.names, var)) return false;
            const ir::VarId other = on.names[0] == var ? on.names.back() : on.names[0];
            if (program_.vars[other].type != program_.vars[var].type || (found && other != out.other)) return false;
            found = true;
            out.other = other;
            return true;
        };
        for (const ExprId set : intersected(program_, program_.argument(e, 0)))
            (is_about(set, false) && dependences_.of(set).computes ? out.sets : out.domain).push_back(set);
        if (out.sets.empty()) return false;
        const Op op = program_.exprs[e].op;
        if (op == Op::MinOver || op == Op::MaxOver) return true;
        for (const ExprId part : parts(program_, program_.argument(e, 1), op == Op::ForAll ? Op::Or : Op::And))
            (is_about(part, true) ? out.conditions : out.rest).push_back(part);
        return true;
    }

    const ir::Board& board_of(ir::TypeId site) const {
        return program_.boards[static_cast<ir::BoardId>(program_.types[site].ref)];
    }

    void cover(ExprId e, std::vector<bool>& inside) {
        if (inside[index(e)]) return;
        inside[index(e)] = true;
        for (const ExprId part : program_.arguments(e)) cover(part, inside);
    }

    using Maps = std::vector<std::vector<std::int32_t>>;

    // For each pair of sites whether the condition holds; empty: that takes too much work.
    std::vector<std::vector<bool>> pairs(ExprId e, std::size_t sites) {
        const std::vector<ir::VarId>& names = dependences_.of(e).names;
        std::vector<std::vector<bool>> holds(sites, std::vector<bool>(sites));
        for (std::size_t a = 0; a < sites; ++a) {
            evaluator_.bind(names[0], ir::scalar_value(static_cast<std::int64_t>(a)));
            for (std::size_t b = 0; b < sites; ++b) {
                evaluator_.bind(names[1], ir::scalar_value(static_cast<std::int64_t>(b)));
                holds[a][b] = evaluator_.truth(e);
            }
        }
        if (work_.spent()) holds.clear();
        return holds;
    }

    // The pairs for which `holds` is `wanted`, as partial maps. Empty: there would be too many, or there are no pairs.
    static Maps maps_of(const ir::Board& board, const std::vector<std::vector<bool>>& holds, bool wanted) {
        const bool has_coordinates = board.shape == ir::BoardShape::Grid || board.shape == ir::BoardShape::Rhombus ||
                                     board.shape == ir::BoardShape::Hexagon;
        std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> numbers;
        Maps maps;
        for (std::size_t a = 0; a < holds.size(); ++a) {
            std::int32_t partner = 0;
            for (std::size_t b = 0; b < holds.size(); ++b) {
                if (holds[a][b] != wanted) continue;
                const auto key = has_coordinates ? std::pair{board.sites[b].x - board.sites[a].x,
                                                             board.sites[b].y - board.sites[a].y}
                                                 : std::pair{partner++, 0};
                const auto at = numbers.try_emplace(key, maps.size()).first;
                if (at->second == maps.size()) {
                    if (maps.size() == most_maps) return {};
                    maps.emplace_back(holds.size(), -1);
                }
                maps[at->second][a] = static_cast<std::int32_t>(b);
            }
        }
        return maps;
    }

    static ir::StepId step_of(const std::vector<std::int32_t>& map, ir::Board& board) {
        for (std::size_t s = 0; s < board.steps.size(); ++s)
            if (board.steps[static_cast<ir::StepId>(s)].to == map) return static_cast<ir::StepId>(s);
        std::vector<std::int32_t> targets;
        for (const std::int32_t to : map)
            if (to >= 0) targets.push_back(to);
        std::ranges::sort(targets);
        const bool injective = std::ranges::adjacent_find(targets) == targets.end();
        return board.steps.push({"related", map, injective});
    }

    // Where the maps, as steps of the board, lead from a site.
    static ExprId reached(ir::VarId from, const Maps& maps, Span span, ir::Program& program) {
        const ir::TypeId site = program.vars[from].type;
        const auto id = static_cast<ir::BoardId>(program.types[site].ref);
        const ir::TypeId path = program.types.path(id), set = program.types.set(site);
        ExpressionBuilder builder(program);
        ExprId along = none_id<ExprId>;
        for (const auto& map : maps) {
            const auto number = static_cast<std::int64_t>(index(step_of(map, program.boards[id])));
            const ExprId step = builder.make(Op::Table, path, number, {}, span);
            along = valid(along) ? builder.make(Op::Alt, path, 0, {along, step}, span) : step;
        }
        const ExprId site_there = builder.make(Op::Var, site, static_cast<std::int64_t>(index(from)), {}, span);
        const ExprId single = builder.make(Op::Single, set, 0, {site_there}, span);
        return builder.make(Op::Image, set, 0, {single, along}, span);
    }

    bool replace(ExprId e, ir::Program& program) {
        const std::array<ir::VarId, 2> names{dependences_.of(e).names[0], dependences_.of(e).names[1]};
        const ir::TypeId site = program.vars[names[0]].type;
        const auto id = static_cast<ir::BoardId>(program.types[site].ref);
        ir::Board& board = program.boards[id];
        const auto holds = pairs(e, board.sites.size());
        if (holds.empty()) return false;
        bool wanted = true;
        Maps maps = maps_of(board, holds, true);
        if (Maps others = maps_of(board, holds, false);
            !others.empty() && (maps.empty() || others.size() < maps.size())) {
            maps = std::move(others);
            wanted = false;
        }
        if (maps.empty()) return false;
        const ir::TypeId boolean = program.types.boolean();
        const Span span = program.exprs[e].span;
        ExpressionBuilder builder(program);
        const ExprId to = builder.make(Op::Var, site, static_cast<std::int64_t>(index(names[1])), {}, span);
        ExprId truth = builder.make(Op::In, boolean, 0, {to, reached(names[0], maps, span, program)}, span);
        if (!wanted) truth = builder.make(Op::Not, boolean, 0, {truth}, span);
        program.exprs[e] = program.exprs[truth];
        return true;
    }

    // Writes a function of a site as one step of the board.
    bool make_step(ExprId e, ir::Program& program) {
        const ir::VarId name = dependences_.of(e).names[0];
        const ir::TypeId site = program.vars[name].type;
        const auto id = static_cast<ir::BoardId>(program.types[site].ref);
        std::vector<std::int32_t> map;
        for (std::size_t a = 0; a < program.boards[id].sites.size(); ++a) {
            evaluator_.bind(name, ir::scalar_value(static_cast<std::int64_t>(a)));
            const std::int64_t to = evaluator_.scalar(e);
            map.push_back(to == ir::none ? -1 : static_cast<std::int32_t>(to));
        }
        if (work_.spent()) return false;
        const Span span = program.exprs[e].span;
        const ir::TypeId set = program.types.set(site);
        ExpressionBuilder builder(program);
        const ExprId from = builder.make(Op::Var, site, static_cast<std::int64_t>(index(name)), {}, span);
        const ExprId single = builder.make(Op::Single, set, 0, {from}, span);
        const ExprId step = builder.make(Op::Table, program.types.path(id),
                                         static_cast<std::int64_t>(index(step_of(map, program.boards[id]))), {}, span);
        const ExprId reached = builder.make(Op::Image, set, 0, {single, step}, span);
        const ExprId there = builder.make(Op::The, program.exprs[e].type, 0, {reached}, span);
        program.exprs[e] = program.exprs[there];
        return true;
    }

    const ir::Program& program_;
    Dependences dependences_;
    ir::Work work_{static_work};
    ir::Evaluator evaluator_;
};

} // namespace

std::uint64_t relate_by_paths(ir::Program& program) {
    const ir::Program before = program; // which the conditions are evaluated in
    return Relations(before).replace_all(program);
}

} // namespace zug::run
