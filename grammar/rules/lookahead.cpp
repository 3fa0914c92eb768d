#include "grammar/rules/lookahead.hpp"

#include "grammar/rules/builder.hpp"

namespace zug::syntax {

namespace {

bool opens(Tok kind) { return kind == Tok::OpenParen || kind == Tok::OpenBracket || kind == Tok::OpenBrace; }
bool closes(Tok kind) { return kind == Tok::CloseParen || kind == Tok::CloseBracket || kind == Tok::CloseBrace; }

// From an opening bracket to the token after its closing one, or to the End token. Brackets nested deeper than the
// grammar accepts end the search, so that the total work stays linear.
TokenIt behind_brackets(TokenIt at) {
    static constexpr Token end;
    std::size_t open = 0;
    for (; at->kind != Tok::End; ++at) {
        if (opens(at->kind) && ++open > max_nesting) return &end;
        if (closes(at->kind) && --open == 0) return at + 1;
    }
    return at;
}

bool in_arithmetic(Tok kind) {
    switch (kind) {
    case Tok::Name:
    case Tok::Number:
    case Tok::Plus:
    case Tok::Minus:
    case Tok::Star:
    case Tok::Slash:
    case Tok::Div:
    case Tok::Mod:
    case Tok::Dot:
    case Tok::Caret:
    case Tok::Tilde:
    case Tok::Min:
    case Tok::Max:
    case Tok::Next:
    case Tok::Me: return true;
    default: return opens(kind);
    }
}

bool in_type_or_set(Tok kind) {
    switch (kind) {
    case Tok::DotDot:
    case Tok::Question:
    case Tok::Bar:
    case Tok::Ampersand:
    case Tok::Backslash:
    case Tok::Set:
    case Tok::None: return true;
    default: return in_arithmetic(kind);
    }
}

template <class F>
TokenIt skip_while(TokenIt at, F allowed) {
    while (allowed(at->kind)) at = opens(at->kind) ? behind_brackets(at) : at + 1;
    return at;
}

} // namespace

bool binders_ahead(TokenIt at) {
    for (bool first_group = true;; first_group = false) {
        if (at->kind != Tok::Name) return false;
        ++at;
        if (first_group && at->kind == Tok::In) return true;
        while (at->kind == Tok::Comma && at[1].kind == Tok::Name) at += 2;
        if (at->kind != Tok::In && at->kind != Tok::Colon) return false;
        const auto domain = at + 1;
        at = skip_while(domain, in_type_or_set);
        if (at == domain) return false;
        if (at->kind == Tok::Colon) return true;
        if (at->kind != Tok::Comma) return false;
        ++at;
    }
}

bool comprehension_ahead(TokenIt at) {
    if (at->kind != Tok::Name) return false;
    const auto sign = at[1].kind;
    return sign == Tok::Colon || sign == Tok::In || sign == Tok::Equal;
}

bool range_ahead(TokenIt at) { return skip_while(at, in_arithmetic)->kind == Tok::DotDot; }

bool values_ahead(TokenIt at) {
    return at->kind == Tok::OpenBrace ||
           (at->kind == Tok::Name && (at[1].kind == Tok::Backslash || at[1].kind == Tok::Ampersand));
}

bool type_ahead(TokenIt at) {
    return at->kind == Tok::OpenBrace || at->kind == Tok::Name || at->kind == Tok::Number || at->kind == Tok::Minus ||
           at->kind == Tok::OpenParen || at->kind == Tok::Set;
}

bool label_ahead(TokenIt at) { return at->kind == Tok::Name && at[1].kind == Tok::Colon; }

} // namespace zug::syntax
