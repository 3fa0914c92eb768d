#pragma once
// Where the values of a function are kept when no pass has cleaned it: which are made only where they are used, which
// reads of a slot need no copy of it, and which values can be made in the slot that they are stored to.

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <unordered_map>
#include <unordered_set>

namespace zug::codegen {

class BaselinePlan {
public:
    explicit BaselinePlan(const llvm::Function& function);

    // Made by the instruction that uses it: comparisons, complements, addresses, that the user has a form for.
    bool is_part_of_user(const llvm::Instruction* i) const { return parts_.contains(i); }
    // Of a load: the slot holds that value as long as it is needed.
    bool is_slot_itself(const llvm::Instruction* load) const { return last_reads_.contains(load); }
    // The slot that nothing reads between this instruction and the store of its value; null: none.
    const llvm::AllocaInst* made_in(const llvm::Instruction* i) const;
    // No other block and no phi reads it.
    static bool is_local(const llvm::Instruction* i);

private:
    void find_parts(const llvm::BasicBlock& block);
    bool may_be_part(const llvm::Instruction* i) const;
    int emitted_at(const llvm::Instruction* i) const;
    void find_slots_read(const llvm::BasicBlock& block);
    void find_slots_written(const llvm::BasicBlock& block);

    std::unordered_map<const llvm::Instruction*, int> places_; // in its block
    std::unordered_set<const llvm::Instruction*> parts_;
    std::unordered_map<const llvm::Instruction*, int> last_reads_; // of loads that are the slot itself
    std::unordered_map<const llvm::Instruction*, const llvm::AllocaInst*> made_in_;
};

// The slot that an address is; null: it is in memory.
inline const llvm::AllocaInst* slot_of(const llvm::Value* address) { return llvm::dyn_cast<llvm::AllocaInst>(address); }

// `x - 1` by either of its forms, for x & (x - 1) and x ^ (x - 1).
bool is_one_less(const llvm::Instruction* i);

} // namespace zug::codegen
