#pragma once
// What the names in the steps of a turn stand for.
//
// Cost: definitions and names are expanded where they are used, so that a walk takes time in proportion to the expanded
// expressions. Bindings live as long as the Names that made them.

#include "ir/program.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace zug::run {
struct TurnSteps;
}

namespace zug::run::proof {

struct Scope;

// An expression, and the scope in which its names are looked up. Without an expression (none_id) it stands for the site
// of the hypothesis, or for what is not known.
struct Bound {
    ir::ExprId expr = none_id<ir::ExprId>;
    const Scope* scope = nullptr;
};

// A binding of a name, or of a variable of the state that an earlier step has assigned to, and the bindings around it.
struct Scope {
    ir::VarId var{};
    Bound value;
    const Scope* outer = nullptr;
    ir::StateId state = none_id<ir::StateId>; // valid: `var` is not
};

inline bool contains(const std::vector<ir::VarId>& vars, ir::VarId var) {
    return std::ranges::find(vars, var) != vars.end();
}

// What the states before and after a turn tell of its steps.
struct ReadOff {
    std::vector<ir::VarId> params;  // parameters whose values they determine
    std::vector<std::size_t> steps; // by their order in the turn: steps that leave a mark, so that it is seen whether
                                    // they were made
};

// Whether every turn with the step `step`, by its number, has the step `other`, too.
bool is_made_with(const TurnSteps& steps, std::size_t step, std::size_t other);
// Whether every turn with some later step has the step `step`.
bool is_made_with_rest(const TurnSteps& steps, std::size_t step);

class Names {
public:
    explicit Names(const ir::Program& program) : program_(program) {}

    // Follows names, lets and calls of functions that are not recursive to the expression that they stand for.
    Bound resolve(Bound e);
    // Whether both have the same value, by structure. False is always a safe answer.
    bool same(Bound a, Bound b);
    const Scope* bind(ir::VarId var, Bound value, const Scope* outer) {
        scopes_.push_back({var, value, outer});
        return &scopes_.back();
    }
    const Scope* bind_lets(const std::vector<ir::Clause>& list, const Scope* scope);
    // The scope of a step: what earlier steps have assigned, and the names of its conditions and of its first block.
    const Scope* enter(const ir::Rule& rule);
    // Lets later steps see what the rule, whose scope this is, has assigned to variables without index, where that
    // depends on nothing that an effect changes. `known`: every turn with one of the later steps has this one.
    void bind_assigned(const ir::Rule& rule, const Scope* scope, bool known);

    const ir::Program& program() const { return program_; }

private:
    bool is_of_names(Bound e);

    const ir::Program& program_;
    std::deque<Scope> scopes_;
    const Scope* states_ = nullptr; // variables of the state that the steps so far have assigned to
};

} // namespace zug::run::proof
