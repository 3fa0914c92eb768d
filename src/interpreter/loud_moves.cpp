// The part of the interpreter that asks for loud moves alone.

#include "interpreter/interpreter.hpp"

#include <algorithm>
#include <optional>

namespace zug::run {

NodeKind Interpreter::list_loud(PositionBuffer& here) {
    if (referee_.compiled().loud.empty() && program().has_loud()) return Executor::list_loud(here);
    fault_.reset();
    here.listed = true;
    here.tried = 0;
    here.moves.clear();
    here.picks.clear();
    walk_.enter(here);
    if ((here.judged ? here.clause : referee_.ending_before_moves()) >= 0) return here.kind = NodeKind::Terminal;
    if (referee_.chance_is_due()) return Executor::list(here);
    if (!referee_.compiled().loud.empty()) {
        const FindCode& code = referee_.compiled().loud[referee_.turn()];
        const bool any = referee_.find(code) > 0;
        if (any && referee_.exceeds(code)) return here.kind = NodeKind::Fault;
        if (any && walk_.lists_loud())
            walk_.list_loud(here, code);
        else if (any)
            referee_.each_legal(code, [&](const Pick& p) { return referee_.add_to(here.moves, p), false; });
    }
    if (here.moves.empty() && program().has_loud() && referee_.beyond() != nullptr &&
        referee_.find(referee_.compiled().moves[referee_.turn()]) == 0)
        return Executor::list_loud(here);
    return here.kind = here.moves.empty() ? kind_of_open() : NodeKind::Decision;
}

namespace {

// Where the program alone says whether a step is loud.
std::optional<bool> is_surely_loud(const ir::Program& program, StepCode step) {
    if (step == pass_code) return false;
    std::size_t r = 0;
    while (r + 1 < program.rules.size() && program.rules[static_cast<ir::RuleId>(r + 1)].first_code <= step) ++r;
    const ir::ExprId loud = program.loud_when(static_cast<ir::RuleId>(r));
    if (!valid(loud)) return false;
    return program.exprs[loud].op == ir::Op::Const ? std::optional(program.exprs[loud].imm != 0) : std::nullopt;
}

} // namespace

bool Interpreter::is_loud(const State& state, std::span<const StepCode> steps) {
    if (referee_.compound() == nullptr) return is_loud_as_compiled(referee_, state, steps);
    if (Referee* const other = referee_.compound()->has(steps) ? nullptr : referee_.beyond())
        return is_loud_as_compiled(*other, state, steps);
    const StepCode code = referee_.code_of(steps);
    return is_loud_as_compiled(referee_, state, {&code, 1});
}

bool Interpreter::is_loud_as_compiled(Referee& by, const State& state, std::span<const StepCode> steps) {
    const ir::Program& program = by.program();
    const auto is_quiet = [&](StepCode step) { return is_surely_loud(program, step) == false; };
    if (std::ranges::all_of(steps, is_quiet)) return false;
    if (std::ranges::any_of(steps, [&](StepCode step) { return is_surely_loud(program, step) == true; })) return true;
    return is_loud_step_by_step(by, state, steps);
}

// The turn stays with the mover until the chain is over.
bool Interpreter::is_loud_step_by_step(Referee& by, const State& state, std::span<const StepCode> steps) {
    by.enter(state);
    const std::uint32_t mover = by.turn();
    for (const StepCode step : steps) {
        const ir::RuleId rule = by.set_params(step);
        if (valid(by.program().loud_when(rule))) {
            const auto& loud = by.compiled().rules[index(rule)].loud;
            if (loud.empty()) return by.enter(state), by.reference().is_loud(steps, by.state());
            if (by.number(loud[mover]) != 0) return true;
        }
        if (&step == &steps.back()) break;
        by.apply(rule);
        by.word(by.turn_reg()) = mover;
    }
    return false;
}

} // namespace zug::run
