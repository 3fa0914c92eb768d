#pragma once
// Patterns: after `is`, in an arm of `match`, after a map's dot. Known names compare, new lower-case names bind where
// that is allowed. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Symbols;
class Operators;
class NameValues;
class Expressions;

class Patterns : CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        Operators& operators;
        NameValues& name_values;
        Expressions& expressions;
    };
    Patterns(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), operators_(uses.operators),
          name_values_(uses.name_values), expressions_(uses.expressions) {}

    // Reads a pattern for values of `type`. `may_bind`: new names bind parts of the value. `top`: the pattern is for
    // the whole value, so `_` does not match none. Shape Wrong: an error has been reported.
    Pattern pattern(NodeId id, TypeId type, bool may_bind, bool top);
    // The condition that `value` matches. Appends to `bindings`, if given, what the names of the pattern stand for.
    ExprId test(const Pattern& pattern, ExprId value, TypeId type, std::vector<Binding>* bindings);
    // Whether the pattern is known to match this value of the type.
    bool covers(const Pattern& pattern, TypeId type, std::int64_t value) const;
    // `value is pattern` as an expression: binds no names.
    Operand is_value(NodeId id);
    // The same, where its names are for the scope at hand. `bound` gets the value that is matched, if it is worked out
    // once; `bindings` what the names stand for, which the caller declares. none_id: reported.
    ExprId matching(NodeId id, std::vector<LetBinding>& bound, std::vector<Binding>& bindings);
    ExprId naming_test(NodeId id, std::vector<LetBinding>& bound); // declares them
    // `match`: all values must be covered.
    Operand match_value(NodeId id);

private:
    // Declares the names of a pattern whose value is poisoned, so that their uses report nothing.
    void bind_poison(NodeId pattern);
    Pattern pattern_value(NodeId id, TypeId type);
    Pattern pattern_alternatives(NodeId id, TypeId type, bool may_bind);
    Pattern pattern_tuple(NodeId id, TypeId type, bool may_bind);
    ExprId test_either(const Pattern& pattern, ExprId value, TypeId type);
    void take_covered(const Pattern& wanted, TypeId type, Bits& open) const;
    // Whether the type, or what a pattern covers, is the same whatever the values of the file's parameters.
    bool is_fixed(TypeId type);
    bool is_fixed(NodeId pattern);
    bool is_fixed(const Pattern& pattern, TypeId type, NodeId node);
    Operand match_arms(NodeId id, ExprId value, TypeId type);

    Conversions& conversions_;
    Symbols& symbols_;
    Operators& operators_;
    NameValues& name_values_;
    Expressions& expressions_;
};

} // namespace zug::lang
