#pragma once
// A game whose turns are of a few steps, as one whose moves are compound: each turn is a move of one rule, which has
// the parameters, the conditions and the effects of all of its steps (compiler/turns/compound_program.hpp).
//
// The codes of compound moves begin where those of the steps end, so that the two can be told apart; chance rules keep
// their codes. Of the parameters those of the last step count fastest.

#include "ir/program.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace zug::run {

struct CompoundMoves {
    static constexpr std::size_t most_steps = 6;
    struct Step {
        ir::RuleId rule{}; // of `written`
        std::uint64_t first_code = 0, code_count = 1;
    };
    // The codes of a turn's steps, in order.
    class StepCodes {
    public:
        explicit StepCodes(std::size_t size) : size_(size) {}
        std::uint64_t& operator[](std::size_t i) { return codes_[i]; }
        operator std::span<const std::uint64_t>() const { return {codes_.data(), size_}; }

    private:
        std::array<std::uint64_t, most_steps> codes_{};
        std::size_t size_;
    };

    // Whether there are positions in which the moves are others.
    bool is_gated() const { return partial || from_initial_locals; }
    bool is_compound(std::uint64_t code) const { return code >= written->code_count && code < program->code_count; }
    // Whether a legal turn of these steps is a compound move; it may be none only if they are partial.
    bool has(std::span<const std::uint64_t> turn) const { return rule_of(turn) < steps.size(); }
    // Between the code of a compound move and those of its steps. The second may be given any steps of a legal turn.
    StepCodes steps_of(std::uint64_t code) const;
    std::uint64_t code_of(std::span<const std::uint64_t> steps) const;

    // The number of the rule with such steps, or that of rules.
    std::size_t rule_of(std::span<const std::uint64_t> turn) const;

    std::shared_ptr<const ir::Program> written; // with a turn plan
    std::shared_ptr<const ir::Program> program; // without: its rules are the chance rules, then those of turns
    // There are moves that are none of these: where one of them is possible, none of these is.
    bool partial = false;
    std::vector<ir::RuleId> others;       // if so: the rules of steps, of `written`, of which those are made
    bool from_initial_locals = false;     // nor where some local variable has another than its initial value
    std::vector<std::vector<Step>> steps; // by rule of `program`; of a chance rule: the rule itself
};

} // namespace zug::run
