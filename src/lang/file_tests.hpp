#pragma once
// The tests in a rule file. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Conversions;
class Symbols;
class Constants;
class Parameters;
class Expressions;

class FileTests : CheckerPart {
public:
    struct Uses {
        Conversions& conversions;
        Symbols& symbols;
        Constants& constants;
        Parameters& parameters;
        Expressions& expressions;
    };
    FileTests(Context& context, const Uses& uses)
        : CheckerPart(context), conversions_(uses.conversions), symbols_(uses.symbols), constants_(uses.constants),
          parameters_(uses.parameters), expressions_(uses.expressions) {}

    void check_test(NodeId id);

private:
    bool test_params(NodeId with, ir::Test& test);
    ir::Test::Item test_item(NodeId id);
    double constant_real(NodeId id);

    Conversions& conversions_;
    Symbols& symbols_;
    Constants& constants_;
    Parameters& parameters_;
    Expressions& expressions_;
};

} // namespace zug::lang
