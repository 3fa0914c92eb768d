// The tests a rule file carries.

#include "grammar/rules/rules.hpp"

namespace zug::syntax {

namespace {

const auto perft = node(Kind::CheckPerft, word("perft") > number_node > tok(Tok::Equal) > number_node);
const auto text_word =
    (word("moves") | word("legal") | word("illegal") | tok(Tok::Loud) | tok(Tok::Position)) >> take_text;
const auto text_check = node(Kind::CheckText, text_word > string_node);
const auto value_check =
    node(Kind::CheckValue, word("value") > named("a value", value) > maybe(word("depth") > number_node));
const auto holds = node(Kind::CheckHolds, word("holds") > named("a condition after `holds`", expression));

// An outcome's node begins at the word `outcome`, which all its forms have in common.
const auto outcome = tok(Tok::Name);
const auto outcome_word = &word("outcome");
const auto outcome_draw = node(Kind::CheckDraw, outcome_word >> outcome >> word("draw"));
const auto outcome_open = node(Kind::CheckOpen, outcome_word >> outcome >> word("open"));
const auto payoffs_follow = check([](Builder&, TokenIt at) { return at->kind == Tok::OpenParen; });
const auto payoff_list = bracketed(Tok::OpenParen, listed(named("a payoff", value)), Tok::CloseParen);
const auto outcome_payoffs = node(Kind::CheckPayoffs, outcome_word >> outcome >> payoffs_follow > payoff_list);
const auto outcome_wins =
    node(Kind::CheckWins,
         outcome_word >> outcome > named("`draw`, `open`, a player who wins or payoffs", set_value) > word("wins"));

const auto one_check =
    named("a check: perft, moves, legal, illegal, loud, position, outcome, value or holds",
          perft | text_check | value_check | holds | outcome_draw | outcome_open | outcome_payoffs | outcome_wins);
const auto with = maybe(node(Kind::With, word("with") > bindings));
const auto test_declaration_def =
    node(Kind::Test, tok(Tok::Test) > -string_text > with > maybe(word("from") > string_node) >
                         maybe(word("after") > string_node) > tok(Tok::Colon) > listed(one_check));

} // namespace

BOOST_SPIRIT_DEFINE(test_declaration)
ZUG_INSTANTIATE(test_declaration)

} // namespace zug::syntax
