#pragma once
// What users read after 'expected' when a parser fails behind `>`: its name if it has one, else that of its first part.
// Internal to grammar/; included by combinators.hpp, whose parsers it knows.

#include "grammar/rules/combinators.hpp"

namespace zug::syntax {

template <class P>
struct Subject {
    using result_type = std::string;
    std::string operator()(const P& parser) const { return x3::what(parser.subject); }
};

struct Unnamed {
    using result_type = std::string;
    template <class P>
    std::string operator()(const P&) const {
        return {};
    }
};

} // namespace zug::syntax

namespace boost::spirit::x3 {

template <>
struct get_info<zug::syntax::TokenParser> {
    using result_type = std::string;
    std::string operator()(const zug::syntax::TokenParser& parser) const {
        const auto text = std::string(zug::syntax::spelling(parser.kind));
        return parser.kind <= zug::syntax::Tok::String ? text : fmt::format("`{}`", text);
    }
};
template <>
struct get_info<zug::syntax::WordParser> {
    using result_type = std::string;
    std::string operator()(const zug::syntax::WordParser& parser) const { return fmt::format("`{}`", parser.word); }
};
template <>
struct get_info<zug::syntax::SignParser> {
    using result_type = std::string;
    std::string operator()(const zug::syntax::SignParser& parser) const {
        return fmt::format("`{}`", zug::syntax::spelling(parser.right));
    }
};
template <class S>
struct get_info<zug::syntax::NamedDirective<S>> {
    using result_type = std::string;
    std::string operator()(const zug::syntax::NamedDirective<S>& parser) const { return parser.name; }
};

template <class F>
struct get_info<zug::syntax::CheckParser<F>> : zug::syntax::Unnamed {};
template <class F>
struct get_info<zug::syntax::DoParser<F>> : zug::syntax::Unnamed {};
template <class S>
struct get_info<not_predicate<S>> : zug::syntax::Unnamed {};

template <class S>
struct get_info<zug::syntax::NodeDirective<S>> : zug::syntax::Subject<zug::syntax::NodeDirective<S>> {};
template <class S>
struct get_info<zug::syntax::AttemptDirective<S>> : zug::syntax::Subject<zug::syntax::AttemptDirective<S>> {};
template <class S>
struct get_info<zug::syntax::ReadingDirective<S>> : zug::syntax::Subject<zug::syntax::ReadingDirective<S>> {};
template <class S>
struct get_info<zug::syntax::DeeperDirective<S>> : zug::syntax::Subject<zug::syntax::DeeperDirective<S>> {};
template <class S, std::size_t N>
struct get_info<zug::syntax::ChainDirective<S, N>> : zug::syntax::Subject<zug::syntax::ChainDirective<S, N>> {};
template <class S, class T>
struct get_info<zug::syntax::PostfixDirective<S, T>> : zug::syntax::Subject<zug::syntax::PostfixDirective<S, T>> {};
template <class S>
struct get_info<expect_directive<S>> : zug::syntax::Subject<expect_directive<S>> {};
template <class S>
struct get_info<and_predicate<S>> : zug::syntax::Subject<and_predicate<S>> {};
template <class S>
struct get_info<kleene<S>> : zug::syntax::Subject<kleene<S>> {};
template <class S>
struct get_info<plus<S>> : zug::syntax::Subject<plus<S>> {};
template <class S>
struct get_info<optional<S>> : zug::syntax::Subject<optional<S>> {};

template <class L, class R>
struct get_info<sequence<L, R>> {
    using result_type = std::string;
    std::string operator()(const sequence<L, R>& parser) const {
        auto text = what(parser.left);
        return text.empty() ? what(parser.right) : text;
    }
};
template <class L, class R>
struct get_info<alternative<L, R>> {
    using result_type = std::string;
    std::string operator()(const alternative<L, R>& parser) const {
        const auto left = what(parser.left), right = what(parser.right);
        if (left.empty() || right.empty()) return left + right;
        return left == right ? left : fmt::format("{} or {}", left, right);
    }
};

} // namespace boost::spirit::x3
