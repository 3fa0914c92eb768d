#pragma once
// How declarations reach the expression checker, which itself depends on them: sizes, defaults and initial values are
// expressions. Internal to src/lang.

#include "lang/core/operand.hpp"

#include <string_view>

namespace zug::lang {

class ExpressionReader {
public:
    // Reads the expression at a node of the current tree. A poisoned operand: an error has been reported.
    virtual Operand expr(NodeId id) = 0;
    // The same for one that must be of type Bool. none_id: an error has been reported.
    virtual ExprId condition(NodeId id) = 0;
    // Whether a name stands for a value here: it is local, declared or built in.
    virtual bool is_known_value(std::string_view name) = 0;

protected:
    ~ExpressionReader() = default;
};

} // namespace zug::lang
