#pragma once
// The tables from which the executor decodes the moves that a routine has found: step codes and parameters by bit.

#include "bytecode/compiled_program.hpp"
#include "compiler/moves/move_emitter.hpp"

namespace zug::run {

// Step codes and parameter tables of a move set; `words`: of its set.
MoveSetCode move_set_code(const ir::Program& program, const StateLayout& layout, ir::RuleId id, const MoveSet& c,
                          std::uint16_t words);
// By bit, what the parameters add to the rule's first step code. `tables`: by parameter, by bit; an empty one adds
// nothing.
std::vector<std::uint64_t> parameter_codes(const ir::Program& program, const StateLayout& layout, ir::RuleId id,
                                           const std::vector<std::vector<std::int64_t>>& tables, std::size_t bits);
// The same for records: a step code is linear in the ordinals of the parameters.
RecordCode record_code(const ir::Program& program, const StateLayout& layout, const RecordShape& shape,
                       const MoveRecord& record);
// Whether the instruction can fail, so that its routine may have the result `troubled`.
bool is_check(Opcode op);
// Whether it can fail because a number is out of the range of its type.
bool is_range_check(Opcode op);

} // namespace zug::run
