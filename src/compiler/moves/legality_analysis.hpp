#pragma once
// Known legality: the moves of a set that satisfy their rule's `ensure`, found without applying them.
//
// `ensure` holds after a move if it holds before the move and no change of the move can make it false
// (compiler/graph/invalidation.hpp). All moves of a set are tested at once: the moves that make an assignment of the
// rule, and those for which it is an invalidating change, are sets over the lifted parameter.
//
// Cost: a few nodes of the value graph for each assignment and each map that `ensure` reads.

#include "compiler/graph/invalidation.hpp"
#include "compiler/lower/lowering_part.hpp"

namespace zug::run {

struct KnownLegal {
    NodeRef legal = no_node;   // no_node: none that is known
    NodeRef illegal = no_node; // the same
};

class LegalityAnalysis : private LoweringPart {
public:
    explicit LegalityAnalysis(Lowering& lowering) : LoweringPart(lowering) {}

    // Of the moves of the rule in `found`. The context binds the parameters that the set does not determine.
    KnownLegal known_legal(ir::RuleId id, const MoveSet& found, const Context& in, const Invalidation& invalidation);
    // The members of a set of moves that have to be applied to test whether they are legal.
    NodeRef needs_check(NodeRef set, const KnownLegal& known);

private:
    struct Change;
    struct Changes;
    bool collect_changes(const std::vector<ir::EffectId>& list, const Context& in, NodeRef where, Changes& out);
    bool add_change(const ir::Effect& effect, const Context& in, NodeRef where, Changes& out);
    KnownLegal conclude(const Changes& changes);
    KnownLegal known_legal_after_first(const ir::Rule& rule, const Context& in, const Lift& lift);
    void suppose_absent(Moved moved, const ir::Rule& rule, const Context& in, Invalidation& invalidation);
    bool first_change(const ir::Effect& effect, const Context& in, const Lift& lift, Moved& out);
    std::optional<std::uint64_t> assumed_ordinal(const ir::Effect& effect, const Context& in);
    std::uint64_t values_of(ir::ExprId e, ir::TypeId type, const Context& in, const Lift& lift);
    NodeRef fatal_sites(const ir::Effect& effect, std::uint64_t now, const Context& in,
                        const Invalidation& invalidation);
    NodeRef lift_in(ir::ExprId site, NodeRef set, const Context& in, const Lift& lift);
};

} // namespace zug::run
