#include "draw/board/clocks.hpp"

#include <algorithm>

namespace zug::draw::board {

namespace {

class Readers {
public:
    explicit Readers(const ir::Program& program)
        : program_(program), read_(program.states.size()), called_(program.functions.size()) {}

    std::vector<bool> clocks(Towards towards);

private:
    void expression(ir::ExprId id);
    void clauses(const std::vector<ir::Clause>& all);
    void effect(ir::EffectId id);
    void blocks(const std::vector<ir::Block>& all);
    bool is_draw(const ir::EndClause& end) const;
    bool counts(ir::StateId id) const;

    const ir::Program& program_;
    std::vector<bool> read_, called_;
    ir::StateId updated_ = none_id<ir::StateId>; // reads of this one are not counted
};

void Readers::expression(ir::ExprId id) {
    if (!valid(id)) return;
    const ir::Expr& expr = program_.exprs[id];
    if (expr.op == ir::Op::StateGet || expr.op == ir::Op::MapGet) {
        const auto state = static_cast<ir::StateId>(expr.imm);
        if (state != updated_) read_[index(state)] = true;
    }
    for (const ir::ExprId argument : program_.arguments(id)) expression(argument);
    if (expr.op != ir::Op::Call || called_[static_cast<std::size_t>(expr.imm)]) return;
    called_[static_cast<std::size_t>(expr.imm)] = true;
    expression(program_.functions[static_cast<ir::FunctionId>(expr.imm)].body);
}

void Readers::clauses(const std::vector<ir::Clause>& all) {
    for (const ir::Clause& clause : all) expression(clause.expr);
}

void Readers::effect(ir::EffectId id) {
    const ir::Effect& effect = program_.effects[id];
    const bool updates = effect.kind == ir::EffectKind::Assign || effect.kind == ir::EffectKind::Add ||
                         effect.kind == ir::EffectKind::AssignSet || effect.kind == ir::EffectKind::AssignAll;
    for (const ir::ExprId i : effect.indices) expression(i);
    updated_ = updates ? effect.state : none_id<ir::StateId>;
    expression(effect.value);
    updated_ = none_id<ir::StateId>;
    for (const ir::EffectId inner : effect.yes) this->effect(inner);
    for (const ir::EffectId inner : effect.no) this->effect(inner);
}

void Readers::blocks(const std::vector<ir::Block>& all) {
    for (const ir::Block& block : all) {
        clauses(block.lets);
        for (const ir::EffectId id : block.effects) effect(id);
    }
}

// Whether everybody gets the same, whatever the position.
bool Readers::is_draw(const ir::EndClause& end) const {
    return std::ranges::all_of(end.payoffs, [&](ir::ExprId payoff) {
        const ir::Expr &one = program_.exprs[payoff], &first = program_.exprs[end.payoffs.front()];
        return one.op == ir::Op::RealConst && one.imm == first.imm;
    });
}

bool Readers::counts(ir::StateId id) const {
    return program_.states[id].assigned && program_.types.kind(program_.states[id].value) == ir::TypeKind::Int;
}

std::vector<bool> Readers::clocks(Towards towards) {
    for (const ir::Rule& rule : program_.rules) {
        clauses(rule.when);
        expression(rule.weight);
        blocks(rule.then);
        clauses(rule.ensure);
    }
    if (program_.turn) blocks(program_.turn->then);
    for (const ir::EndClause& end : program_.ends) {
        if (towards == Towards::Draws && !is_draw(end)) expression(end.condition);
        for (const ir::ExprId payoff : end.payoffs) expression(payoff);
    }
    std::vector<bool> clocks;
    for (std::size_t i = 0; i < read_.size(); ++i) clocks.push_back(!read_[i] && counts(static_cast<ir::StateId>(i)));
    return clocks;
}

} // namespace

std::vector<bool> clocks_of(const ir::Program& program, Towards towards) { return Readers(program).clocks(towards); }

} // namespace zug::draw::board
