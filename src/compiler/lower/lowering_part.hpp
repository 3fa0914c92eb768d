#pragma once
// The base of the classes that lowering consists of: the program, the graph that they build, and short names for calls
// of Lowering. Each class has state of its own; they call each other through Lowering.

#include "compiler/lower/lowering.hpp"

#include <utility>
#include <vector>

namespace zug::run {

class LoweringPart {
protected:
    explicit LoweringPart(Lowering& lowering)
        : lowering_(lowering), program_(lowering.program()), layout_(lowering.layout()), code_(lowering.code()),
          graph_(lowering.graph()) {}

    const ir::Expr& expr(ir::ExprId e) const { return program_.exprs[e]; }
    ir::TypeKind kind(ir::ExprId e) const { return program_.types.kind(expr(e).type); }
    ir::TypeId element(ir::ExprId set) const { return program_.types.inner(expr(set).type); }
    Scoped resolve(ir::ExprId e, const Context& in) { return lowering_.resolve(e, in); }
    bool depends(ir::ExprId e, const Context& in) { return lowering_.depends(e, in); }
    bool names_known(ir::ExprId e, const Context& in) { return lowering_.names_known(e, in); }
    NodeRef eval(ir::ExprId e, const Context& in) { return lowering_.eval(e, in); }
    Context bind(ir::VarId var, ir::ExprId value, const Context& in, const Context& onto) {
        return lowering_.bind(var, value, in, onto);
    }
    Context bind_node(ir::VarId var, NodeRef node, const Context& onto) { return lowering_.bind_node(var, node, onto); }
    Context bind_table(ir::VarId var, std::vector<std::int64_t> table, const Context& onto) {
        return lowering_.bind_table(var, std::move(table), onto);
    }
    NodeRef lift_truth(ir::ExprId e, const Context& in, const Lift& lift) { return lowering_.lift_truth(e, in, lift); }
    bool lift_scalar(ir::ExprId e, const Context& in, const Lift& lift, LiftedScalar& out) {
        return lowering_.lift_scalar(e, in, lift, out);
    }
    NodeRef plane_of(ir::StateId state, std::uint64_t ordinal, const Context& in, NodeRef row = no_node) {
        return lowering_.plane_of(state, ordinal, in, row);
    }
    NodeRef universe(ir::TypeId element) { return lowering_.universe(element); }
    NodeRef empty(std::uint16_t width) { return lowering_.empty(width); }
    bool failed() const { return lowering_.failed(); }
    NodeRef fail() { return lowering_.fail(); }

    Lowering& lowering_;
    const ir::Program& program_;
    const StateLayout& layout_;
    Bytecode& code_;
    ValueGraph& graph_;
};

} // namespace zug::run
