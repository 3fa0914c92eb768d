#pragma once
// `position`: how the file writes positions. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Symbols;
class Expressions;
class Templates;

class Positions : CheckerPart {
public:
    Positions(Context& context, Conversions& conversions, Symbols& symbols, Expressions& expressions,
              Templates& templates)
        : CheckerPart(context), conversions_(conversions), symbols_(symbols), expressions_(expressions),
          templates_(templates) {}

    void check_position(NodeId id);
    // Reports a format without `last` if positions record who moved last. After Finish::complete().
    void check_position_last();

private:
    std::string position_name(const ir::PositionPart& part) const;
    std::optional<ir::PositionPart> position_field(Span inside);
    std::optional<ir::PositionPart> position_part(const std::string& name);
    std::string last_name() const;
    void check_position_complete();
    void position_texts(NodeId id);
    void position_text(NodeId id, ir::PositionPart& part, TypeId type, bool members);
    std::string wrong_position_text(const std::string& text, std::int64_t value, const ir::PositionPart& part,
                                    bool members) const;

    Conversions& conversions_;
    Symbols& symbols_;
    Expressions& expressions_;
    Templates& templates_;
    Span position_span_;
};

} // namespace zug::lang
