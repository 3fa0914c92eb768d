#pragma once
// Small programs made by hand, for tests of executors without the checker.

#include "tests/unit/ir/builder.hpp"

#include <memory>

namespace zug::run {

// Tic-tac-toe: mark(c) when c in at.none then at[c] := me; me wins with three in line, draw when full.
inline std::shared_ptr<const ir::Program> tic_tac_toe() {
    using namespace ir;
    Builder b;
    b.players({"X", "O"});
    const BoardId board = b.grid(3, 3);
    auto& types = b.types();
    const TypeId site = types.site(board);
    const TypeId cells = types.set(site);
    const TypeId path = types.path(board);
    const TypeId dir = types.dir(board);
    const StateId at = b.state("at", {site}, types.optional(b.program.player_type));
    auto where = [&](ExprId value) {
        const VarId v = b.var("v", site);
        const ExprId same = b.truth(Op::Eq, {b.get(at, {b.ref(v)}), value});
        return b.bind(Op::SetOf, cells, v, b.node(Op::Universe, cells), same);
    };
    const ExprId none_set = where(b.constant(types.none_type(), none));
    const ExprId me = b.node(Op::Me, b.program.player_type);
    const VarId c = b.var("c", site);
    Rule mark{.name = "mark", .params = {c}, .when = {}, .then = {}, .ensure = {}, .span = {}};
    mark.when.push_back({.expr = b.truth(Op::In, {b.ref(c), none_set})});
    mark.then.push_back({.lets = {}, .effects = {b.assign(at, {b.ref(c)}, me)}});
    b.rule(mark);

    const ExprId mine = where(me);
    std::vector<ExprId> lines;
    auto step = [&](std::int64_t d) { return b.node(Op::Step, path, {b.constant(dir, d)}); };
    const ExprId diagonal = b.node(Op::Seq, path, {step(0), step(1)});
    const ExprId other = b.node(Op::Seq, path, {step(0), step(3)});
    for (auto way : {step(0), step(1), diagonal, other}) {
        const ExprId into = b.node(Op::Into, path, {way, mine});
        const ExprId twice = b.node(Op::Power, path, {into, b.number(2), b.number(2)});
        lines.push_back(b.truth(Op::Any, {b.node(Op::Image, cells, {mine, twice})}));
    }
    const ExprId one = b.real(1);
    const ExprId minus = b.real(-1);
    const ExprId won = b.node(Op::Or, types.boolean(), lines);
    auto payoff = [&](std::int64_t player) {
        const ExprId is_me = b.truth(Op::Eq, {me, b.constant(b.program.player_type, player)});
        return b.node(Op::If, types.real(), {is_me, one, minus});
    };
    b.program.ends.push_back({.condition = won, .payoffs = {payoff(0), payoff(1)}, .span = {}});
    const ExprId full = b.truth(Op::Not, {b.truth(Op::Any, {none_set})});
    b.program.ends.push_back({.condition = full, .payoffs = {b.real(0), b.real(0)}, .span = {}});
    b.program.title = "Tic-Tac-Toe";
    return std::make_shared<const Program>(std::move(b.program));
}

// Parts of a counting game: `n: 0..limit` and rules add1, add2 that add to it; ends when n = limit, the mover wins.
struct Counting : ir::Builder {
    explicit Counting(std::int64_t limit) {
        using namespace ir;
        players({"A", "B"});
        program.title = "Counting";
        n = state("n", {}, types().integer(0, limit));
        const ExprId me = node(Op::Me, program.player_type);
        auto payoff = [&](std::int64_t player) {
            const ExprId is_me = truth(Op::Eq, {me, constant(program.player_type, player)});
            return node(Op::If, types().real(), {is_me, real(1), real(-1)});
        };
        end = truth(Op::Eq, {get(n), number(limit)});
        program.ends.push_back({.condition = end, .payoffs = {payoff(0), payoff(1)}, .span = {}});
    }
    ir::Rule adding(std::string name, std::int64_t amount) {
        ir::Rule r{.name = std::move(name), .params = {}, .when = {}, .then = {}, .ensure = {}, .span = {}};
        r.then.push_back({.lets = {}, .effects = {add(n, {}, number(amount))}});
        return r;
    }
    ir::Clause below(std::int64_t bound) { return {.expr = truth(ir::Op::Lt, {get(n), number(bound)})}; }
    std::shared_ptr<const ir::Program> finish() const { return std::make_shared<const ir::Program>(program); }

    ir::StateId n{};
    ir::ExprId end{};
};

} // namespace zug::run
