#include "native/operations/translator.hpp"

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Opcode;
using run::Operation;

namespace {

// Of operations that have an SSA value for each word. Wider ones are left to the interpreter: their code would be long.
constexpr unsigned widest_by_values = 64;

} // namespace

Translator::Translator(ModuleTables& tables, std::span<const run::RoutineInfo> routines)
    : routine_(tables, routines), wide_(routine_), rays_(routine_), lanes_(routine_), tables_(routine_),
      sets_(routine_, rays_), words_(routine_, rays_), checks_(routine_, wide_), bytes_(routine_, checks_),
      records_(routine_), draws_(routine_, records_), control_(routine_, wide_) {}

bool Translator::translate(std::span<const std::string> names) {
    CodeBuilder& b = routine_.builder();
    routine_.begin(names[0]);
    for (const Shape::Block& block : routine_.shape().blocks()) {
        routine_.begin_block(block);
        rays_.begin_block();
        lanes_.begin_block(block);
        tables_.begin_block(block);
        for (Entry at = block.begin; at < block.end; ++at)
            if (!instruction(routine_.code().instrs[at], at)) {
                routine_.discard();
                return false;
            }
        if (b.GetInsertBlock()->getTerminator() == nullptr) b.CreateBr(routine_.block_at(block.end));
    }
    routine_.end(names);
    return true;
}

bool Translator::instruction(const Instr& i, Entry at) {
    const Operation operation = run::operation_of(i.op);
    if (is_copy(i)) {
        // Random play replaces all words of the state but the first, which is unused, where another game begins.
        if (operation == Operation::Mov && i.d == 1 && i.w + 1U == routine_.tables().request().state_words)
            draws_.begin_game();
        return sets_.copy(i);
    }
    if (i.op == Opcode::Or_1 && lanes_.translate(i, at)) return true;
    if (WideSetOps::is_wide(i) && (wide_.translate(i) || checks_.translate(i) || control_.translate(i, at)))
        return true;
    // However wide the set is, these read one word of it.
    const bool reads_one = operation == Operation::Test || operation == Operation::PlaneGet;
    return (i.w <= widest_by_values || reads_one) &&
           (words_.translate(i) || sets_.translate(i) || tables_.translate(i) || rays_.translate(i) ||
            checks_.translate(i) || bytes_.translate(i) || records_.translate(i) || draws_.translate(i, at) ||
            control_.translate(i, at));
}

} // namespace zug::codegen
