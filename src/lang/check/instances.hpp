#pragma once
// Definitions compiled for the types of their arguments. Internal to src/lang.

#include "lang/core/part.hpp"

#include <memory>

namespace zug::lang {

class Conversions;
class Symbols;
class Types;
class Operators;
class Expressions;

class Instances : CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        Types& types;
        Operators& operators;
        Expressions& expressions;
    };
    Instances(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), types_(uses.types),
          operators_(uses.operators), expressions_(uses.expressions) {}

    static constexpr std::uint32_t max_inline = 40; // expressions of a definition that is copied rather than called

    const std::vector<std::unique_ptr<Instance>>& all() const { return all_; }

    // The value of a call: the body inlined if it is small or a path, else a Call.
    Operand call_instance(Instance& instance, const std::vector<ExprId>& args, Span span);
    // The definition compiled for these parameter types, from a previous use if there is one. Null: an error has been
    // reported.
    Instance* instance(Declaration& definition, const std::vector<TypeId>& types, Span span);
    // Compiles the definitions that nothing has used, to find their errors, and warns about them.
    void check_definitions();

private:
    void compile(Instance& instance, Declaration& definition, Span use);
    void compile_recursive(Instance& instance, Declaration& definition, Span use);
    bool attempt(Instance& instance, Declaration& definition, const Operand& guess);
    Operand copy_body(const Instance& called, const std::vector<ExprId>& args, Span span);
    Operand guess_result(const Declaration& definition);
    void check_unused_definition(Declaration& definition);

    Conversions& conversions_;
    Symbols& symbols_;
    Types& types_;
    Operators& operators_;
    Expressions& expressions_;
    std::vector<std::unique_ptr<Instance>> all_;
};

} // namespace zug::lang
