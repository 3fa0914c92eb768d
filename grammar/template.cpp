#include "grammar/lexer.hpp"
#include "grammar/parse.hpp"

namespace zug::syntax {

namespace {

// The place of the brace that closes the one at `open`, or `end`.
std::uint32_t closing_brace(std::string_view source, std::uint32_t open, std::uint32_t end) {
    unsigned depth = 0;
    for (auto at = open; at < end; ++at) {
        if (source[at] == '{') ++depth;
        if (source[at] == '}' && --depth == 0) return at;
    }
    return end;
}

} // namespace

std::vector<TemplatePart> parse_template(Tree& tree, const diag::Sources& sources, NodeId text, diag::Report& report) {
    const auto span = tree[text].span; // with the quotes
    const std::string_view source = sources.text(span.file);
    const auto end = span.end - 1;
    std::vector<TemplatePart> parts;
    auto at = span.begin + 1;
    while (at < end) {
        if (source[at] == '{') {
            const auto close = closing_brace(source, at, end);
            if (close == end) {
                report.add(diag::Message::UnexpectedToken, {span.file, at, end}, {"`{`", "a `}` that closes it"},
                           "a brace itself is written `\\{`");
                return parts;
            }
            const auto expression = parse_expression(tree, sources, span.file, at + 1, close, report);
            parts.push_back({{}, expression, {span.file, at, close + 1}});
            at = close + 1;
            continue;
        }
        const auto begin = at;
        while (at < end && source[at] != '{') at += source[at] == '\\' ? 2U : 1U;
        at = std::min(at, end);
        parts.push_back(
            {decode_string(source.substr(begin - 1, at - begin + 1)), none_id<NodeId>, {span.file, begin, at}});
    }
    return parts;
}

} // namespace zug::syntax
