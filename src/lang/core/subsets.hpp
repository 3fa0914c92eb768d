#pragma once
// Sub-types: types of some values of another one, as `type stock = {Rook, Gold}`.
//
// In the program a sub-type is an enumeration of its own, whose members are the values in their order, so that maps and
// sets over it are dense. The checker works with values of the wider type: an operand is never of a sub-type, but keeps
// in `narrow` the value that it was made from. From a sub-type to the wider type a value is looked up by comparisons,
// and likewise back, where a value that isn't among those of the sub-type becomes none. Internal to src/lang.

#include "lang/core/builder.hpp"
#include "lang/core/operand.hpp"

#include <map>

namespace zug::lang {

class Subsets {
public:
    Subsets(ir::Program& program, Builder& builder) : program_(program), builder_(builder) {}

    static constexpr std::size_t max_values = 64;

    // The sub-type of these values of `wider`, in ascending order; one made before from the same values is the same.
    TypeId make(const std::string& name, TypeId wider, const std::vector<std::int64_t>& values);
    // Whether a type, or the inner type of one that is optional, is a sub-type.
    bool contains(TypeId type) const;
    // The type of which a sub-type has some values; of `T?` and `set T` likewise; any other type unchanged.
    TypeId wider(TypeId type) const;
    // An operand of the wider type from a value of a sub-type, `T?` or `set T`; of other types, the value as it is.
    Operand widened(ExprId expr, Span span);
    // The operand as it was before it was widened.
    Operand unwidened(const Operand& operand) const;

    struct Narrowed {
        ExprId expr = none_id<ExprId>; // none_id: a constant that the sub-type doesn't have
        bool always = false;           // it is none only where the given value is none
    };
    // A value of the wider type, or none, as one of the sub-type: none where the sub-type doesn't have it.
    Narrowed narrowed(ExprId expr, TypeId subset, Span span);
    // The members of a set that the sub-type has. none_id: a constant set with others.
    ExprId narrowed_set(ExprId set, TypeId subset, Span span);

private:
    struct Subset {
        TypeId wider;
        std::vector<std::int64_t> values;
    };
    const Subset& at(TypeId subset) const { return subsets_.at(subset); }
    TypeId bare(TypeId type) const;
    ExprId widened_value(ExprId expr, Span span);
    ExprId widened_set(ExprId set, Span span);
    Narrowed narrowed_constant(std::int64_t value, TypeId subset, Span span);
    Narrowed compared(ExprId expr, TypeId subset, Span span);
    // f(expr), where f may mention its argument more than once.
    template <class F>
    ExprId with(ExprId expr, TypeId result, Span span, F f);

    ir::Program& program_;
    Builder& builder_;
    std::map<TypeId, Subset> subsets_;
};

} // namespace zug::lang
