// Moves, chance events, phases, turns and the end of the game.

#include "base/nearest.hpp"
#include "grammar/rules/recovery.hpp"
#include "grammar/rules/rules.hpp"

namespace zug::syntax {

namespace {

const x3::rule<struct ChainRule> chain_of_steps = "the name of a move rule";

// ---- move, chance, phase

const auto when = tok(Tok::When) > named("a condition after `when`", condition_list);
const auto when_node = maybe(node(Kind::When, when));
const auto ensure = maybe(node(Kind::Ensure, tok(Tok::Ensure) > named("a condition after `ensure`", condition_list)));
const auto weight = maybe(node(Kind::Weight, tok(Tok::Weight) > named("a value after `weight`", expression)));
// After a `let` of a rule: what it names is a value, and no domain.
const auto no_domain = named(continuation, !tok(Tok::In));
const auto head = name_text > maybe(parameters) > maybe(lets > no_domain) > when_node;

const auto also_follows = check([](Builder& b, TokenIt at) {
    return at[1].kind == Tok::Name && at[2].kind == Tok::Name && b.source(at + 2) == "also";
});
const auto more = name_text > word("also") > maybe(lets > no_domain) > when_node > maybe(thens);
const auto move_also = node(Kind::MoveAlso, also_follows >> tok(Tok::Move) > more > ensure);
const auto chance_also = node(Kind::ChanceAlso, also_follows >> tok(Tok::Chance) > more);
const auto move = node(Kind::Move, tok(Tok::Move) > head > maybe(thens) > ensure);
const auto chance = node(Kind::Chance, tok(Tok::Chance) > head > weight > maybe(thens));
const auto phase =
    node(Kind::Phase, tok(Tok::Phase) > name_text > tok(Tok::When) > named("a condition after `when`", conditions) >
                          tok(Tok::OpenBrace) > *recover(move | chance) >
                          named("`move`, `chance` or `}`", tok(Tok::CloseBrace)));

// ---- turn

const auto chains = chain_of_steps > *(tok(Tok::Else) > chain_of_steps);
const auto chain_group = node(Kind::ChainGroup, tok(Tok::OpenParen) > chains > tok(Tok::CloseParen));
const auto rule_name =
    check([](Builder& b, TokenIt at) { return b.source(at) != "most" && b.source(at) != "by"; }) >> name_node;
const auto repeats = (tok(Tok::Question) | tok(Tok::Star) | tok(Tok::Plus)) >> take_text;
const auto may_follows = check([](Builder& b, TokenIt at) {
    return b.source(at) == "may" && (at[1].kind == Tok::Name || at[1].kind == Tok::OpenParen);
});
const auto may_repeats = (tok(Tok::Star) | tok(Tok::Plus)) >> take_text;
const auto may_step = node(Kind::MayStep, may_follows >> tok(Tok::Name) > (rule_name | chain_group) > -may_repeats);
const auto step = may_step | node(Kind::Step, (rule_name | chain_group) > -repeats);
const auto most = maybe(word("most") > named("a value after `most`", expression));
const auto chain_of_steps_def = deeper(node(Kind::Chain, +step > most, Close::LastFirst));
const auto key = named("a value after `by`", expression);
const auto by = maybe(node(Kind::By, word("by") > ((word("steps") >> take_text) | listed(key))));
const auto turn = node(Kind::Turn, tok(Tok::Turn) > chains > by > maybe(thens));

// ---- stuck, end

const auto stuck = node(Kind::StuckPass, tok(Tok::Stuck) > word("pass"));

const auto when_clause = maybe(tok(Tok::When) > named("a condition after `when`", conditions));
const auto amount = maybe(
    number_node | (tok(Tok::OpenParen) > reading(in_brackets, named("a value", expression)) > tok(Tok::CloseParen)));
const auto result = named("`wins` or `loses`", (word("wins") | word("loses")) >> take_text);
// `draw` and `payoff` could be the name of a player.
const auto names_player = check([](Builder& b, TokenIt at) {
    return at->kind != Tok::End && at[1].kind == Tok::Name &&
           (b.source(at + 1) == "wins" || b.source(at + 1) == "loses");
});
const auto no_amount = named("`when`, since `draw` takes no amount", !tok(Tok::Number));
const auto end_draw = node(Kind::EndDraw, word("draw") > no_amount > not_if > when_clause);
const auto payoff_item = node(Kind::PayoffItem, word("payoff") > named("a player after `payoff`", set_value) > equals >
                                                    named("a value after `=`", expression));
const auto payoff = node(Kind::EndPayoff, +payoff_item > when_clause, Close::LastFirst);
const auto is_misspelt = check([](Builder& b, TokenIt at) {
    return at->kind == Tok::Name && at[1].kind == Tok::When && !nearest(b.source(at), {"draw"}).empty();
});
const auto no_misspelt_draw = x3::eps > named("`draw`, or a player who wins or loses", !is_misspelt);
const auto end_wins = node(Kind::EndWins, no_misspelt_draw >> set_value > result > amount > not_if > when_clause);
// `stuck` is no player; here it starts `stuck pass`.
const auto clause = (!names_player >> (end_draw | payoff)) | (!tok(Tok::Stuck) >> end_wins);
const auto end = node(Kind::End, tok(Tok::EndRules) > when_clause > *clause);

const auto move_declaration_def = move_also | chance_also | move | chance | phase | turn | stuck | end;

} // namespace

BOOST_SPIRIT_DEFINE(chain_of_steps, move_declaration)
ZUG_INSTANTIATE(move_declaration)

} // namespace zug::syntax
