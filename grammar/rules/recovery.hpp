#pragma once
// Error recovery after a failed expectation: the diagnostic, with a likely fix, and the resumption at the next
// declaration.
// Internal to grammar/.

#include "grammar/rules/combinators.hpp"

namespace zug::syntax {

// The expectation where a declaration could continue or end.
inline constexpr const char* continuation = "an operator, `,` or the next declaration";

// Adds the diagnostic for a token that does not fit. `begin` is the first token of the declaration.
void report_unexpected(Builder& builder, TokenIt begin, TokenIt at, const std::string& expected);

// The first token from `at` on that starts a declaration, or closes a brace, and is the first of its line; or End.
TokenIt next_declaration(TokenIt at);

// Reads the subject; when an expectation in it fails, says so, makes an Error node and goes on at the next declaration.
template <class Subject>
struct RecoverDirective : Directive<Subject, RecoverDirective<Subject>> {
    using Directive<Subject, RecoverDirective<Subject>>::Directive;
    template <class C, class R, class A>
    bool parse(TokenIt& first, const TokenIt& last, const C& context, R&, A&) const {
        Builder& b = builder(context);
        const auto mark = b.mark();
        const auto start = first;
        try {
            return this->run(first, last, context);
        } catch (const x3::expectation_failure<TokenIt>& failure) {
            b.recover(mark);
            report_unexpected(b, start, failure.where(), failure.which());
            // A full report takes no more, so parsing need not resume.
            const bool full = b.report().error_count() >= diag::Report::limit;
            // An empty range keeps its end.
            first = full || start == last ? last : next_declaration(std::max(failure.where(), start + 1));
            b.resumed = first;
            if (start->kind == Tok::Phase) ++b.open_phases;
            b.push_error(start, first);
            return true;
        }
    }
};

template <class P>
constexpr auto recover(P parser) {
    return RecoverDirective<P>(parser);
}

} // namespace zug::syntax
