#pragma once
// The grammar rules that one translation unit defines and another uses. Their names are what users read after
// 'expected'. Each pushes one node unless said otherwise. Internal to grammar/.

#include "grammar/rules/combinators.hpp"

namespace zug::syntax {

// expressions.cpp
inline const x3::rule<struct ExpressionRule> expression = "an expression";
inline const x3::rule<struct ConditionsRule> conditions =
    "a condition"; // a, b, c: a Conditions node when more than one
inline const x3::rule<struct ConditionListRule> condition_list = "a condition"; // one node a condition
inline const x3::rule<struct ValueRule> value = "a value";                      // arithmetic, no comparison; `a..b` too
inline const x3::rule<struct BoundRule> bound = "a value";                      // the same without `..`
inline const x3::rule<struct SetRule> set_value = "a value";                    // `|`, `&`, joins and tighter
inline const x3::rule<struct PlaceRule> place = "a place to assign to";         // a name, or a map with indices
inline const x3::rule<struct BindingsRule> bindings = "a name";                 // one Binding a part
inline const x3::rule<struct LetsRule> lets = "`let`";
inline const x3::rule<struct ArgumentsRule> arguments = "`(`"; // with the brackets; one node an argument

// types.cpp
inline const x3::rule<struct TypeRule> type = "a type";
inline const x3::rule<struct ParametersRule> parameters = "parameters in brackets";
inline const x3::rule<struct BindersRule> binders = "a name and where it ranges"; // one Binder a name
inline const x3::rule<struct ComprehensionBinderRule> comprehension_binder = "a name and where it ranges";

// effects.cpp
inline const x3::rule<struct BlockRule> block = "an effect"; // effects with commas between
inline const x3::rule<struct ThensRule> thens = "`then`";

// declarations.cpp, moves.cpp, tests.cpp: the declarations, which push a node each (`param` and `glyph` one an item)
inline const x3::rule<struct DeclarationRule> declaration = "a declaration";
inline const x3::rule<struct MoveDeclarationRule> move_declaration =
    "`move`, `chance`, `phase`, `turn`, `stuck` or `end`";
inline const x3::rule<struct TestDeclarationRule> test_declaration = "`test`";

BOOST_SPIRIT_DECLARE(decltype(declaration), decltype(move_declaration), decltype(test_declaration))
BOOST_SPIRIT_DECLARE(decltype(expression), decltype(conditions), decltype(condition_list), decltype(value),
                     decltype(bound), decltype(set_value), decltype(place), decltype(bindings), decltype(lets),
                     decltype(arguments))
BOOST_SPIRIT_DECLARE(decltype(type), decltype(parameters), decltype(binders), decltype(comprehension_binder),
                     decltype(block), decltype(thens))

// Instantiates a rule in the file that defines it.
#define ZUG_INSTANTIATE(rule) BOOST_SPIRIT_INSTANTIATE(decltype(rule), TokenIt, Context)

} // namespace zug::syntax
