#pragma once
// What identifies the rules of a game, for caches and databases.

#include "base/digest.hpp"
#include "ir/program.hpp"

namespace zug::ir {

// The digest of all that play depends on: types, boards, parameters, state, rules, ends and evaluation. Where something
// stands in a file and how it is shown (glyphs, looks, notations, position format, title) or tested has no influence,
// so a file may get comments and tests without being solved again. Cost: serialising the program.
Digest rules_digest(const Program& program);

} // namespace zug::ir
