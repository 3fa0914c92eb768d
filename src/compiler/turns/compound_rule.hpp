#pragma once
// One rule for a sequence of steps.
//
// Its conditions are those of all steps, on the state before the first: the effects of earlier steps are substituted
// into the conditions of later ones (weakest preconditions, as in compiler/analysis/weakest_precondition.hpp). Its
// effects are the blocks of all steps, one after the other. What a step assigns to a variable without index gets a
// name, which later steps read instead.

#include "compiler/turns/exchange.hpp"
#include "compiler/turns/rule_copy.hpp"
#include "ir/program.hpp"

#include <memory>
#include <vector>

namespace zug::run {

struct Absence;
struct TurnVariant;

// Adds expressions, variables and effects to the program. Each member function returns false where something cannot be
// expressed; then the rule is of no use. Copying it keeps what has been added so far, for another way to go on.
class CompoundRule {
public:
    // `local_start`: local variables have their initial values before the first step.
    CompoundRule(ir::Program& program, bool local_start)
        : program_(&program), start_(program, local_start), copy_(program) {
        copy_.keep_names(true);
    }

    // Adds a step. `last`: nothing follows, so that its `ensure` can be that of the whole.
    bool add(const ir::Rule& step, ir::ExprId loud, bool last);
    // What the plan does after the last step.
    bool end(const std::vector<ir::Block>& blocks);
    // Adds the condition that these steps cannot be made next, or not as the variant says.
    bool forbid(const Absence& absence);
    // The condition that steps of this kind can be made next. none_id: it cannot be expressed.
    ir::ExprId possible(const TurnVariant& next) const;

    // Once the rule is complete, for each step but the last in order: where step k and the next can be exchanged, adds
    // the condition that they are in ascending order (compiler/turns/exchange.hpp). False: they cannot, or it is not
    // known.
    bool exchange(std::size_t k);

    // The whole as a rule, and which of its instances are loud (none_id: none).
    ir::Rule rule();
    ir::ExprId loud() const { return loud_; }

private:
    // A parameter, or a clause of `when`, in the order in which they may name each other.
    struct Item {
        ir::VarId param = none_id<ir::VarId>;
        ir::Clause clause;
    };
    struct Part { // of a step
        std::vector<ir::VarId> params;
        std::size_t first_block = 0;
        ExchangeOrder order; // with the step before
    };

    std::vector<ir::Clause> conditions() const;
    bool add_conditions(const std::vector<ir::Clause>& clauses, ir::Rule& step);
    void add_condition(ir::ExprId e);
    bool add_blocks(const std::vector<ir::Block>& blocks, ir::Rule step);
    bool add_ensure(const std::vector<ir::Clause>& ensure, bool last);
    void name_assigned(ir::Block& block, std::vector<ir::Effect>& named);
    bool note_effects(const ir::Block& block, const ir::Rule* step);
    ir::ExprId copy(ir::ExprId e);
    ir::ExprId before_all(ir::ExprId e);
    void merge_blocks();
    ir::ExprId quantified(std::size_t first) const;

    ir::Program* program_;
    Substitution start_;                                 // of what is known of the state before the first step
    RuleCopy copy_;                                      // of names, and of what is known of variables without index
    std::vector<Substitution> effects_;                  // of each block so far
    std::vector<std::shared_ptr<const ir::Rule>> known_; // what is known of steps, for effects_
    std::vector<Item> items_;
    std::vector<Part> parts_;
    std::vector<ir::Block> blocks_;
    std::size_t own_blocks_ = 0; // that are of steps
    std::vector<ir::Clause> ensure_;
    ir::ExprId loud_ = none_id<ir::ExprId>;
};

} // namespace zug::run
