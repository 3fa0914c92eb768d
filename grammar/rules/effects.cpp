// Effects: what `then` does.

#include "grammar/rules/rules.hpp"

namespace zug::syntax {

namespace {

const x3::rule<struct EffectRule> effect = "an effect";
const x3::rule<struct BranchRule> branch = "an effect";

const auto sign = (tok(Tok::AddAssign) | tok(Tok::SubAssign) | SignParser(Tok::Assign, Tok::Equal)) >>
                  act([](Builder& b, TokenIt next) {
                      b.text((next - 1)->kind == Tok::Equal ? spelling(Tok::Assign) : b.source(next - 1));
                  });
const auto assignment =
    node(Kind::Assign, place > named("`:=`, `+=` or `-=`", sign) > named("a value to assign", expression));

const auto is_effect_call =
    check([](Builder&, TokenIt at) { return at->kind == Tok::Name && at[1].kind == Tok::OpenParen && at[1].touches; });
const auto effect_call = node(Kind::EffectCall, is_effect_call >> tok(Tok::Name) >> take_text > arguments);

const auto if_effect = node(Kind::EffectIf, tok(Tok::If) > named("a condition after `if`", expression) >
                                                tok(Tok::Colon) > branch > ((tok(Tok::Else) > branch) | push_none));
const auto for_effect = node(Kind::EffectFor, tok(Tok::For) > binders > tok(Tok::Colon) > branch);
const auto again = node(Kind::Again, tok(Tok::Again));
const auto next = node(Kind::Next, tok(Tok::Next) > named("a player after `next`", expression));

const auto branch_def = node(Kind::Block, (tok(Tok::OpenParen) > listed(effect) > tok(Tok::CloseParen)) | effect);
const auto effect_def = deeper(if_effect | for_effect | again | next | effect_call | assignment);
const auto block_def = node(Kind::Block, reading(in_brackets, listed(effect)));
const auto thens_def = node(Kind::Then, +(tok(Tok::Then) > named("an effect after `then`", block)));

} // namespace

BOOST_SPIRIT_DEFINE(effect, branch, block, thens)

ZUG_INSTANTIATE(block)
ZUG_INSTANTIATE(thens)

} // namespace zug::syntax
