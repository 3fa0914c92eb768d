#pragma once
// Blanks between two tokens of a line, and where an over-long line is best broken, as far as the tokens tell. Internal
// to grammar/.

#include "grammar/format/layout.hpp"

namespace zug::syntax {

bool opens_bracket(Tok kind);
bool closes_bracket(Tok kind);

// Whether a blank stands before the token, which is not the first.
bool blank_before(TokenIt token);
// The cost of a line break before the token, inside `depth` brackets.
unsigned break_cost(TokenIt token, unsigned depth);

} // namespace zug::syntax
