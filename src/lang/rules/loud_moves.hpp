#pragma once
// Which moves the file calls loud: `loud RULE when CONDITIONS`. Internal to src/lang.

#include "lang/core/part.hpp"

#include <set>

namespace zug::lang {

class Symbols;
class Clauses;
class Rules;

class LoudMoves : CheckerPart {
public:
    LoudMoves(Context& context, Symbols& symbols, Clauses& clauses, Rules& rules)
        : CheckerPart(context), symbols_(symbols), clauses_(clauses), rules_(rules) {}

    // Checks one declaration and adds it to ir::Program::loud: the moves of a rule are loud for which one of its
    // declarations holds.
    void check_loud(NodeId id);

private:
    ExprId loud_when(NodeId when, ir::RuleId rule);

    Symbols& symbols_;
    Clauses& clauses_;
    Rules& rules_;
    std::set<ir::RuleId> all_; // the rules all of whose moves are declared loud, without `when`
};

} // namespace zug::lang
