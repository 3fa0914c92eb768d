#pragma once
// Texts with expressions in braces. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Expressions;

class Templates : CheckerPart {
public:
    Templates(Context& context, Conversions& conversions, Expressions& expressions)
        : CheckerPart(context), conversions_(conversions), expressions_(expressions) {}

    struct TemplatePiece {
        std::string text = {};
        std::optional<Span> inside = {}; // of the braces after it
    };

    std::vector<TemplatePiece> template_pieces(NodeId text);
    std::vector<ir::NotationPart> template_parts(NodeId text, const std::vector<Local>& names);
    void forget_warnings();

private:
    ExprId template_value(Span inside, const std::vector<Local>& names);

    Conversions& conversions_;
    Expressions& expressions_;
};

} // namespace zug::lang
