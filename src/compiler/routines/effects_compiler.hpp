#pragma once
// The code of a rule's effects: as an apply routine, or inlined into random play and line walks.

#include "bytecode/compiled_program.hpp"
#include "compiler/lower/lowering.hpp"

#include <map>
#include <utility>
#include <vector>

namespace zug::run {

class Effects;

class EffectsCompiler {
public:
    // `asks_within_moves`: the history is read between the effects of a move (Family::SetBetweenMoves).
    EffectsCompiler(const Compiled& out, const ir::Program& program, Lowering& lowering, bool asks_within_moves)
        : out_(out), program_(program), lowering_(lowering), graph_(lowering.graph()),
          asks_within_moves_(asks_within_moves) {}

    // A routine that applies the rule, whose parameters are in the rule's registers. `trial`: only to test `ensure`, so
    // that numbers out of range are clamped and are no fault. no_entry: some effect has no byte code.
    Entry apply(ir::RuleId id, std::uint32_t player, bool trial);
    // The effects of a rule whose parameters are bound in the context; then, unless it is known to hold, its `ensure`,
    // with result 1 if it fails. False: some effect has no byte code.
    bool effects(ir::RuleId id, Context in, bool trial = false, bool known_legal = false);

    // Binds the rule's parameters to its registers.
    Context parameters(ir::RuleId id, const Context& in);
    // Binds the names of `when`; `kept`: they keep their values from before the move.
    Context with_lets(ir::RuleId id, bool kept, Context in);
    // Bounds the value of a parameter by its type.
    void bound_parameter(NodeRef value, ir::TypeId type);

private:
    bool only_when_open(ir::RuleId id) const;
    void assume_false(ir::ExprId condition, Effects& effects);
    // Of the assignments of a rule: pairs that are never to one slot, and those whose value is never none.
    struct AssignmentFacts {
        std::vector<std::pair<ir::EffectId, ir::EffectId>> distinct;
        std::vector<ir::EffectId> some;
    };
    const AssignmentFacts& assignment_facts(ir::RuleId id, std::uint32_t player);

    const Compiled& out_;
    const ir::Program& program_;
    Lowering& lowering_;
    ValueGraph& graph_;
    bool asks_within_moves_;
    std::map<std::pair<ir::RuleId, std::uint32_t>, AssignmentFacts> facts_; // by rule and player
};

} // namespace zug::run
