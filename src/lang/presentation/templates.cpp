// Texts with expressions in braces, read from the source.

#include "lang/presentation/templates.hpp"

#include "grammar/parse.hpp"
#include "lang/check/expressions.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"

namespace zug::lang {
namespace {

constexpr unsigned max_depth = 100; // of texts within texts

} // namespace

std::string_view Templates::source(Span at) const {
    return std::string_view(context_.sources.text(at.file)).substr(at.begin, at.end - at.begin);
}

Span Templates::trimmed(Span at) const {
    const std::string_view text = source(at);
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {.file = at.file, .begin = at.end, .end = at.end};
    const auto last = text.find_last_not_of(" \t");
    return {.file = at.file,
            .begin = at.begin + static_cast<std::uint32_t>(first),
            .end = at.begin + static_cast<std::uint32_t>(last + 1)};
}

// Works on the source, where `\{` and `{` still differ.
std::vector<Templates::TemplatePiece> Templates::pieces_of(Span at) {
    const std::string& text = context_.sources.text(at.file);
    std::vector<TemplatePiece> pieces;
    TemplatePiece piece;
    for (std::uint32_t i = at.begin; i < at.end; ++i) {
        if (text[i] == '\\' && i + 1 < at.end) {
            piece.text += text[++i] == 'n' ? '\n' : text[i];
        } else if (text[i] == '{') {
            std::uint32_t end = i + 1;
            for (int depth = 1; end < at.end; ++end) {
                depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
                if (depth == 0) break;
            }
            if (end >= at.end) {
                error(Message::TemplateBrace, {.file = at.file, .begin = i, .end = i + 1});
                return {};
            }
            piece.inside = {.file = at.file, .begin = i + 1, .end = end};
            pieces.push_back(std::move(piece));
            piece = {};
            i = end;
        } else {
            piece.text += text[i];
        }
    }
    if (!piece.text.empty() || pieces.empty()) pieces.push_back(std::move(piece));
    return pieces;
}

std::vector<Templates::TemplatePiece> Templates::template_pieces(NodeId text) {
    const Span at = span(text); // quotes included
    return pieces_of({.file = at.file, .begin = at.begin + 1, .end = at.end - 1});
}

std::vector<ir::NotationPart> Templates::template_parts(NodeId text, const std::vector<Local>& names) {
    const Span at = span(text);
    Parts parts;
    add_parts({.file = at.file, .begin = at.begin + 1, .end = at.end - 1}, {names, none_id<ExprId>}, parts);
    return parts;
}

void Templates::add_parts(Span at, const Scope& scope, Parts& parts) {
    for (auto& piece : pieces_of(at)) {
        const bool choice = piece.inside && is_choice(*piece.inside);
        const bool expr = piece.inside && !choice;
        parts.push_back({.text = std::move(piece.text),
                         .expr = expr ? template_value(*piece.inside, scope.names) : none_id<ExprId>,
                         .when = scope.when});
        if (choice) add_choice(trimmed(*piece.inside), scope, parts);
    }
}

// Whether this is an `if` with a text in single quotes, which no expression has.
bool Templates::is_choice(Span inside) const {
    const std::string_view text = source(trimmed(inside));
    return (text.starts_with("if ") || text.starts_with("if(")) && text.find('\'') != std::string_view::npos;
}

// What stands between the quote at the beginning and the next one outside braces.
std::optional<Span> Templates::quoted_text(Span at) const {
    const std::string_view text = source(at);
    if (!text.starts_with('\'')) return std::nullopt;
    int depth = 0;
    for (std::uint32_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '\'' && depth == 0) {
            return Span{.file = at.file, .begin = at.begin + 1, .end = at.begin + i};
        } else {
            depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        }
    }
    return std::nullopt;
}

// `if e: 'text'`, and what `else` says.
void Templates::add_choice(Span inside, const Scope& scope, Parts& parts) {
    const std::string_view text = source(inside);
    if (scope.depth >= max_depth) {
        error(Message::TooDeep, inside, {std::to_string(max_depth)});
        return;
    }
    const auto quote = static_cast<std::uint32_t>(text.find('\''));
    const Span before = trimmed({.file = inside.file, .begin = inside.begin + 2, .end = inside.begin + quote});
    const auto then = quoted_text({.file = inside.file, .begin = inside.begin + quote, .end = inside.end});
    if (!source(before).ends_with(':') || !then) {
        error(Message::TemplateChoice, inside, {std::string(text)});
        return;
    }
    const ExprId test =
        template_condition({.file = before.file, .begin = before.begin, .end = before.end - 1}, scope.names);
    if (!valid(test)) return;
    add_parts(*then, {scope.names, both(scope.when, test, inside), scope.depth + 1}, parts);
    const Span rest = trimmed({.file = inside.file, .begin = then->end + 1, .end = inside.end});
    if (rest.begin == rest.end) return;
    const Scope otherwise{scope.names, both(scope.when, builder_.negation(test, inside), inside), scope.depth + 1};
    if (source(rest).starts_with("else"))
        add_otherwise(trimmed({.file = rest.file, .begin = rest.begin + 4, .end = rest.end}), otherwise, parts);
    else
        error(Message::TemplateChoice, inside, {std::string(text)});
}

// What follows `else`: a text, a further `if`, or a value.
void Templates::add_otherwise(Span at, const Scope& scope, Parts& parts) {
    if (is_choice(at)) return add_choice(at, scope, parts);
    const auto text = quoted_text(at);
    if (text && text->end + 1 == at.end) return add_parts(*text, scope, parts);
    if (at.begin == at.end || source(at).find('\'') != std::string_view::npos) {
        error(Message::TemplateChoice, at, {std::string(source(at))});
        return;
    }
    parts.push_back({.text = "", .expr = template_value(at, scope.names), .when = scope.when});
}

ExprId Templates::both(ExprId a, ExprId b, Span at) { return valid(a) ? builder_.conjunction({a, b}, at) : b; }

// Reads the expression at a span, in which the names are known.
ExprId Templates::in_template(Span at, const std::vector<Local>& names, const std::function<ExprId(NodeId)>& read) {
    context_.extra_trees.push_back(std::make_unique<syntax::Tree>());
    syntax::Tree& tree = *context_.extra_trees.back();
    const NodeId id = syntax::parse_expression(tree, context_.sources, at, *context_.report);
    if (!valid(id)) return none_id<ExprId>;
    const InTree scope(context_, &tree);
    for (const Local& local : names) push_local(local);
    const ExprId found = read(id);
    forget_warnings();
    return found;
}

ExprId Templates::template_condition(Span inside, const std::vector<Local>& names) {
    return in_template(inside, names, [&](NodeId id) { return expressions_.condition(id); });
}

ExprId Templates::template_value(Span inside, const std::vector<Local>& names) {
    return in_template(inside, names, [&](NodeId id) { return shown_value(id); });
}

// A value that can be written.
ExprId Templates::shown_value(NodeId id) {
    Operand found = expressions_.expr(id);
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
