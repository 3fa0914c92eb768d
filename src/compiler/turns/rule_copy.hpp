#pragma once
// Copies of conditions and effects of rules under new names, so that one rule can be said twice in another.

#include "compiler/analysis/substitution.hpp"
#include "ir/program.hpp"

#include <vector>

namespace zug::run {

// A substitution that gives new names to the variables that what it copies binds. Copies are added to the program.
class RuleCopy : public Substitution {
public:
    explicit RuleCopy(ir::Program& program) : Substitution(program, false) {}

    // From now on variables keep their names, or get new ones.
    void keep_names(bool keep) { keep_ = keep; }
    bool keeps_names() const { return keep_; }
    // The name that the variable has in copies made from now on.
    ir::VarId renamed(ir::VarId var);
    ir::ExprId variable(ir::VarId var);
    // Each appends to `out`. False: something cannot be expressed.
    bool clauses(const std::vector<ir::Clause>& list, std::vector<ir::Clause>& out);
    bool block(const ir::Block& block, ir::Block& out);

private:
    bool effects(const std::vector<ir::EffectId>& list, std::vector<ir::EffectId>& out);

    bool keep_ = false;
};

} // namespace zug::run
