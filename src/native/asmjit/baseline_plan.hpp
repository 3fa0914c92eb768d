#pragma once
// The plan for a function, which the baseline JIT makes instead of optimising it: the values that are folded into the
// instructions that use them, the loads of a stack slot that need no copy of it, and the values that are computed in
// the slot that they are stored to.

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <unordered_map>
#include <unordered_set>

namespace zug::codegen {

class BaselinePlan {
public:
    explicit BaselinePlan(const llvm::Function& function);

    // It is folded into its only user: a comparison, a complement or an address that the user has an operand form for.
    bool is_folded(const llvm::Instruction* i) const { return folded_.contains(i); }
    // A load whose slot holds the value as long as it is needed.
    bool is_slot_alias(const llvm::Instruction* load) const { return last_reads_.contains(load); }
    // The slot that the value is stored to, if nothing reads it between the instruction and the store; else null.
    const llvm::AllocaInst* target_slot(const llvm::Instruction* i) const;
    // Its users are in the same block, and are no phis.
    static bool is_local(const llvm::Instruction* i);

private:
    void find_folded(const llvm::BasicBlock& block);
    bool may_be_folded(const llvm::Instruction* i) const;
    int emitted_at(const llvm::Instruction* i) const;
    void find_slot_aliases(const llvm::BasicBlock& block);
    void find_target_slots(const llvm::BasicBlock& block);

    std::unordered_map<const llvm::Instruction*, int> positions_; // in the block
    std::unordered_set<const llvm::Instruction*> folded_;
    std::unordered_map<const llvm::Instruction*, int> last_reads_; // by load: the position of its last user
    std::unordered_map<const llvm::Instruction*, const llvm::AllocaInst*> target_slots_;
};

// The stack slot that an address denotes; null: it is an address in memory.
inline const llvm::AllocaInst* slot_of(const llvm::Value* address) { return llvm::dyn_cast<llvm::AllocaInst>(address); }

// Whether it is `x - 1`, as a subtraction or an addition: x & (x - 1) and x ^ (x - 1) have instructions of their own.
bool is_one_less(const llvm::Instruction* i);

} // namespace zug::codegen
