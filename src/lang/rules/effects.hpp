#pragma once
// Effects: the blocks of `then`. All effects of a block read the state before it. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Symbols;
class States;
class Operators;
class Quantifiers;
class Calls;
class Expressions;
class Clauses;

class Effects : CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        States& states;
        Operators& operators;
        Quantifiers& quantifiers;
        Calls& calls;
        Expressions& expressions;
        Clauses& clauses;
    };
    Effects(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), states_(uses.states),
          operators_(uses.operators), quantifiers_(uses.quantifiers), calls_(uses.calls),
          expressions_(uses.expressions), clauses_(uses.clauses) {}

    // The blocks of a `then`, in order.
    std::vector<ir::Block> blocks(std::span<const NodeId> ids);

private:
    struct EffectSink {
        std::vector<ir::Block>* blocks = nullptr; // where later blocks of an effect go
        std::size_t block = 0;
        std::vector<ir::EffectId>* effects = nullptr; // a branch; none: the block itself
    };

    void add_effect(NodeId id, EffectSink sink);
    static ir::Effect new_effect(ir::EffectKind kind, Span span);
    void push_effect(ir::Effect effect, const EffectSink& sink);
    void assign_effect(NodeId id, const EffectSink& sink);
    ir::StateId assigned_state(NodeId target);
    bool assign_target(NodeId target, ir::Effect& effect, std::vector<std::size_t>& sets);
    bool assign_indices(NodeId target, ir::Effect& effect, std::vector<std::size_t>& sets);
    ExprId index_of(const Operand& found, TypeId wanted, Span at);
    void push_for_each(ir::Effect effect, const std::vector<std::size_t>& sets, const EffectSink& sink);
    void if_effect(NodeId id, const EffectSink& sink);
    void for_effect(NodeId id, std::size_t first, const EffectSink& sink);
    void next_effect(NodeId id, const EffectSink& sink);
    void check_next_in_brackets(NodeId id);
    void call_effect(NodeId id, const EffectSink& sink);
    std::optional<Local> effect_argument(const Declaration& definition, NodeId parameter, NodeId argument,
                                         std::vector<ir::Clause>& named);
    void expand_blocks(const Declaration& definition, std::vector<ir::Clause>& named, const EffectSink& sink,
                       Span span);
    void branch(NodeId block, std::vector<ir::EffectId>& effects);
    void check_double_assignment(const ir::Block& block);
    void check_subset(const Operand& found, ir::StateId state);
    void check_range(const Operand& value, ir::StateId state);

    Conversions& conversions_;
    Symbols& symbols_;
    States& states_;
    Operators& operators_;
    Quantifiers& quantifiers_;
    Calls& calls_;
    Expressions& expressions_;
    Clauses& clauses_;
};

} // namespace zug::lang
