#pragma once
// The parsers the grammar is written with, over tokens: terminals, and directives that make nodes. Internal to
// grammar/.
//
// None has an attribute; all effects go to the Builder found in the context. A parser that fails leaves `first` and the
// builder's stack as they were (a plain `a >> b` that fails at b after a made nodes does not: wrap it in attempt()).

#include "grammar/rules/builder.hpp"

#include <array>
#include <boost/spirit/home/x3.hpp>
#include <fmt/format.h>
#include <string>
#include <string_view>

#ifdef __clang__
#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses" // `a > b >> c` is how X3 is written
#endif

namespace zug::syntax {

namespace x3 = boost::spirit::x3;

struct BuilderTag;
using Context = x3::context<BuilderTag, Builder>;

template <class C>
Builder& builder(const C& context) {
    return x3::get<BuilderTag>(context);
}

template <class Derived>
struct Terminal : x3::parser<Derived> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;
    static constexpr bool handles_container = false;
};

// ---- terminals

struct TokenParser : Terminal<TokenParser> {
    explicit constexpr TokenParser(Tok kind) : kind(kind) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt&, const C&, R&, A&) const {
        if (first->kind != kind) return false;
        ++first;
        return true;
    }
    Tok kind;
};

// A name that is a keyword in this context only.
struct WordParser : Terminal<WordParser> {
    explicit constexpr WordParser(std::string_view word) : word(word) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt&, const C& context, R&, A&) const {
        if (first->kind != Tok::Name || builder(context).source(first) != word) return false;
        ++first;
        return true;
    }
    std::string_view word;
};

// Tests the tokens ahead and the builder without consuming input.
template <class F>
struct CheckParser : Terminal<CheckParser<F>> {
    explicit constexpr CheckParser(F test) : test(test) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt&, const C& context, R&, A&) const {
        return test(builder(context), first);
    }
    F test;
};

// Runs an action on the builder without consuming input.
template <class F>
struct DoParser : Terminal<DoParser<F>> {
    explicit constexpr DoParser(F action) : action(action) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt&, const C& context, R&, A&) const {
        action(builder(context), first);
        return true;
    }
    F action;
};

// `=` or an assignment sign; the wrong one of the two is reported and read as the right one.
struct SignParser : Terminal<SignParser> {
    constexpr SignParser(Tok right, Tok wrong) : right(right), wrong(wrong) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt&, const C& context, R&, A&) const {
        if (first->kind == wrong) {
            Builder& b = builder(context);
            // A `==` read as `=` has been reported by the lexer.
            if (b.source(first) == spelling(wrong))
                b.report().add(diag::Message::AssignmentSign, b.span(first),
                               {std::string(spelling(wrong)), std::string(spelling(right))},
                               right == Tok::Assign ? "assignment is written `:=`"
                                                    : "a definition or value is given with `=`");
        } else if (first->kind != right) {
            return false;
        }
        ++first;
        return true;
    }
    Tok right, wrong;
};

constexpr TokenParser tok(Tok kind) { return TokenParser(kind); }
constexpr WordParser word(std::string_view text) { return WordParser(text); }
template <class F>
constexpr auto check(F test) {
    return CheckParser<F>(test);
}
template <class F>
constexpr auto act(F action) {
    return DoParser<F>(action);
}

// ---- directives

template <class Subject, class Derived>
struct Directive : x3::unary_parser<Subject, Derived> {
    using x3::unary_parser<Subject, Derived>::unary_parser;
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;
    static constexpr bool handles_container = false;
    static constexpr bool has_action = false;

    template <class C>
    bool run(TokenIt& first, const TokenIt& last, const C& context) const {
        return this->subject.parse(first, last, context, x3::unused, x3::unused);
    }
};

// The text users read after 'expected'.
template <class Subject>
struct NamedDirective : Directive<Subject, NamedDirective<Subject>> {
    constexpr NamedDirective(Subject subject, const char* name)
        : Directive<Subject, NamedDirective<Subject>>(subject), name(name) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        return this->run(first, last, context);
    }
    const char* name;
};

// Restores everything when the subject fails.
template <class Subject>
struct AttemptDirective : Directive<Subject, AttemptDirective<Subject>> {
    using Directive<Subject, AttemptDirective<Subject>>::Directive;
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        const auto mark = builder(context).mark();
        const auto start = first;
        if (this->run(first, last, context)) return true;
        first = start;
        builder(context).restore(mark);
        return false;
    }
};

// How a node is made from the nodes that its parser has pushed.
enum class Close : std::uint8_t { Plain, LastFirst, IfMany, ForEach1, ForEach2 };

template <class Subject>
struct NodeDirective : Directive<Subject, NodeDirective<Subject>> {
    constexpr NodeDirective(Subject subject, Kind kind, Close how)
        : Directive<Subject, NodeDirective<Subject>>(subject), kind(kind), how(how) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        Builder& b = builder(context);
        const auto mark = b.mark();
        const auto start = first;
        b.open(kind, start);
        if (!this->run(first, last, context)) {
            first = start;
            b.restore(mark);
            return false;
        }
        switch (how) {
        case Close::Plain: b.close(first); break;
        case Close::LastFirst: b.close_last_first(first); break;
        case Close::IfMany: b.close_if_many(first); break;
        case Close::ForEach1: b.close_for_each(first, 1); break;
        case Close::ForEach2: b.close_for_each(first, 2); break;
        }
        return true;
    }
    Kind kind;
    Close how;
};

