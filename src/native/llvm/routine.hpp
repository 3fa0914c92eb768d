#pragma once
// One LLVM function under construction, for a routine or for several that jump to each other, and what the translators
// of its instructions share: registers, blocks, ways out, calls of the host.

#include "bytecode/native_routines.hpp"
#include "native/llvm/code_builder.hpp"
#include "native/llvm/registers.hpp"
#include "native/llvm/shape.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zug::codegen {

// The members of run::RoutineHost, counted in pointers.
enum HostMember : unsigned {
    host_records,
    host_check_failed,
    host_ask,
    host_grow_records,
    host_take_record,
    host_undraw,
    host_set_between_moves,
    host_record
};
static_assert(offsetof(run::RoutineHost, record) == host_record * sizeof(void*));

// The members of run::Records, counted in words.
enum RecordsMember : unsigned { records_words, records_next, records_limit, records_total, records_taken };
static_assert(offsetof(run::Records, words) == records_words * sizeof(void*) &&
              sizeof(run::Records::words) == sizeof(void*) &&
              offsetof(run::Records, next) == records_next * sizeof(void*) &&
              offsetof(run::Records, limit) == records_limit * sizeof(void*) &&
              offsetof(run::Records, total) == records_total * sizeof(void*) &&
              offsetof(run::Records, taken) == records_taken * sizeof(void*));

class Routine {
public:
    Routine(ModuleTables& tables, std::span<const run::RoutineInfo> routines);

    ModuleTables& tables() { return tables_; }
    const run::Bytecode& code() const { return tables_.code(); }
    const Shape& shape() const { return shape_; }
    CodeBuilder& builder() { return b_; }
    Registers& registers() { return registers_; }

    // Creates the function, with an empty block for each of the shape.
    void begin(const std::string& name);
    void begin_block(const Shape::Block& block);
    // When all blocks are filled: adds the code before the first and behind the last. Several routines get a function
    // for each name, which calls the common one.
    void end(std::span<const std::string> names);
    void discard() { b_.function()->eraseFromParent(); }

    llvm::BasicBlock* block_at(run::Entry at) const { return blocks_.at(at); }
    // Ends the block with a return of this result.
    void leave(std::int32_t result);
    Value* call_host(HostMember member, llvm::ArrayRef<Value*> arguments);
    // The address of a member of the host's records.
    Value* records_word(RecordsMember member);

private:
    void add_exit();
    void add_entries(std::span<const std::string> names);

    ModuleTables& tables_;
    std::span<const run::RoutineInfo> routines_;
    const Shape shape_;
    CodeBuilder b_;
    Registers registers_;
    Value* host_ = nullptr;
    llvm::BasicBlock* entry_ = nullptr;
    llvm::BasicBlock* exit_ = nullptr; // where cached words are stored; null: not needed so far
    std::vector<std::pair<std::int32_t, llvm::BasicBlock*>> leaving_;
    std::unordered_map<run::Entry, llvm::BasicBlock*> blocks_;
};

} // namespace zug::codegen
