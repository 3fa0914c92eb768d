// compile(): whole programs, with what they can do without left out where it does not fit, and with compound moves
// where they replace chains of steps.

#include "compiler/analysis/turn_openings.hpp"
#include "compiler/routines/compiler.hpp"
#include "compiler/turns/compound_program.hpp"

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
    if (done) return result;
    attempt.failed = compiler.failed;
    attempt.why = compiler.why.empty() ? "the program" : compiler.why;
    return nullptr;
}

// Byte code for the program as it is; null where there is none.
std::unique_ptr<Compiled> compile_as_is(const std::shared_ptr<const ir::Program>& program, std::string& why,
                                        DebugInfo* debug_info, Passes& passes) {
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
    return result;
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

// See Compiled::stepwise.
std::unique_ptr<Compiled> compile_stepwise(const std::shared_ptr<const ir::Program>& program, const Compiled& compound,
                                           const PassOptions& options) {
    Passes passes(options);
    const std::vector<TurnOpening> openings = turn_openings(*program, passes);
    if (openings.empty() ||
        !std::ranges::all_of(openings, [](const TurnOpening& opening) { return opening.whole || valid(opening.then); }))
        return nullptr;
    std::string why;
    auto result = compile_as_is(program, why, nullptr, passes);
    if (!result || result->play.entries.empty()) return nullptr;
    if (result->layout->state_words() != compound.layout->state_words()) return nullptr;
    // So much less code outweighs that each ply takes two draws.
    const bool pays = result->code.instrs.size() < compound.code.instrs.size() / 2;
    return pays ? std::move(result) : nullptr;
}

std::unique_ptr<Compiled> compile_compound(const std::shared_ptr<const ir::Program>& program, DebugInfo* debug_info,
                                           Passes& passes) {
    const auto compound = compound_moves(program, passes);
    if (!compound) return nullptr;
    std::string why;
    auto result = compile_as_is(compound->program, why, debug_info, passes);
    if (!result || !replaces_chains(*result)) return nullptr;
    result->of_compound_moves = true;
    result->compound = compound;
    result->stepwise = compile_stepwise(program, *result, passes.options());
    return result;
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
    return {compiled, compiled.stepwise ? std::optional<CompiledParts>(*compiled.stepwise) : std::nullopt};
}

std::unique_ptr<Compiled> restore(const std::shared_ptr<const ir::Program>& program, KeptParts kept) {
    const auto restored = [](const std::shared_ptr<const ir::Program>& of, CompiledParts&& parts) {
        return fits(parts, *of) ? compiled_of(of, std::move(parts)) : nullptr;
    };
    if (!kept.parts.of_compound_moves) return restored(program, std::move(kept.parts));
    Passes passes;
    auto compound = compound_moves(program, passes);
    auto result = compound ? restored(compound->program, std::move(kept.parts)) : nullptr;
    if (!result) return nullptr;
    result->compound = std::move(compound);
    if (kept.stepwise) result->stepwise = restored(program, std::move(*kept.stepwise));
    return !kept.stepwise || result->stepwise ? std::move(result) : nullptr;
}

} // namespace zug::run
