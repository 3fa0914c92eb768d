#pragma once
// Translates a function of LLVM IR to asmjit's Compiler, instruction by instruction. Stack slots become virtual
// registers, which may be written many times, so they need not be promoted to SSA values first.

#include "native/asmjit/baseline_plan.hpp"

#include <asmjit/x86.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <functional>

namespace zug::codegen {

using Gp = asmjit::x86::Gp;

// What the functions of a module share.
struct BaselineModule {
    asmjit::x86::Compiler& out;
    std::unordered_map<const llvm::Function*, asmjit::FuncNode*> functions;
    std::unordered_map<const llvm::GlobalVariable*, asmjit::Label> tables; // those in use so far
    asmjit::Label imports; // of an array with the addresses of native::import_names
};

asmjit::FuncSignatureBuilder signature_of(const llvm::FunctionType* type);

// Whether BaselineFunction supports every instruction.
bool is_baseline(const llvm::Function& function);

class BaselineFunction {
public:
    // Appends the code of a function for which is_baseline holds.
    BaselineFunction(BaselineModule& module, const llvm::Function& function);

private:
    using Value = llvm::Value;
    using Instruction = llvm::Instruction;
    using Condition = asmjit::x86::CondCode;

    // -- registers
    Gp fresh_register() { return out_.newUInt64(); }
    Gp scratch(); // a register for the current block only: the next block uses the same ones again
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
    std::vector<Gp> scratch_;
    std::size_t scratch_used_ = 0;
    const llvm::BasicBlock* block_ = nullptr; // being translated
    const llvm::BasicBlock* next_ = nullptr;  // the one emitted after it
};

} // namespace zug::codegen
