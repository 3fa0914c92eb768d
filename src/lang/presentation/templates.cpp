// Texts with expressions in braces, read from the source.

#include "lang/presentation/templates.hpp"

#include "grammar/parse.hpp"
#include "lang/check/expressions.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"

namespace zug::lang {
// The text before each pair of braces with the span inside them; last, the text after the last pair. Works on the
// source, where `\{` and `{` still differ. Empty after an unmatched brace.
std::vector<Templates::TemplatePiece> Templates::template_pieces(NodeId text) {
    const Span at = span(text); // quotes included
    const std::string& source = context_.sources.text(at.file);
    std::vector<TemplatePiece> pieces;
    TemplatePiece piece;
    for (std::uint32_t i = at.begin + 1; i + 1 < at.end; ++i) {
        if (source[i] == '\\' && i + 2 < at.end) {
            piece.text += source[++i] == 'n' ? '\n' : source[i];
        } else if (source[i] == '{') {
            std::uint32_t end = i + 1;
            for (int depth = 1; end + 1 < at.end; ++end) {
                depth += source[end] == '{' ? 1 : source[end] == '}' ? -1 : 0;
                if (depth == 0) break;
            }
            if (end + 1 >= at.end) {
                error(Message::TemplateBrace, {.file = at.file, .begin = i, .end = i + 1});
                return {};
            }
            piece.inside = {.file = at.file, .begin = i + 1, .end = end};
            pieces.push_back(std::move(piece));
            piece = {};
            i = end;
        } else {
            piece.text += source[i];
        }
    }
    if (!piece.text.empty() || pieces.empty()) pieces.push_back(std::move(piece));
    return pieces;
}

std::vector<ir::NotationPart> Templates::template_parts(NodeId text, const std::vector<Local>& names) {
    std::vector<ir::NotationPart> parts;
    for (auto& piece : template_pieces(text))
        parts.push_back({.text = std::move(piece.text),
                         .expr = piece.inside ? template_value(*piece.inside, names) : none_id<ExprId>});
    return parts;
}

ExprId Templates::template_value(Span inside, const std::vector<Local>& names) {
    context_.extra_trees.push_back(std::make_unique<syntax::Tree>());
    syntax::Tree& tree = *context_.extra_trees.back();
    const NodeId id = syntax::parse_expression(tree, context_.sources, inside, *context_.report);
    if (!valid(id)) return none_id<ExprId>;
    const InTree scope(context_, &tree);
    for (const Local& local : names) push_local(local);
    Operand found = expressions_.expr(id);
    forget_warnings();
    if (!found.ok()) return none_id<ExprId>;
    if (!valid(found.expr) && kind(found.type) == TypeKind::Tuple)
        found.expr = conversions_.convert_tuple(found, found.type);
    if (valid(found.expr) && kind(found.type) != TypeKind::Path) return found.expr;
    mismatch(found.span, found, "a value to write");
    return none_id<ExprId>;
}

// Withdraws the warnings about local names that are used here and nowhere else.
void Templates::forget_warnings() {
    for (std::size_t i = context_.first_local; i < context_.locals.size(); ++i) {
        if (!context_.locals[i].used) continue;
        std::erase_if(context_.warnings, [&](const Context::Warning& warning) {
            return warning.message == Message::UnusedName && warning.span == context_.locals[i].span;
        });
    }
}

} // namespace zug::lang
