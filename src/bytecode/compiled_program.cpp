#include "bytecode/compiled_program.hpp"

#include <algorithm>

namespace zug::run {

bool SumLimits::hold(const ir::Program& program, std::span<const std::uint32_t> slots) const {
    const ir::TypeId type = program.states[state].value;
    return std::ranges::all_of(slots, [&](std::uint32_t ordinal) {
        const std::int64_t value = program.types.value(type, ordinal);
        return value >= least && value <= greatest;
    });
}

bool fits(const CompiledParts& parts, const ir::Program& program) {
    const std::size_t players = program.players.size(), rules = program.rules.size();
    const auto by_player = [&](const auto& list) { return list.size() == players; };
    const auto enters = [&](Entry entry) { return entry == no_entry || entry < parts.code.instrs.size(); };
    return parts.rules.size() == rules && parts.keys.size() == program.keys.size() &&
           parts.payoffs.size() == program.ends.size() && by_player(parts.ends) &&
           (parts.loud.empty() || by_player(parts.loud)) && by_player(parts.stuck_ends) &&
           parts.evals.empty() == program.evals.empty() && parts.bounds.empty() == !program.bound &&
           parts.steps.empty() == !program.turn && parts.plan_then.empty() == !program.turn &&
           parts.initial.size() == StateLayout(program).state_words() && std::ranges::all_of(parts.ends, enters) &&
           std::ranges::all_of(parts.rules,
                               [&](const RuleCode& rule) {
                                   return std::ranges::all_of(rule.apply, enters) &&
                                          std::ranges::all_of(rule.trial, enters);
                               }) &&
           std::ranges::all_of(parts.can, [&](const CanCode& code) {
               return index(code.rule) < rules && enters(code.find.entry) && enters(code.trial);
           });
}

std::unique_ptr<Compiled> compiled_of(std::shared_ptr<const ir::Program> program, CompiledParts parts) {
    auto result = std::make_unique<Compiled>();
    static_cast<CompiledParts&>(*result) = std::move(parts);
    result->layout = std::make_unique<StateLayout>(*program);
    result->vm = vm_for(result->layout->main_words());
    result->program = std::move(program);
    return result;
}

} // namespace zug::run
