#pragma once
// Initial values of state variables: `= value`, `= v on sites, w on others`, and rows of glyphs. Internal to src/lang.

#include "lang/core/part.hpp"

#include <functional>

namespace zug::lang {

class Conversions;
class Symbols;
class Constants;

class InitialValues : CheckerPart {
public:
    InitialValues(Context& context, Conversions& conversions, Symbols& symbols, Constants& constants)
        : CheckerPart(context), conversions_(conversions), symbols_(symbols), constants_(constants) {}

    // Makes room for the slots of all variables. After the states are laid out, before the first check_initial.
    void allocate();
    // Checks and stores the initial value of a state variable. Reads of one that is never assigned fold afterwards.
    void check_initial(Declaration& declaration);

private:
    void initial_rows(NodeId rows, ir::StateVariable& state);
    void initial_parts(NodeId init, ir::StateVariable& state);
    void initial_part(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by);
    void each_value(const std::vector<std::pair<NodeId, TypeId>>& names, std::size_t i,
                    const std::function<void()>& then);
    void initial_values(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by);
    std::vector<bool> initial_entries(NodeId pattern, const ir::StateVariable& state);
    std::vector<NodeId> listed_places(NodeId places) const;
    std::vector<bool> any_entries(const std::vector<NodeId>& places, const ir::StateVariable& state);
    std::vector<bool> tuple_entries(NodeId places, const ir::StateVariable& state);
    std::optional<Bits> constant_indices(NodeId id, TypeId index);
    bool store_initial(ir::StateVariable& state, std::uint64_t entry, ExprId value, Span span);
    std::string entry_text(const ir::StateVariable& state, std::uint64_t entry) const;

    Conversions& conversions_;
    Symbols& symbols_;
    Constants& constants_;
    std::vector<std::uint32_t> slots_; // of all variables; the builder folds reads of constant ones from it
};

} // namespace zug::lang
