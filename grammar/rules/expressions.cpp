// Expressions, from loosest to tightest, as in the table of reference.md.

#include "grammar/rules/lookahead.hpp"
#include "grammar/rules/rules.hpp"

namespace zug::syntax {

namespace {

const x3::rule<struct NegationRule> negation = "a condition";
const x3::rule<struct UnaryRule> unary = "a value";
const x3::rule<struct QuantifiedRule> quantified = "a value";
const x3::rule<struct PowerRule> power = "a value";
const x3::rule<struct PrefixRule> prefix = "a value";
const x3::rule<struct PrimaryRule> primary = "a value";

Reading in_binding(Reading outer) { return {.bar = outer.bar, .in = false}; }
Reading in_arm(Reading outer) { return {.bar = outer.bar, .in = outer.in}; }

// ---- lists

const auto condition_list_def = reading(in_conditions, listed(named("a condition", expression)));
const auto conditions_def = node(Kind::Conditions, condition_list, Close::IfMany);
const auto arguments_def = bracketed(Tok::OpenParen, -listed(named("an argument", expression)), Tok::CloseParen);
const auto binding = named(
    "a name", node(Kind::Binding, name_text > equals > named("a value after `=`", reading(in_binding, expression))));
const auto bindings_def = listed(binding);
const auto lets_def = node(Kind::Lets, tok(Tok::Let) > named("a name after `let`", bindings));

// ---- operators

const auto quantifying_word = tok(Tok::Some) | tok(Tok::All) | tok(Tok::No) | tok(Tok::Count) | tok(Tok::Sum) |
                              tok(Tok::Union) | tok(Tok::The) | tok(Tok::Odd) | tok(Tok::Min) | tok(Tok::Max);
const auto is_call = check([](Builder&, TokenIt at) {
    const bool callee = at->kind == Tok::Name || at->kind == Tok::Min || at->kind == Tok::Max || at->kind == Tok::Next;
    return callee && at[1].kind == Tok::OpenParen && at[1].touches;
});
const auto callee = tok(Tok::Name) | tok(Tok::Min) | tok(Tok::Max) | tok(Tok::Next);
const auto call = node(Kind::Call, is_call >> callee >> take_text > arguments);
// The body of `some`, `all` and `no` takes in the conditions after it, of the others one expression.
const auto body_runs_on = check([](Builder& b, TokenIt) {
    const std::string& word = b.open_text();
    return b.reading.commas && (word == "some" || word == "all" || word == "no");
});
const auto body = (body_runs_on >> conditions) | expression;
const auto binders_follow = check([](Builder&, TokenIt at) { return binders_ahead(at); });
const auto quantifier =
    node(Kind::Quantifier, quantifying_word >> take_text >> binders_follow > binders > tok(Tok::Colon) > deeper(body),
         Close::LastFirst);
const auto quantified_set =
    node(Kind::Quantified, quantifying_word >> take_text > named("a set or value", deeper(quantified | set_value)));
const auto quantified_def = !is_call >> (quantifier | quantified_set);

const auto exponent_value = reading(in_brackets, deeper(bound)) > ((tok(Tok::DotDot) > bound) | push_none);
const auto exponent = named("an exponent: `*`, `+`, a number, a name, a call or a value in brackets",
                            ((tok(Tok::Star) | tok(Tok::Plus)) >> take_text >> push_none >> push_none) |
                                ((call | number_node | name_node) >> push_none) |
                                (tok(Tok::OpenParen) > exponent_value > tok(Tok::CloseParen)));
const auto index_list = reading(in_brackets, listed(named("an index", expression)));
const auto index_tail = touching >> tok(Tok::OpenBracket) > index_list > tok(Tok::CloseBracket);
const auto place_def = postfix(name_node, Kind::Index, index_tail);

const auto prefix_def =
    node(Kind::Unary, tok(Tok::Tilde) >> take_text > deeper(prefix)) | postfix(primary, Kind::Index, index_tail);
const auto power_def = postfix(prefix, Kind::Power, tok(Tok::Caret) > exponent);
const auto join = chain(power, Tok::Dot);
const auto set_value_def = chain(chain(join, Tok::Ampersand, Tok::Backslash), Tok::Bar);

const auto unary_def = node(Kind::Unary, tok(Tok::Minus) >> take_text > deeper(unary)) | quantified | set_value;
const auto product = chain(unary, Tok::Star, Tok::Slash, Tok::Div, Tok::Mod);
const auto bound_def = chain(product, Tok::Plus, Tok::Minus);
const auto value_def = at_most_one(bound, Tok::DotDot);

// `a is not p` is the negation of `a is p`.
const auto open_negated = act([](Builder& b, TokenIt) {
    b.text("not");
    b.open_same(Kind::Is);
});
const auto close_negated = act([](Builder& b, TokenIt next) { b.close(next); });
const auto pattern = named("a pattern after `is`", value);
const auto is_not = tok(Tok::Is) >> tok(Tok::Not) >> open_negated > pattern > close_negated;
const auto is_value = postfix(postfix(value, Kind::Unary, is_not), Kind::Is, tok(Tok::Is) > pattern);
// `a not in s` is the negation of `a in s`.
const auto open_not_in = act([](Builder& b, TokenIt) {
    b.text("not");
    b.open_same(Kind::Binary);
    b.text("in");
});
const auto not_in = tok(Tok::Not) >> tok(Tok::In) >> open_not_in > named("a set after `in`", is_value) > close_negated;
const auto comparison = at_most_one(postfix(is_value, Kind::Unary, not_in), Tok::Equal, Tok::NotEqual, Tok::Less,
                                    Tok::LessEqual, Tok::Greater, Tok::GreaterEqual, Tok::In);
const auto negation_def = node(Kind::Unary, tok(Tok::Not) >> take_text > deeper(negation)) | comparison;
const auto disjunction = chain(chain(negation, Tok::And), Tok::Or);
const auto expression_def = deeper(at_most_one(disjunction, Tok::Implies));

// ---- what needs no operator

const auto word_value =
    (tok(Tok::Name) | tok(Tok::None) | tok(Tok::Me) | tok(Tok::True) | tok(Tok::False) | tok(Tok::Stuck)) >> push_name;
const auto can_arguments = touching >> &tok(Tok::OpenParen) > arguments;
const auto can = node(Kind::Can,
                      tok(Tok::Can) > name_text > -can_arguments >
                          ((tok(Tok::For) > named("a player after `for`", join)) | push_none),
                      Close::LastFirst);
const auto earlier = node(Kind::Earlier, tok(Tok::Earlier) > arguments);
const auto tuple = node(
    Kind::Tuple, bracketed(Tok::OpenParen, listed(named("an expression", expression)), Tok::CloseParen), Close::IfMany);
const auto comprehension_follows = check([](Builder&, TokenIt at) { return comprehension_ahead(at); });
const auto comprehension =
    node(Kind::Comprehension, tok(Tok::OpenBrace) >> comprehension_follows > comprehension_binder > tok(Tok::Bar) >
                                  named("a condition after `|`", conditions) > tok(Tok::CloseBrace));
const auto set_literal =
    node(Kind::SetLiteral, bracketed(Tok::OpenBrace, -listed(named("an element", expression)), Tok::CloseBrace));
const auto if_value =
    node(Kind::If, tok(Tok::If) > reading(in_brackets, named("a condition after `if`", expression)) > tok(Tok::Colon) >
                       reading(in_brackets, named("a value after `:`", expression)) > tok(Tok::Else) >
                       named("a value after `else`", expression));
const auto let_value = node(Kind::LetIn, lets > tok(Tok::In) > named("a value after `in`", expression));
const auto arm =
    node(Kind::Arm, value >> tok(Tok::Colon) > reading(in_arm, named("a value after the arm's `:`", expression)));
const auto match = node(Kind::Match, tok(Tok::Match) > reading(in_brackets, named("a value after `match`", value)) >
                                         named("an arm `pattern: value` of `match`", arm) > *arm);
const auto primary_def = number_node | call | word_value | tuple | comprehension | set_literal | if_value | let_value |
                         match | can | earlier;

} // namespace

BOOST_SPIRIT_DEFINE(expression, conditions, condition_list, value, bound, set_value, place, bindings, lets, arguments)
BOOST_SPIRIT_DEFINE(negation, unary, quantified, power, prefix, primary)

ZUG_INSTANTIATE(expression)
ZUG_INSTANTIATE(conditions)
ZUG_INSTANTIATE(condition_list)
ZUG_INSTANTIATE(value)
ZUG_INSTANTIATE(bound)
ZUG_INSTANTIATE(set_value)
ZUG_INSTANTIATE(place)
ZUG_INSTANTIATE(bindings)
ZUG_INSTANTIATE(lets)
ZUG_INSTANTIATE(arguments)

} // namespace zug::syntax
