#include "grammar/format/spacing.hpp"

namespace zug::syntax {

namespace {

bool is_binary(Tok kind) {
    switch (kind) {
    case Tok::Plus:
    case Tok::Minus:
    case Tok::Star:
    case Tok::Slash:
    case Tok::Div:
    case Tok::Mod:
    case Tok::Bar:
    case Tok::Ampersand:
    case Tok::Backslash:
    case Tok::NotEqual:
    case Tok::Less:
    case Tok::LessEqual:
    case Tok::Greater:
    case Tok::GreaterEqual:
    case Tok::In:
    case Tok::Is:
    case Tok::AddAssign:
    case Tok::SubAssign: return true;
    default: return false;
    }
}

// `a.b` and `(d & s)^* . d` are both written, and so are `1/3` and `a / b`: these signs keep the blanks they have, on
// both sides or on none.
bool keeps_blanks(Tok kind) { return kind == Tok::Dot || kind == Tok::Slash; }
bool blanks_around(TokenIt sign) {
    const auto blank = [](TokenIt token) { return !token->touches && !token->first_on_line; };
    return blank(sign) || blank(sign + 1);
}

} // namespace

bool opens_bracket(Tok kind) { return kind == Tok::OpenParen || kind == Tok::OpenBracket || kind == Tok::OpenBrace; }
bool closes_bracket(Tok kind) {
    return kind == Tok::CloseParen || kind == Tok::CloseBracket || kind == Tok::CloseBrace;
}

bool blank_before(TokenIt token) {
    const auto kind = token->kind;
    const auto previous = token[-1].kind;
    if (opens_bracket(previous) || closes_bracket(kind)) return false;
    if (kind == Tok::Comma || kind == Tok::Colon || kind == Tok::Question) return false;
    if (previous == Tok::Tilde || previous == Tok::Caret || kind == Tok::Caret) return false;
    if (previous == Tok::DotDot || kind == Tok::DotDot) return false;
    if (keeps_blanks(kind)) return blanks_around(token);
    if (keeps_blanks(previous)) return blanks_around(token - 1);
    if (kind == Tok::OpenBracket) return !token->touches;
    if (kind == Tok::OpenParen) {
        const bool callee = previous == Tok::Name || previous == Tok::Min || previous == Tok::Max ||
                            previous == Tok::Next || previous == Tok::Earlier;
        return !callee || !token->touches;
    }
    return true;
}

unsigned break_cost(TokenIt token, unsigned depth) {
    const auto kind = token->kind;
    const auto previous = token[-1].kind;
    if (!blank_before(token)) return never_break;
    const unsigned inside = 3 * depth;
    if (previous == Tok::Comma) return inside;
    if (kind == Tok::Else || kind == Tok::When || kind == Tok::Where || kind == Tok::Then) return inside + 1;
    if (previous == Tok::And || previous == Tok::Or || previous == Tok::Implies || previous == Tok::Colon)
        return inside + 1;
    if (previous == Tok::Equal || previous == Tok::Assign) return inside + 2;
    if (is_binary(previous)) return inside + 3;
    return inside + 5;
}

} // namespace zug::syntax
