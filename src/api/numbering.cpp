#include "api/numbering.hpp"

#include <algorithm>

namespace zug::api {

Numbering::Numbering(const ir::Program& program) {
    for (const ir::Rule& rule : program.rules) {
        std::int64_t& next = rule.chance ? outcomes_ : actions_;
        ranges_.push_back({rule.first_code, rule.code_count, next, rule.chance});
        next += static_cast<std::int64_t>(rule.code_count);
    }
    std::ranges::sort(ranges_, {}, &Range::first_code);
    if (program.stuck_pass) pass_ = actions_++;
    if (program.turn) end_ = actions_++;
}

std::int64_t Numbering::number(run::StepCode code) const {
    if (code == run::pass_code) return pass_;
    const auto after = std::ranges::upper_bound(ranges_, code, {}, &Range::first_code);
    const Range& range = *std::prev(after);
    return range.first_number + static_cast<std::int64_t>(code - range.first_code);
}

run::StepCode Numbering::code(std::int64_t number, bool chance) const {
    for (const Range& range : ranges_) {
        const std::int64_t offset = number - range.first_number;
        if (range.chance == chance && offset >= 0 && static_cast<std::uint64_t>(offset) < range.codes)
            return range.first_code + static_cast<std::uint64_t>(offset);
    }
    return run::pass_code;
}

std::string Numbering::text(const ir::Program& program, std::int64_t number, bool chance) const {
    if (number < 0 || number >= (chance ? outcomes_ : actions_)) return {};
    if (!chance && number == pass_) return "pass";
    if (!chance && number == end_) return "end";
    ir::RuleId rule{};
    std::vector<std::int64_t> values;
    ir::decode_step(program, code(number, chance), rule, values);
    std::string text = program.rules[rule].name;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += ' ' + ir::value_text(program, program.vars[program.rules[rule].params[i]].type, values[i]);
    return text;
}

} // namespace zug::api
