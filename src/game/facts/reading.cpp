#include "game/facts/reading.hpp"

#include <algorithm>
#include <utility>

namespace zug::game {

using ir::Op;

namespace {

class Collector {
public:
    explicit Collector(const ir::Program& program) : program_(program) {}

    std::vector<ProgramPoint> collect() {
        for (std::size_t r = 0; r < program_.rules.size(); ++r) rule(static_cast<ir::RuleId>(r));
        now_ = {.kind = ProgramPoint::Kind::Turn};
        if (program_.turn) turn(*program_.turn);
        for (std::size_t i = 0; i < program_.ends.size(); ++i) {
            now_ = {.kind = ProgramPoint::Kind::EndCondition, .end = i};
            add(program_.ends[i].condition);
            now_.kind = ProgramPoint::Kind::Payoff;
            for (const auto payoff : program_.ends[i].payoffs) add(payoff);
        }
        return std::move(points_);
    }

private:
    void add(ir::ExprId expr, ir::StateId target = none_id<ir::StateId>, bool adds = false) {
        if (!valid(expr)) return;
        ProgramPoint point = now_;
        point.expr = expr;
        point.target = target;
        point.adds = adds;
        point.repeated = loops_ > 0;
        points_.push_back(point);
    }

    void clauses(const std::vector<ir::Clause>& list) {
        for (const ir::Clause& clause : list) add(clause.expr);
    }

    void rule(ir::RuleId id) {
        const ir::Rule& rule = program_.rules[id];
        now_ = {.kind = ProgramPoint::Kind::When, .rule = id};
        clauses(rule.when);
        now_.kind = ProgramPoint::Kind::Weight;
        add(rule.weight);
        now_.kind = ProgramPoint::Kind::Then;
        blocks(rule.then);
        now_.kind = ProgramPoint::Kind::Ensure;
        clauses(rule.ensure);
    }

    void turn(const ir::TurnPlan& plan) {
        for (const ir::PlanChain& chain : plan.chains) {
            add(chain.most);
            for (const auto expr : chain.most_sum) add(expr);
        }
        blocks(plan.then);
    }

    void blocks(const std::vector<ir::Block>& list) {
        for (const ir::Block& block : list) {
            clauses(block.lets);
            effects(block.effects);
        }
    }

    void effects(const std::vector<ir::EffectId>& list) {
        for (const auto id : list) {
            const ir::Effect& effect = program_.effects[id];
            for (const auto expr : effect.indices) add(expr);
            const bool adds = effect.kind == ir::EffectKind::Add;
            const bool assigns = adds || effect.kind == ir::EffectKind::Assign;
            add(effect.value, assigns ? effect.state : none_id<ir::StateId>, adds);
            const bool loop = effect.kind == ir::EffectKind::For;
            loops_ += loop ? 1 : 0;
            effects(effect.yes);
            effects(effect.no);
            loops_ -= loop ? 1 : 0;
        }
    }

    const ir::Program& program_;
    ProgramPoint now_;
    int loops_ = 0;
    std::vector<ProgramPoint> points_;
};

} // namespace

std::vector<ProgramPoint> program_points(const ir::Program& program) { return Collector(program).collect(); }

std::string point_text(const ir::Program& program, const ProgramPoint& point, const std::string& verb) {
    const auto part = [&](const char* name) {
        return "`" + program.rules[point.rule].name + "` " + verb + " in `" + name + "`";
    };
    switch (point.kind) {
    case ProgramPoint::Kind::When: return part("when");
    case ProgramPoint::Kind::Weight: return part("weight");
    case ProgramPoint::Kind::Then: return part("then");
    case ProgramPoint::Kind::Ensure: return part("ensure");
    case ProgramPoint::Kind::Turn: return "`turn` " + verb;
    case ProgramPoint::Kind::EndCondition: break;
    case ProgramPoint::Kind::Payoff: return "a payoff " + verb;
    }
    return "`end` " + verb;
}

bool says_again(const ir::Program& program) {
    return std::ranges::any_of(program.effects, [](const auto& e) { return e.kind == ir::EffectKind::Again; });
}

Mentions::Mentions(const ir::Program& program, ir::StateId state)
    : program_(program), state_(state), seen_(program.exprs.size()) {}

Mentions::Mentions(const ir::Program& program, Op op, std::optional<std::int64_t> imm)
    : program_(program), op_(op), imm_(imm), seen_(program.exprs.size()) {}

bool Mentions::here(const ir::Expr& e) const {
    if (!valid(state_)) return e.op == op_ && (!imm_ || *imm_ == e.imm);
    return (e.op == Op::StateGet || e.op == Op::MapGet) && static_cast<ir::StateId>(e.imm) == state_;
}

bool Mentions::in(ir::ExprId expr) {
    if (!search(expr)) return false;
    // What was met on the way may call back to where the find was.
    std::ranges::fill(seen_, char{0});
    return true;
}

bool Mentions::search(ir::ExprId expr) {
    if (std::exchange(seen_[index(expr)], char{1}) != 0) return false;
    const ir::Expr& e = program_.exprs[expr];
    if (here(e)) return true;
    if (e.op == Op::Call && search(program_.functions[static_cast<ir::FunctionId>(e.imm)].body)) return true;
    return std::ranges::any_of(program_.arguments(expr), [&](ir::ExprId id) { return search(id); });
}

} // namespace zug::game
