// compile(): whole programs, with what they can do without left out where it does not fit, and with compound moves
// where they replace chains of steps.

#include "compiler/normalise/normalise.hpp"
#include "compiler/routines/compiler.hpp"
#include "compiler/turns/compound_program.hpp"
#include "compiler/turns/sum_limits.hpp"
#include "compiler/turns/turn_openings.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {
namespace {

std::unique_ptr<Compiled> with_layout(const std::shared_ptr<const ir::Program>& program, Passes& passes) {
    const Passes::Timer timer(passes, Pass::StateLayout);
    auto result = compiled_of(program, {});
    ++passes[Pass::StateLayout].runs;
    passes.changed(Pass::StateLayout, result->layout->state_words());
    return result;
}

struct Attempt {
    Compiler::Extras extras;                  // that are wanted
    bool Compiler::Extras::*failed = nullptr; // the extra without which there may be byte code, if there is none
    std::string why = {};                     // there is none
    UnsureSums unsure = {};                   // of what there is
};

std::unique_ptr<Compiled> make(Attempt& attempt, const std::shared_ptr<const ir::Program>& program,
                               DebugInfo* debug_info, Passes& passes) {
    auto result = with_layout(program, passes);
    if (result->layout->state_words() > frame_words / 2) {
        attempt.why = "the size of the state";
        return nullptr;
    }
    const Passes::Timer timer(passes, Pass::Lower);
    Compiler compiler(*result, debug_info, passes);
    const bool done = compiler.all(attempt.extras);
    ++passes[Pass::Lower].runs;
    passes.changed(Pass::Lower, compiler.nodes_built());
    attempt.unsure = std::move(compiler.unsure_sums());
    if (done) return result;
    attempt.failed = compiler.failed;
    attempt.why = compiler.why.empty() ? "the program" : compiler.why;
    return nullptr;
}

// Byte code for the program as it is; null where there is none. `unsure`: gets the sums that it checks.
std::unique_ptr<Compiled> compile_as_is(const std::shared_ptr<const ir::Program>& program, std::string& why,
                                        DebugInfo* debug_info, Passes& passes, UnsureSums* unsure = nullptr) {
    const DebugInfo before = debug_info != nullptr ? *debug_info : DebugInfo{};
    Attempt attempt;
    auto result = make(attempt, program, debug_info, passes);
    // If the code for an extra does not fit, the program is compiled again without it.
    const auto again = [&] {
        if (debug_info != nullptr) *debug_info = before;
        passes.restart();
        result = make(attempt, program, debug_info, passes);
    };
    const auto without_extras = [&] {
        while (!result && attempt.failed != nullptr) {
            attempt.extras.*std::exchange(attempt.failed, nullptr) = false;
            again();
        }
    };
    const bool unrolled = passes[Pass::RecursiveNumbers].changes > 0;
    without_extras();
    if (!result && unrolled) { // definitions for each number may be too large where the one that counts is not
        passes.switch_off(Pass::RecursiveNumbers);
        attempt = {};
        again();
        without_extras();
    }
    if (!result) why = attempt.why;
    if (unsure != nullptr) *unsure = std::move(attempt.unsure);
    return result;
}

// Whether limits that were read from a file can be those of the program.
bool are_limits(const std::vector<SumLimits>& limits, const ir::Program& program) {
    return std::ranges::all_of(limits, [&](const SumLimits& limit) {
        if (index(limit.state) >= program.states.size()) return false;
        const ir::Type& type = program.types[program.states[limit.state].value];
        return type.kind == ir::TypeKind::Int && limit.least >= type.lo && limit.greatest <= type.hi;
    });
}

// Whether compound moves can be played instead of chains: no effect can fail, which chains tell before one is made, and
// the reference evaluator, which finds chains faster, is asked nothing.
bool replaces_chains(const Compiled& compiled) {
    const bool asks = std::ranges::any_of(
        compiled.code.questions, [](const Question& question) { return question.kind == Question::Kind::Evaluate; });
    for (std::size_t r = 0; r < compiled.rules.size() && !asks; ++r)
        if (compiled.rules[r].checks && !compiled.program->rules[static_cast<ir::RuleId>(r)].chance) return false;
    return !asks;
}

// Whether random play of the program as it was written draws the steps of turns one by one.
bool draws_steps(const std::shared_ptr<const ir::Program>& program, Passes& passes) {
    const std::vector<TurnOpening> openings = turn_openings(for_proofs(*program, passes.options()), passes);
    return !openings.empty() && std::ranges::all_of(openings, [](const TurnOpening& opening) {
        return opening.whole || valid(opening.then);
    });
}

bool begins_beyond(const Compiled& compiled) {
    return std::ranges::any_of(compiled.limits, [&](const SumLimits& limit) {
        return !limit.hold(*compiled.program, compiled.program->states[limit.state].initial);
    });
}

// Whether effects of a step may fail though its `ensure` refuses the step: a fault where chains are found by making
// them, and none of a compound move, which is refused first.
bool fails_before_refusal(const Compiled& steps) {
    return std::ranges::any_of(steps.rules, [](const RuleCode& rule) { return rule.ensures && rule.checks; });
}

// Whether a step of a turn that is no compound move may fail: it may be tried where some compound move is legal.
bool others_may_fail(const Compiled& steps, const CompoundMoves& moves) {
    return std::ranges::any_of(moves.others, [&](ir::RuleId rule) { return steps.rules[index(rule)].checks; });
}

bool needs_beyond(const Compiled& compiled) { return compiled.compound->is_gated() || !compiled.limits.empty(); }

// Sets Compiled::stepwise and Compiled::beyond of what was made of compound moves. False: one is missing.
bool add_steps(const std::shared_ptr<const ir::Program>& program, Compiled& compound, const PassOptions& options) {
    Passes passes(options);
    const bool draws = draws_steps(program, passes), needed = needs_beyond(compound);
    const bool refuses = std::ranges::any_of(program->rules, [](const ir::Rule& rule) { return !rule.ensure.empty(); });
    if (!draws && !needed && !refuses) return true;
    std::string why;
    const std::shared_ptr<const Compiled> steps = compile_as_is(program, why, nullptr, passes);
    if (!steps || steps->layout->state_words() != compound.layout->state_words()) return !needed && !refuses;
    if (refuses && fails_before_refusal(*steps)) return false;
    if (others_may_fail(*steps, *compound.compound)) return false;
    if (needed) compound.beyond = steps;
    // So much less code outweighs that each ply takes two draws; and searches for chains take longer.
    const bool pays = steps->code.instrs.size() < compound.code.instrs.size() / 2 || compound.compound->partial ||
                      begins_beyond(compound);
    if ((draws || compound.compound->partial) && pays && !steps->play.entries.empty()) compound.stepwise = steps;
    return true;
}

std::unique_ptr<Compiled> compile_compound(const std::shared_ptr<const ir::Program>& program, DebugInfo* debug_info,
                                           Passes& passes) {
    auto compound = compound_moves(program, for_proofs(*program, passes.options()), passes);
    if (!compound) return nullptr;
    std::string why;
    UnsureSums unsure;
    const DebugInfo before = debug_info != nullptr ? *debug_info : DebugInfo{};
    auto result = compile_as_is(compound->program, why, debug_info, passes, &unsure);
    std::vector<SumLimits> limits;
    if (result && !replaces_chains(*result))
        if (limits = sum_limits(*compound->program, unsure); !limits.empty()) {
            if (debug_info != nullptr) *debug_info = before;
            passes.restart();
            compound = within_limits(*compound, limits);
            result = compile_as_is(compound->program, why, debug_info, passes);
        }
    if (!result || !replaces_chains(*result)) return nullptr;
    result->of_compound_moves = true;
    result->limits = std::move(limits);
    result->compound = std::move(compound);
    return add_steps(program, *result, passes.options()) ? std::move(result) : nullptr;
}

} // namespace

