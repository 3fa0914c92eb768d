#pragma once
// One function of LLVM's representation to asmjit's Compiler, instruction by instruction. Slots are virtual registers
// that are written many times, so nothing need be made single-assignment first.

#include "native/asmjit/baseline_plan.hpp"

#include <asmjit/x86.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <functional>

namespace zug::codegen {

using Gp = asmjit::x86::Gp;

// What functions of a module have in common.
struct BaselineModule {
    asmjit::x86::Compiler& out;
    std::unordered_map<const llvm::Function*, asmjit::FuncNode*> functions;
    std::unordered_map<const llvm::GlobalVariable*, asmjit::Label> tables; // those that are used
    asmjit::Label imports;                                                 // addresses of native::import_names
};

asmjit::FuncSignatureBuilder signature_of(const llvm::FunctionType* type);

// Whether every instruction has a form below.
bool is_baseline(const llvm::Function& function);

class BaselineFunction {
public:
    // Puts the code of a function for which is_baseline holds behind what is there.
    BaselineFunction(BaselineModule& module, const llvm::Function& function);

private:
    using Value = llvm::Value;
    using Instruction = llvm::Instruction;
    using Condition = asmjit::x86::CondCode;

    // -- registers
    Gp lasting() { return out_.newUInt64(); }
    Gp passing(); // for the block at hand only; they are used again in the next
    Gp slot(const llvm::AllocaInst* slot);
    Gp into(const Instruction* i);
    Gp reg(const Value* value);
    void load_constant(Gp to, std::uint64_t n);
    void move(Gp to, const Value* value);
    asmjit::x86::Mem memory(const Value* address);
    asmjit::x86::Mem sum(const llvm::GEPOperator* address); // as an operand

    // -- instructions
    void block(const llvm::BasicBlock& block, const llvm::BasicBlock* next);
    void instruction(const Instruction* i);
    void make(const Instruction* i, Gp to);
    void binary(const Instruction* i, Gp to);
    bool bit_manipulation(const Instruction* i, Gp to);
    bool with_constant(const Instruction* i, Gp to);
    void shift(const Instruction* i, Gp to);
    void select(const Instruction* i, Gp to);
    void divide(const Instruction* i, Gp to);
    void load(const llvm::LoadInst* load);
    void store(const llvm::StoreInst* store);
    void intrinsic(const llvm::IntrinsicInst* call);
    void funnel(const llvm::IntrinsicInst* call, bool left);
    void extreme(const llvm::IntrinsicInst* call, Condition other);
    void call(const llvm::CallInst* call);

    // -- control
    Condition condition(const Value* value);
    Condition compare(const llvm::ICmpInst* comparison);
    void branch(const llvm::BranchInst* branch);
    void choose(const llvm::SwitchInst* choice);
    void go(const llvm::BasicBlock* to);
    void set_phis(const llvm::BasicBlock* to);

    BaselineModule& module_;
    asmjit::x86::Compiler& out_;
    BaselinePlan plan_;
    std::unordered_map<const Value*, Gp> registers_;
    std::unordered_map<const llvm::AllocaInst*, Gp> slots_;
    std::unordered_map<const llvm::BasicBlock*, asmjit::Label> labels_;
    std::vector<Gp> passing_;
    std::size_t passing_used_ = 0;
    const llvm::BasicBlock* block_ = nullptr; // at hand
    const llvm::BasicBlock* next_ = nullptr;  // which comes behind it
};

} // namespace zug::codegen
