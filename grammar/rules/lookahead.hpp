#pragma once
// Where the next tokens decide between two constructs. Each looks ahead over balanced brackets at most once per level
// of nesting, so parsing stays linear. Internal to grammar/.

#include "grammar/lexer/token.hpp"

namespace zug::syntax {

// After a quantifying word: `x in S: ...`, `p: player: ...`, `a in S, b in T: ...` and not a set such as in
// `if some s: a else b`. `x in` alone is enough, since `(some x) in S` would mean nothing.
bool binders_ahead(TokenIt at);
// After `{`: a comprehension and not a list of elements.
bool comprehension_ahead(TokenIt at);
// Where a type is wanted: `lo..hi` and not a name or tuple.
bool range_ahead(TokenIt at);
// Where a type is wanted: a set of its values, `{Rook, Gold}` or `kind \ {King}`, and not the name of a type.
bool values_ahead(TokenIt at);
// Where a type may follow `set`.
bool type_ahead(TokenIt at);
// `name :`, where a list of sites begins.
bool label_ahead(TokenIt at);

} // namespace zug::syntax
