#pragma once
// State variables: their types, and their positions in the canonical list of slots. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Symbols;
class Types;

class States : CheckerPart {
public:
    States(Context& context, Symbols& symbols, Types& types) : CheckerPart(context), symbols_(symbols), types_(types) {}

    static constexpr std::uint64_t max_slots = 1U << 22;

    ir::StateId map_named(NodeId id); // a Name of a state map with indices, or none
    void resolve_state(Declaration& declaration);
    void lay_out_states();

private:
    TypeId index_type(NodeId id);
    std::optional<std::uint64_t> slots_of(const ir::StateVariable& state);

    Symbols& symbols_;
    Types& types_;
};

} // namespace zug::lang
