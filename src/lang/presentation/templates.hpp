#pragma once
// Texts with expressions in braces. Internal to src/lang.

#include "lang/core/part.hpp"

#include <functional>

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
    // The same with the expressions read, in which the given names are known, and with texts that depend on conditions:
    // `{if e: 'text'}`, `{if e: 'text' else 'text'}`, where the texts can have braces of their own.
    std::vector<ir::NotationPart> template_parts(NodeId text, const std::vector<Local>& names);
    // Withdraws the warnings about local names that are used in the current scope only.
    void forget_warnings();

private:
    using Parts = std::vector<ir::NotationPart>;
    struct Scope {
        const std::vector<Local>& names;
        ExprId when;        // none: always
        unsigned depth = 0; // texts within texts
    };
    std::vector<TemplatePiece> pieces_of(Span at);
    void add_parts(Span at, const Scope& scope, Parts& parts);
    void add_choice(Span inside, const Scope& scope, Parts& parts);
    void add_otherwise(Span at, const Scope& scope, Parts& parts);
    std::string_view source(Span at) const;
    Span trimmed(Span at) const;
    bool is_choice(Span inside) const;
    std::optional<Span> quoted_text(Span at) const;
    ExprId both(ExprId a, ExprId b, Span at);
    ExprId template_condition(Span inside, const std::vector<Local>& names);
    ExprId in_template(Span at, const std::vector<Local>& names, const std::function<ExprId(NodeId)>& read);
    ExprId shown_value(NodeId id);
    ExprId template_value(Span inside, const std::vector<Local>& names);

    Conversions& conversions_;
    Expressions& expressions_;
};

} // namespace zug::lang
