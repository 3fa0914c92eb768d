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

    // The text before each pair of braces with the span inside them; last, the text after them. Empty: an error has
    // been reported.
    std::vector<TemplatePiece> template_pieces(NodeId text);
    // The same with the expressions read, in which the given names are known.
    std::vector<ir::NotationPart> template_parts(NodeId text, const std::vector<Local>& names);
    // Withdraws the warnings about local names that are used in the current scope only.
    void forget_warnings();

private:
    ExprId template_value(Span inside, const std::vector<Local>& names);

    Conversions& conversions_;
    Expressions& expressions_;
};

} // namespace zug::lang
