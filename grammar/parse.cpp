#include "grammar/parse.hpp"

#include "grammar/lexer/lexer.hpp"
#include "grammar/rules/recovery.hpp"
#include "grammar/rules/rules.hpp"

#include <fmt/format.h>

namespace zug::syntax {

namespace {

template <class P>
bool read(const P& parser, TokenIt& first, TokenIt last, Builder& b) {
    return parser.parse(first, last, x3::make_context<BuilderTag>(b), x3::unused, x3::unused);
}

// A declaration ended and no other one starts here.
void pass_stray(Builder& b, TokenIt& at, TokenIt begin, TokenIt last) {
    const auto stray = at;
    if (at->kind == Tok::CloseBrace && b.open_phases > 0)
        --b.open_phases;
    else
        report_unexpected(b, begin, at, at == begin ? "a declaration" : continuation);
    const bool full = b.report().error_count() >= diag::Report::limit;
    do {
        at = full || at->kind == Tok::End ? last : next_declaration(at + 1);
    } while (at->kind == Tok::CloseBrace);
    b.push_error(stray, at);
}

void read_file(Builder& b, TokenIt first, TokenIt last) {
    const auto begin = first;
    b.open(Kind::File, first);
    while (first != last)
        if (!read(declaration, first, last, b)) pass_stray(b, first, begin, last);
    b.close(last);
}

bool fits(std::string_view text, FileId file, diag::Report& report) {
    if (text.size() <= max_file_size) return check_encoding(text, file, report);
    report.add(diag::Message::FileTooLarge, {file, 0, 0}, {std::to_string(text.size()), std::to_string(max_file_size)});
    return false;
}

} // namespace

Beginning beginning(std::string_view text) {
    const auto word = first_word(text);
    if (!word || starts_declaration(keyword(*word))) return Beginning::Rules;
    return nearest_declaration(*word).empty() ? Beginning::Other : Beginning::Nearly;
}

Tree parse(const diag::Sources& sources, FileId file, diag::Report& report) {
    Tree tree;
    const std::string_view text = sources.text(file);
    if (!fits(text, file, report)) {
        tree.root = tree.make(Kind::File, {file, 0, 0}, {}, {});
        return tree;
    }
    const auto lexed = lex(text, file, 0, static_cast<std::uint32_t>(text.size()), report);
    Builder b(tree, text, file, report);
    read_file(b, lexed.tokens.data(), &lexed.tokens.back());
    tree.root = b.take_all().back();
    return tree;
}

NodeId parse_expression(Tree& tree, const diag::Sources& sources, Span where, diag::Report& report) {
    const std::string_view text = sources.text(where.file);
    const auto lexed = lex(text, where.file, where.begin, where.end, report);
    Builder b(tree, text, where.file, report);
    TokenIt first = lexed.tokens.data();
    const TokenIt last = &lexed.tokens.back();
    const auto at_end = check([](Builder&, TokenIt at) { return at->kind == Tok::End; });
    read(recover(x3::eps > named("an expression", expression) > named("an operator or the end", at_end)), first, last,
         b);
    return b.take_all().back();
}

} // namespace zug::syntax