std::unique_ptr<Compiled> compile(std::shared_ptr<const ir::Program> program, std::string& why, DebugInfo* debug_info,
                                  Passes* passes) {
    Passes all_on;
    if (passes == nullptr) passes = &all_on;
    const DebugInfo before = debug_info != nullptr ? *debug_info : DebugInfo{};
    auto result = compile_compound(program, debug_info, *passes);
    if (!result) {
        if (debug_info != nullptr) *debug_info = before;
        if (program->turn) passes->restart();
        result = compile_as_is(program, why, debug_info, *passes);
    }
    if (result && debug_info != nullptr) {
        // Removes the debug information of abandoned code.
        const std::vector<Instr>& instrs = result->code.instrs;
        debug_info->origins.resize(instrs.size());
        std::erase_if(debug_info->loops, [&](const DebugInfo::Loop& loop) {
            return loop.back >= instrs.size() || instrs[loop.back].op != Opcode::Jump ||
                   static_cast<std::size_t>(instrs[loop.back].imm) != loop.top;
        });
    }
    return result;
}

KeptParts keep(const Compiled& compiled) {
    const auto parts = [](const std::shared_ptr<const Compiled>& of) {
        return of ? std::optional<CompiledParts>(*of) : std::nullopt;
    };
    const bool is_shared = compiled.beyond == compiled.stepwise;
    return {compiled, parts(compiled.stepwise), is_shared ? std::nullopt : parts(compiled.beyond)};
}

std::unique_ptr<Compiled> restore(const std::shared_ptr<const ir::Program>& program, KeptParts kept) {
    const auto restored = [](const std::shared_ptr<const ir::Program>& of, CompiledParts&& parts) {
        return fits(parts, *of) ? compiled_of(of, std::move(parts)) : nullptr;
    };
    if (!kept.parts.of_compound_moves) return restored(program, std::move(kept.parts));
    Passes passes;
    auto compound = compound_moves(program, for_proofs(*program, passes.options()), passes);
    if (!compound) return nullptr;
    if (!kept.parts.limits.empty()) {
        if (!are_limits(kept.parts.limits, *compound->program)) return nullptr;
        compound = within_limits(*compound, kept.parts.limits);
    }
    auto result = restored(compound->program, std::move(kept.parts));
    if (!result) return nullptr;
    result->compound = std::move(compound);
    if (kept.stepwise) result->stepwise = restored(program, std::move(*kept.stepwise));
    if (needs_beyond(*result))
        result->beyond = kept.beyond ? restored(program, std::move(*kept.beyond)) : result->stepwise;
    const bool complete = (!kept.stepwise || result->stepwise) && (!needs_beyond(*result) || result->beyond);
    return complete ? std::move(result) : nullptr;
}

} // namespace zug::run
