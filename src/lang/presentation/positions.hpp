#pragma once
// `position`: how the file writes positions. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Assembly;
class Conversions;
class Symbols;
class Expressions;
class Templates;

class Positions : CheckerPart {
public:
    struct Uses {
        Assembly& assembly;
        Conversions& conversions;
        Symbols& symbols;
        Expressions& expressions;
        Templates& templates;
    };
    Positions(Context& context, const Uses& uses)
        : CheckerPart(context), assembly_(uses.assembly), conversions_(uses.conversions), symbols_(uses.symbols),
          expressions_(uses.expressions), templates_(uses.templates) {}

    void check_position(NodeId id);
    // Reports a format without `last` if positions record who moved last. After Finish::complete().
    void check_position_last();

private:
    void add_fields(NodeId id);
    void add_texts(NodeId id);
    void add_extended(Span inside);
    void check_gaps(Span at);
    std::string position_name(const ir::PositionPart& part) const;
    std::optional<ir::PositionPart> position_field(Span inside);
    std::optional<ir::PositionPart> position_part(const std::string& name);
    std::string last_name() const;
    void check_position_complete();
    void position_texts(NodeId id);
    void position_text(NodeId id, ir::PositionPart& part, TypeId type, bool members);
    std::string wrong_position_text(const std::string& text, std::int64_t value, const ir::PositionPart& part,
                                    bool members) const;

    // position_counts.cpp
    std::optional<ir::PositionPart> counts_field(const std::string& name, const std::string& style, Span inside);
    TypeId entry_type(const ir::StateVariable& state);
    void complete_counts();
    void complete_count(ir::PositionPart& part);

    Assembly& assembly_;
    Conversions& conversions_;
    Symbols& symbols_;
    Expressions& expressions_;
    Templates& templates_;
    Span position_span_;
};

} // namespace zug::lang