// Reads brackets, or one more level of them, under a Reading of their own.
template <class Subject>
struct ReadingDirective : Directive<Subject, ReadingDirective<Subject>> {
    constexpr ReadingDirective(Subject subject, Reading (*change)(Reading))
        : Directive<Subject, ReadingDirective<Subject>>(subject), change(change) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        Builder& b = builder(context);
        const auto before = b.reading;
        b.reading = change(before);
        const bool ok = this->run(first, last, context);
        b.reading = before;
        return ok;
    }
    Reading (*change)(Reading);
};

// Counts one level of nesting.
template <class Subject>
struct DeeperDirective : Directive<Subject, DeeperDirective<Subject>> {
    using Directive<Subject, DeeperDirective<Subject>>::Directive;
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        Builder& b = builder(context);
        if (b.depth >= max_nesting) b.give_up_too_deep(first);
        ++b.depth;
        const bool ok = this->run(first, last, context);
        --b.depth;
        return ok;
    }
};

// operand (operator operand)*, grouping to the left. `count` operators at most may stand in a row.
template <class Subject, std::size_t N>
struct ChainDirective : Directive<Subject, ChainDirective<Subject, N>> {
    constexpr ChainDirective(Subject subject, std::array<Tok, N> operators, bool once)
        : Directive<Subject, ChainDirective<Subject, N>>(subject), operators(operators), once(once) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        Builder& b = builder(context);
        const auto start = first;
        if (!this->run(first, last, context)) return false;
        while (is_operator(b, first->kind)) {
            const auto sign = spelling(first->kind);
            ++first;
            if (!this->run(first, last, context))
                throw x3::expectation_failure<TokenIt>(first, fmt::format("a value after `{}`", sign));
            b.fold(Kind::Binary, sign, start, first);
            if (once) break;
        }
        return true;
    }
    bool is_operator(const Builder& b, Tok kind) const {
        if (kind == Tok::Bar && !b.reading.bar) return false;
        if (kind == Tok::In && !b.reading.in) return false;
        for (const auto candidate : operators)
            if (candidate == kind) return true;
        return false;
    }
    std::array<Tok, N> operators;
    bool once;
};

// base tail*, each tail wrapping all that stands before it in a node.
template <class Subject, class Tail>
struct PostfixDirective : Directive<Subject, PostfixDirective<Subject, Tail>> {
    constexpr PostfixDirective(Subject subject, Kind kind, Tail tail)
        : Directive<Subject, PostfixDirective<Subject, Tail>>(subject), kind(kind), tail(tail) {}
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        Builder& b = builder(context);
        const auto start = first;
        if (!this->run(first, last, context)) return false;
        for (;;) {
            const auto mark = b.mark();
            const auto before = first;
            b.open(kind, start, 1);
            if (!tail.parse(first, last, context, x3::unused, x3::unused)) {
                first = before;
                b.restore(mark);
                return true;
            }
            b.close(first);
        }
    }
    Kind kind;
    Tail tail;
};

template <class P>
constexpr auto named(const char* name, P parser) {
    return NamedDirective<P>(parser, name);
}
template <class P>
constexpr auto attempt(P parser) {
    return AttemptDirective<P>(parser);
}
template <class P>
constexpr auto node(Kind kind, P parser, Close how = Close::Plain) {
    return NodeDirective<P>(parser, kind, how);
}
template <class P>
constexpr auto deeper(P parser) {
    return DeeperDirective<P>(parser);
}
template <class P>
constexpr auto reading(Reading (*change)(Reading), P parser) {
    return ReadingDirective<P>(parser, change);
}
template <class P, class... Toks>
constexpr auto chain(P operand, Toks... operators) {
    return ChainDirective<P, sizeof...(Toks)>(operand, {operators...}, false);
}
template <class P, class... Toks>
constexpr auto at_most_one(P operand, Toks... operators) {
    return ChainDirective<P, sizeof...(Toks)>(operand, {operators...}, true);
}
template <class P, class T>
constexpr auto postfix(P base, Kind kind, T tail) {
    return PostfixDirective<P, T>(base, kind, tail);
}

// ---- helpers

inline Reading in_brackets(Reading) { return {}; }
inline Reading in_conditions(Reading) { return {.commas = true}; }

// Something between brackets.
template <class P>
auto bracketed(Tok open, P parser, Tok close) {
    return tok(open) > reading(in_brackets, parser) > tok(close);
}
// One or more, with commas.
template <class P>
auto listed(P item) {
    return item >> *(tok(Tok::Comma) > item);
}

inline const auto push_none = act([](Builder& b, TokenIt) { b.push_none(); });
// The subject, or none_id as a child.
template <class P>
auto maybe(P parser) {
    return attempt(parser) | push_none;
}

// The token just read becomes the text of the node that is open, or a node of its own.
inline const auto take_text = act([](Builder& b, TokenIt next) { b.text(b.token_text(next - 1)); });
inline const auto push_name = act([](Builder& b, TokenIt next) { b.push_leaf(Kind::Name, next - 1); });

inline const auto name_text = named("a name", tok(Tok::Name) >> take_text);
inline const auto name_node = named("a name", tok(Tok::Name) >> push_name);
inline const auto string_text = named("a text in double quotes", tok(Tok::String) >> take_text);
inline const auto number_node =
    named("a number", tok(Tok::Number) >> act([](Builder& b, TokenIt next) { b.push_leaf(Kind::Number, next - 1); }));
inline const auto string_node =
    named("a text in double quotes",
          tok(Tok::String) >> act([](Builder& b, TokenIt next) { b.push_leaf(Kind::Text, next - 1); }));
inline const auto touching = check([](Builder&, TokenIt at) { return at->touches; });
inline const auto equals = SignParser(Tok::Equal, Tok::Assign);
// Before a condition: `if` instead of `when` is told as such.
inline const auto not_if = named("`when` before the condition", !tok(Tok::If));

} // namespace zug::syntax

#include "grammar/rules/expected.hpp"
