#include "compiler/compound_moves.hpp"

#include <algorithm>
#include <cassert>

namespace zug::run {

CompoundMoves::StepCodes CompoundMoves::steps_of(std::uint64_t code) const {
    const auto& rules = program->rules;
    std::size_t r = rules.size() - 1;
    while (rules[static_cast<ir::RuleId>(r)].first_code > code) --r;
    std::uint64_t rest = code - rules[static_cast<ir::RuleId>(r)].first_code;
    StepCodes codes(steps[r].size());
    for (std::size_t k = steps[r].size(); k-- > 0;) {
        const Step& step = steps[r][k];
        const std::uint64_t above = k == 0 ? 0 : rest / step.code_count; // without a division where it is known
        codes[k] = step.first_code + rest - above * step.code_count;
        rest = above;
    }
    return codes;
}

std::size_t CompoundMoves::rule_of(std::span<const std::uint64_t> turn) const {
    const auto made_of = [&](const std::vector<Step>& rules) {
        return std::ranges::equal(rules, turn, [](const Step& step, std::uint64_t code) {
            return code >= step.first_code && code - step.first_code < step.code_count;
        });
    };
    return static_cast<std::size_t>(std::ranges::find_if(steps, made_of) - steps.begin());
}

std::uint64_t CompoundMoves::code_of(std::span<const std::uint64_t> turn) const {
    const std::size_t r = rule_of(turn);
    assert(r < steps.size());
    std::uint64_t code = 0;
    for (std::size_t k = 0; k < turn.size(); ++k)
        code = code * steps[r][k].code_count + turn[k] - steps[r][k].first_code;
    return program->rules[static_cast<ir::RuleId>(r)].first_code + code;
}

} // namespace zug::run
