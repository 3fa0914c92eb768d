#include "grammar/rules/builder.hpp"

#include "grammar/lexer/lexer.hpp"

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <utility>

namespace zug::syntax {

Builder::Builder(Tree& tree, std::string_view text, FileId file, diag::Report& report)
    : tree_(tree), text_(text), file_(file), report_(report), first_node_(tree.size()) {}

void Builder::restore(const Mark& mark) {
    frames_.erase(frames_.begin() + static_cast<std::ptrdiff_t>(mark.frames), frames_.end());
    stack_.resize(mark.stack);
    depth = mark.depth;
    reading = mark.reading;
}

void Builder::recover(const Mark& mark) {
    const auto finished = frames_.size() > mark.frames ? frames_[mark.frames].base : stack_.size();
    restore({mark.frames, finished, mark.depth, mark.reading});
}

void Builder::open(Kind kind, TokenIt first, std::size_t below) {
    frames_.push_back({kind, first, stack_.size() - below, {}});
}

void Builder::open_same(Kind kind) {
    const auto first = frames_.back().first;
    open(kind, first, 1);
}

void Builder::close(TokenIt end) {
    Frame frame = std::move(frames_.back());
    const auto where = span(frame.first, end);
    const auto id = make(frame.kind, where, std::move(frame.text), std::span(stack_).subspan(frame.base));
    frames_.pop_back();
    stack_.resize(frame.base);
    push(id);
    check_size(end);
}

void Builder::close_last_first(TokenIt end) {
    const auto base = static_cast<std::ptrdiff_t>(frames_.back().base);
    std::rotate(stack_.begin() + base, stack_.end() - 1, stack_.end());
    close(end);
}

void Builder::close_if_many(TokenIt end) {
    if (stack_.size() == frames_.back().base + 1)
        frames_.pop_back();
    else
        close(end);
}

void Builder::close_for_each(TokenIt end, std::size_t shared) {
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    const std::vector<NodeId> parts(stack_.begin() + static_cast<std::ptrdiff_t>(frame.base), stack_.end());
    stack_.resize(frame.base);
    const auto names = std::span(parts).first(parts.size() - shared);
    const auto common = std::span(parts).last(shared);
    for (const auto name : names) {
        const Node node = tree_[name]; // a copy: making a node may move the array
        const Span where{file_, node.span.begin, span(frame.first, end).end};
        push(make(frame.kind, where, node.text, common));
    }
}

void Builder::push_leaf(Kind kind, TokenIt token) { push(make(kind, span(token), token_text(token), {})); }

void Builder::push_word(std::string_view word, TokenIt token) {
    push(make(Kind::Name, span(token), std::string(word), {}));
}

void Builder::push_error(TokenIt begin, TokenIt end) { push(make(Kind::Error, span(begin, end), {}, {})); }

void Builder::fold(Kind kind, std::string_view text, TokenIt first, TokenIt end) {
    const auto id = make(kind, span(first, end), std::string(text), std::span(stack_).last(2));
    stack_.resize(stack_.size() - 2);
    push(id);
    check_size(end);
}

std::vector<NodeId> Builder::take_all() { return std::exchange(stack_, {}); }

std::string Builder::token_text(TokenIt token) const {
    if (token->kind == Tok::String) return decode_string(source(token));
    if (token->kind == Tok::Number) return decode_number(source(token));
    if (token->kind == Tok::Name) return std::string(source(token));
    return std::string(spelling(token->kind)); // not as written: `!` has been read as `not`
}

std::size_t Builder::indentation(TokenIt token) const {
    const auto before = text_.substr(0, token->begin).rfind('\n');
    return before == std::string_view::npos ? token->begin : token->begin - before - 1;
}

Span Builder::span(TokenIt begin, TokenIt end) const {
    if (begin == end) return {file_, begin->begin, begin->begin};
    return {file_, begin->begin, (end - 1)->end};
}

void Builder::give_up_too_deep(TokenIt at) {
    report_.add(diag::Message::TooDeep, span(at), {std::to_string(max_nesting)},
                "name a part of it with `def` or `let`");
    give_up(at);
}

void Builder::give_up(TokenIt at) {
    silent = true;
    throw boost::spirit::x3::expectation_failure<TokenIt>(at, "");
}

void Builder::check_size(TokenIt at) {
    if (sizes_.back().height > Tree::max_height) give_up_too_deep(at);
    if (sizes_.back().unfolded <= Tree::max_unfolded + sizes_.size()) return;
    report_.add(diag::Message::TooManyParts, span(at), {std::to_string(Tree::max_unfolded)});
    give_up(at);
}

// Long chains such as 1 + 1 + ... are read by a loop but make a tall tree, so height is watched as well as nesting. And
// names that share a domain (`some a, b in S`), one inside the other, would make a walk over the tree exponential.
NodeId Builder::make(Kind kind, Span span, std::string text, std::span<const NodeId> children) {
    constexpr std::uint64_t most = UINT32_MAX; // far above what is let through
    Size size{1, 1};
    for (const auto child : children) {
        if (!valid(child)) continue;
        const auto part = sizes_[index(child) - first_node_];
        size.height = std::max(size.height, part.height + 1);
        size.unfolded = std::min(size.unfolded + part.unfolded, most);
    }
    // `some a, b: c` means one quantifier inside the other.
    if (kind == Kind::Quantifier) size.height += static_cast<std::uint32_t>(children.size()) - 1;
    if (kind == Kind::File) size = {};
    sizes_.push_back(size);
    return tree_.make(kind, span, std::move(text), children);
}

} // namespace zug::syntax
