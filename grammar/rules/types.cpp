// Types, parameters and the names that quantifiers bind.

#include "grammar/rules/lookahead.hpp"
#include "grammar/rules/rules.hpp"

namespace zug::syntax {

namespace {

Reading in_domain(Reading outer) { return {.bar = outer.bar}; }
Reading before_bar(Reading) { return {.bar = false}; }

// ---- types

const auto range_follows = check([](Builder&, TokenIt at) { return range_ahead(at); });
const auto range = node(Kind::TypeRange, range_follows > bound > tok(Tok::DotDot) > named("a value after `..`", bound));
const auto tuple_type =
    node(Kind::TypeTuple, bracketed(Tok::OpenParen, listed(named("a type", type)), Tok::CloseParen), Close::IfMany);
const auto values_follow = check([](Builder&, TokenIt at) { return values_ahead(at); });
const auto values = node(Kind::TypeValues, values_follow >> set_value);
const auto type_follows = check([](Builder&, TokenIt at) { return type_ahead(at); });
const auto set = node(Kind::TypeSet, tok(Tok::Set) > ((type_follows >> type) | push_none));
const auto indices = node(Kind::IndexTypes, listed(named("a type", type)));
const auto map = node(Kind::TypeMap, tok(Tok::Map) > named("a type after `map`", indices) > tok(Tok::Arrow) >
                                         named("a type after `->`", type));
const auto name = node(Kind::TypeName, (tok(Tok::Name) | tok(Tok::Path)) >> take_text);
const auto type_def =
    deeper(postfix(values | range | tuple_type | set | map | name, Kind::TypeOptional, tok(Tok::Question)));

// ---- parameters and binders

const auto parameter_type = named("`:` and a type", tok(Tok::Colon)) > named("a type after `:`", type);
const auto parameter = named("a parameter", node(Kind::Parameter, listed(name_node) > parameter_type, Close::ForEach1));
const auto parameters_def = node(Kind::Parameters, bracketed(Tok::OpenParen, -listed(parameter), Tok::CloseParen));

template <Tok sign>
auto mark() {
    return act([](Builder& b, TokenIt next) { b.push_word(spelling(sign), next - 1); });
}
const auto set_domain = tok(Tok::In) > named("a set after `in`", value) > mark<Tok::In>();
const auto type_domain = tok(Tok::Colon) > named("a type after `:`", type) > mark<Tok::Colon>();
const auto value_domain = tok(Tok::Equal) > named("a value after `=`", expression) > mark<Tok::Equal>();
const auto domain = named("`in` or `:`", set_domain | type_domain);

const auto binder_group =
    named("a name", node(Kind::Binder, listed(name_node) > reading(in_domain, domain), Close::ForEach2));
const auto binders_def = listed(binder_group);
const auto comprehension_binder_def =
    node(Kind::Binder, name_node > reading(before_bar, set_domain | type_domain | value_domain), Close::ForEach2);

} // namespace

BOOST_SPIRIT_DEFINE(type, parameters, binders, comprehension_binder)

ZUG_INSTANTIATE(type)
ZUG_INSTANTIATE(parameters)
ZUG_INSTANTIATE(binders)
ZUG_INSTANTIATE(comprehension_binder)

} // namespace zug::syntax
