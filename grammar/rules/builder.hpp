#pragma once
// The builder of the syntax tree, passed through the grammar by x3::with. Rules have no attributes: a parser that makes
// a node opens a frame, its parts push their nodes on a stack, and closing the frame pops them as the children of the
// new node. A failed alternative resets the stack to its height at the start; its nodes remain in the tree as garbage.

#include "diag/diagnostic.hpp"
#include "grammar/ast/ast.hpp"
#include "grammar/lexer/token.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace zug::syntax {

// The nesting limit for brackets, `if`, `not` and all other recursion of the grammar, so that neither the parser nor a
// recursive walk over the tree can exhaust the stack.
inline constexpr unsigned max_nesting = 200;

// Where an expression ends. Brackets reset all three.
struct Reading {
    bool bar = true;     // `|` is union; false in the domain of a comprehension, where the bar ends it
    bool in = true;      // `in` is membership; false in the bindings of `let ... in`
    bool commas = false; // the body of some, all, no runs on over commas: in the conditions of a rule
};

class Builder {
public:
    Builder(Tree& tree, std::string_view text, FileId file, diag::Report& report);

    struct Mark {
        std::size_t frames, stack;
        unsigned depth;
        Reading reading;
    };
    Mark mark() const { return {frames_.size(), stack_.size(), depth, reading}; }
    void restore(const Mark& mark);
    // Like restore, but keeps the nodes finished outside any frame since the mark.
    void recover(const Mark& mark);

    // Frames. `below`: that many nodes below the frame become its first children (for postfix operators).
    void open(Kind kind, TokenIt first, std::size_t below = 0);
    void open_same(Kind kind); // where the topmost frame begins, with the node under it
    void close(TokenIt end);
    void close_last_first(TokenIt end); // the child read last becomes the first
    void close_if_many(TokenIt end);    // makes no node when there is exactly one child
    void close_for_each(TokenIt end,
                        std::size_t shared); // one node a leading Name child; the last `shared` are common to all

    void text(std::string_view text) { frames_.back().text = text; }
    const std::string& open_text() const { return frames_.back().text; }
    void push(NodeId id) { stack_.push_back(id); }
    void push_none() { push(none_id<NodeId>); }
    void push_leaf(Kind kind, TokenIt token);
    void push_word(std::string_view word, TokenIt token); // a Name with a text of its own
    void push_error(TokenIt begin, TokenIt end);
    void fold(Kind kind, std::string_view text, TokenIt first, TokenIt end); // the two topmost nodes
    std::vector<NodeId> take_all();

    std::string token_text(TokenIt token) const; // names as written, strings and numbers decoded
    std::string_view source(TokenIt token) const { return text_.substr(token->begin, token->end - token->begin); }
    std::size_t indentation(TokenIt token) const; // bytes between it and the start of its line
    Span span(TokenIt begin, TokenIt end) const;  // of the tokens begin..end-1
    Span span(TokenIt token) const { return {file_, token->begin, token->end}; }
    diag::Report& report() { return report_; }

    // Reports that `at` is nested too deep and throws as a failed expectation does.
    [[noreturn]] void give_up_too_deep(TokenIt at);

    unsigned depth = 0;
    Reading reading;
    TokenIt resumed = nullptr; // where recovery stopped last: a second error at the same token is a consequence
    unsigned open_phases = 0;  // phases that could not be parsed: each may leave a `}` further on
    bool silent = false;       // the failure in flight has been reported already

private:
    [[noreturn]] void give_up(TokenIt at);

    struct Frame {
        Kind kind;
        TokenIt first;
        std::size_t base; // of the stack
        std::string text;
    };
    void check_size(TokenIt at);
    NodeId make(Kind kind, Span span, std::string text, std::span<const NodeId> children);

    Tree& tree_;
    std::string_view text_;
    FileId file_;
    diag::Report& report_;
    std::vector<Frame> frames_;
    std::vector<NodeId> stack_;
    struct Size {
        std::uint32_t height = 0;   // counted from the leaves
        std::uint64_t unfolded = 0; // nodes, each counted once a parent
    };
    std::vector<Size> sizes_; // of each node made here
    std::size_t first_node_ = 0;
};

} // namespace zug::syntax
