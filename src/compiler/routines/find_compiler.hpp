#pragma once
// Find routines: the moves of a position as sets and records (FindCode), or their number (CountCode). Moves that are
// known to satisfy their rule's `ensure` are separate from those that have to be applied to test it.

#include "bytecode/compiled_program.hpp"
#include "compiler/graph/invalidation.hpp"
#include "compiler/moves/move_emitter.hpp"
#include "compiler/routines/move_codes.hpp"

#include <optional>
#include <vector>

namespace zug::run {

// Functions that return a bool return false if some construct has no byte code.
class FindCompiler {
public:
    FindCompiler(const Compiled& out, const ir::Program& program, Lowering& lowering)
        : layout_(*out.layout), program_(program), lowering_(lowering), graph_(lowering.graph()) {}

    // A routine that finds the moves of a player, or the chance events.
    bool find(std::uint32_t player, bool chance, FindCode& out);
    // A routine that finds those of them that are loud.
    bool find_loud(std::uint32_t player, FindCode& out);
    // A routine that finds the steps of a turn that one rule allows.
    bool find_steps(ir::RuleId id, std::uint32_t player, FindCode& out);
    // Ends a routine that finds the moves of one rule with the parameters that the context binds.
    bool find_given(ir::RuleId id, const Context& in, FindCode& out);
    // A routine that counts the moves of a player, and finds those whose legality is not known.
    bool count(std::uint32_t player, CountCode& out);

    // Parts of a routine under construction. Adds the rule's moves to it; finish() ends it.
    bool find_rule(ir::RuleId id, const Context& in, const MoveEmitter::Options& options, FindCode& out,
                   std::vector<NodeRef>& roots);
    void finish(FindCode& out, const std::vector<NodeRef>& roots);

    // Adds the rule's moves. `known_legal`, by set: `ensure` is known to hold; the other sets have to be checked.
    bool find_moves(ir::RuleId id, const Context& in, MoveEmitter::Options options, FoundMoves& out,
                    std::vector<bool>& known_legal);
    // The same, whether `ensure` holds or not.
    bool find_unchecked(ir::RuleId id, const Context& in, FoundMoves& out);
    std::optional<Invalidation> invalidation_of(ir::RuleId id, const Context& in);

    // Of all routines so far, by shape of their records.
    const std::vector<MoveRecord>& records() const { return records_; }

private:
    bool find_alone(ir::RuleId id, const Context& in, const MoveEmitter::Options& options, FindCode& out);

    const StateLayout& layout_;
    const ir::Program& program_;
    Lowering& lowering_;
    ValueGraph& graph_;
    std::vector<MoveRecord> records_;
};

} // namespace zug::run
