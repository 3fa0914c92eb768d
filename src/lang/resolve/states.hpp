#pragma once
// State variables: their types, and their offsets in the canonical list of slots. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Symbols;
class Types;

class States : CheckerPart {
public:
    States(Context& context, Symbols& symbols, Types& types) : CheckerPart(context), symbols_(symbols), types_(types) {}

    static constexpr std::uint64_t max_slots = 1U << 22;

    // The state map, with indices, that a Name node names; none_id if it names something else.
    ir::StateId map_named(NodeId id);
    // Works out the types of a state variable. Its declaration has the number UINT32_MAX if it has errors.
    void resolve_state(Declaration& declaration);
    // Assigns slots to all variables, in order. Ends the check if there are more than max_slots.
    void lay_out_states();

private:
    TypeId index_type(NodeId id);
    std::optional<std::uint64_t> slots_of(const ir::StateVariable& state);

    Symbols& symbols_;
    Types& types_;
};

} // namespace zug::lang
