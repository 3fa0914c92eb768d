#pragma once
// Initial values of state variables: `= value`, `= v on sites, w on others`, and rows of glyphs. Internal to src/lang.

#include "lang/core/part.hpp"

#include <functional>
#include <map>

namespace zug::lang {

class Conversions;
class Symbols;
class Constants;

class InitialValues : CheckerPart {
public:
    InitialValues(Context& context, Conversions& conversions, Symbols& symbols, Constants& constants)
        : CheckerPart(context), conversions_(conversions), symbols_(symbols), constants_(constants) {}

    void allocate(); // after the states are laid out

    void check_initial(Declaration& declaration);

private:
    void initial_rows(NodeId rows, ir::StateVariable& state);
    template <class P>
    bool initial_row(std::string_view text, std::int64_t row, const P& places,
                     const std::map<std::string, std::int64_t>& letters, ir::StateVariable& state, Span span);
    void initial_parts(NodeId init, ir::StateVariable& state);
    void initial_part(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by);
    void each_value(const std::vector<std::pair<NodeId, TypeId>>& names, std::size_t i,
                    const std::function<void()>& then);
    void initial_values(NodeId part, ir::StateVariable& state, std::vector<Span>& set_by);
    std::vector<bool> initial_places(NodeId pattern, const ir::StateVariable& state);
    std::optional<Bits> constant_places(NodeId id, TypeId index);
    bool store_initial(ir::StateVariable& state, std::uint64_t place, ExprId value, Span span);
    std::string place_text(const ir::StateVariable& state, std::uint64_t place) const;

    Conversions& conversions_;
    Symbols& symbols_;
    Constants& constants_;
    std::vector<std::uint32_t> slots_; // of all variables; the builder folds reads of constant ones from it
};

} // namespace zug::lang
