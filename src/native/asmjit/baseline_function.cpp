// Registers, memory, control.

#include "native/asmjit/baseline_function.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace zug::codegen {

namespace x86 = asmjit::x86;
using asmjit::Imm;
using llvm::CmpInst;
using llvm::PatternMatch::m_Not;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::m_Zero;

namespace {

asmjit::TypeId type_of(const llvm::Type* type) {
    if (type->isVoidTy()) return asmjit::TypeId::kVoid;
    if (type->isPointerTy()) return asmjit::TypeId::kUIntPtr;
    return type->isIntegerTy(32) ? asmjit::TypeId::kInt32 : asmjit::TypeId::kUInt64;
}

Gp sized(Gp reg, const llvm::Type* type) { return type->isIntegerTy(32) ? reg.r32() : reg; }

// Blocks that branch weights mark as unlikely come last.
std::vector<const llvm::BasicBlock*> order_of(const llvm::Function& function) {
    std::unordered_set<const llvm::BasicBlock*> rare;
    for (const llvm::BasicBlock& block : function) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        if (branch != nullptr && branch->isConditional() && branch->hasMetadata(llvm::LLVMContext::MD_prof))
            rare.insert(branch->getSuccessor(0));
    }
    std::vector<const llvm::BasicBlock*> order;
    for (const llvm::BasicBlock& block : function)
        if (&block == &function.getEntryBlock() || !llvm::pred_empty(&block)) order.push_back(&block);
    std::ranges::stable_partition(order, [&](const llvm::BasicBlock* block) { return !rare.contains(block); });
    return order;
}

} // namespace

asmjit::FuncSignatureBuilder signature_of(const llvm::FunctionType* type) {
    asmjit::FuncSignatureBuilder signature;
    signature.setRet(type_of(type->getReturnType()));
    for (const llvm::Type* parameter : type->params()) signature.addArg(type_of(parameter));
    return signature;
}

BaselineFunction::BaselineFunction(BaselineModule& module, const llvm::Function& function)
    : module_(module), out_(module.out), plan_(function) {
    asmjit::FuncNode* const node = out_.addFunc(module.functions.at(&function));
    for (unsigned k = 0; k < function.arg_size(); ++k) {
        const Gp argument = registers_[function.getArg(k)] = fresh_register();
        node->setArg(k, sized(argument, function.getArg(k)->getType()));
    }
    const auto order = order_of(function);
    for (const llvm::BasicBlock* block : order) labels_[block] = out_.newLabel();
    for (std::size_t k = 0; k < order.size(); ++k) block(*order[k], k + 1 < order.size() ? order[k + 1] : nullptr);
    out_.endFunc();
}

// -- registers

Gp BaselineFunction::scratch() {
    if (scratch_used_ == scratch_.size()) scratch_.push_back(fresh_register());
    return scratch_[scratch_used_++];
}

Gp BaselineFunction::slot(const llvm::AllocaInst* slot) {
    const auto [it, fresh] = slots_.try_emplace(slot);
    if (fresh) it->second = fresh_register();
    return it->second;
}

// The register of an instruction's result.
Gp BaselineFunction::into(const Instruction* i) {
    if (const llvm::AllocaInst* const target = plan_.target_slot(i)) return registers_[i] = slot(target);
    const auto [it, fresh] = registers_.try_emplace(i);
    if (fresh) it->second = BaselinePlan::is_local(i) ? scratch() : fresh_register();
    return it->second;
}

// Does not change the flags.
void BaselineFunction::load_constant(Gp to, std::uint64_t n) {
    if (n <= UINT32_MAX)
        out_.mov(to.r32(), Imm(n));
    else
        out_.mov(to, Imm(n));
}

Gp BaselineFunction::reg(const Value* value) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        const Gp result = scratch();
        load_constant(result, constant->getZExtValue());
        return result;
    }
    if (const auto* address = llvm::dyn_cast<llvm::ConstantExpr>(value)) {
        const Gp result = scratch();
        out_.lea(result, sum(llvm::cast<llvm::GEPOperator>(address)));
        return result;
    }
    if (const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
        const auto [it, fresh] = module_.tables.try_emplace(table);
        if (fresh) it->second = out_.newLabel();
        const Gp result = scratch();
        out_.lea(result, x86::ptr(it->second));
        return result;
    }
    const auto* i = llvm::dyn_cast<Instruction>(value);
    if (i == nullptr) return registers_.at(value);
    if (plan_.is_slot_alias(i)) return slot(slot_of(i->getOperand(0)));
    if (!plan_.is_folded(i)) return into(i);
    const Gp result = scratch();
    make(i, result);
    return result;
}

void BaselineFunction::move(Gp to, const Value* value) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        load_constant(to, constant->getZExtValue());
    } else if (const Gp from = reg(value); from.id() != to.id()) {
        out_.mov(to, from);
    }
}

x86::Mem BaselineFunction::memory(const Value* address) {
    const auto* i = llvm::dyn_cast<Instruction>(address);
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(address);
    if (step != nullptr && (i == nullptr || plan_.is_folded(i))) return sum(step);
    return x86::ptr(reg(address), 0, 8);
}

// The binary logarithm of the size of the elements that a step (getelementptr) counts.
unsigned step_size(const llvm::GEPOperator* step) { return step->getSourceElementType()->isIntegerTy(8) ? 0 : 3; }

// An address as an operand: folds the steps before it, as long as they have one variable index at most.
x86::Mem BaselineFunction::sum(const llvm::GEPOperator* address) {
    std::int64_t displacement = 0;
    const Value* index = nullptr;
    unsigned size = 0; // step_size of the index
    const Value* base = address;
    for (const llvm::GEPOperator* step = address; step != nullptr;) {
        if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1))) {
            displacement += constant->getSExtValue() << step_size(step);
        } else if (index == nullptr) {
            index = step->getOperand(1);
            size = step_size(step);
        } else {
            break;
        }
        base = step->getPointerOperand();
        const auto* i = llvm::dyn_cast<Instruction>(base);
        step = i == nullptr || plan_.is_folded(i) ? llvm::dyn_cast<llvm::GEPOperator>(base) : nullptr;
    }
    const Gp first = reg(base);
    const auto offset = static_cast<std::int32_t>(displacement);
    return index == nullptr ? x86::ptr(first, offset, 8) : x86::ptr(first, reg(index), size, offset, 8);
}

// -- blocks

void BaselineFunction::block(const llvm::BasicBlock& block, const llvm::BasicBlock* next) {
    block_ = &block;
    next_ = next;
    scratch_used_ = 0;
    out_.bind(labels_.at(&block));
    for (const Instruction& i : block)
        if (!plan_.is_folded(&i)) instruction(&i);
}

void BaselineFunction::instruction(const Instruction* i) {
    if (llvm::isa<llvm::PHINode>(i) || llvm::isa<llvm::AllocaInst>(i)) return;
    if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(i)) return load(read);
    if (const auto* write = llvm::dyn_cast<llvm::StoreInst>(i)) return store(write);
    if (const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(i)) return intrinsic(known);
    if (const auto* other = llvm::dyn_cast<llvm::CallInst>(i)) return call(other);
    if (const auto* way = llvm::dyn_cast<llvm::BranchInst>(i)) return branch(way);
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(i)) return choose(choice);
    if (const auto* result = llvm::dyn_cast<llvm::ReturnInst>(i)) {
        const Gp value = reg(result->getReturnValue());
        out_.ret(sized(value, result->getReturnValue()->getType()));
    } else if (llvm::isa<llvm::UnreachableInst>(i)) {
        out_.ud2();
        out_.ret();
    } else {
        make(i, into(i));
    }
}

void BaselineFunction::load(const llvm::LoadInst* load) {
    if (plan_.is_slot_alias(load)) return;
    if (const llvm::AllocaInst* const from = slot_of(load->getPointerOperand())) {
        const Gp to = into(load);
        if (to.id() != slot(from).id()) out_.mov(to, slot(from));
        return;
    }
    x86::Mem from = memory(load->getPointerOperand());
    if (load->getType()->isIntegerTy(8)) {
        from.setSize(1);
        out_.movzx(into(load).r32(), from);
    } else {
        out_.mov(into(load), from);
    }
}

void BaselineFunction::store(const llvm::StoreInst* store) {
    const Value* const value = store->getValueOperand();
    if (const llvm::AllocaInst* const to = slot_of(store->getPointerOperand())) {
        const auto* i = llvm::dyn_cast<Instruction>(value);
        if (i == nullptr || plan_.target_slot(i) != to) move(slot(to), value);
        return;
    }
    const x86::Mem to = memory(store->getPointerOperand());
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    if (constant != nullptr && llvm::isInt<32>(constant->getSExtValue()))
        out_.mov(to, Imm(constant->getSExtValue()));
    else
        out_.mov(to, reg(value));
}

void BaselineFunction::call(const llvm::CallInst* call) {
    std::vector<Gp> arguments;
    for (const llvm::Use& argument : call->args()) arguments.push_back(reg(argument));
    const auto signature = signature_of(call->getFunctionType());
    asmjit::InvokeNode* node = nullptr;
    if (const llvm::Function* const known = call->getCalledFunction())
        out_.invoke(&node, module_.functions.at(known)->label(), signature);
    else
        out_.invoke(&node, reg(call->getCalledOperand()), signature);
    for (unsigned k = 0; k < arguments.size(); ++k)
        node->setArg(k, sized(arguments[k], call->getArgOperand(k)->getType()));
    if (!call->getType()->isVoidTy()) node->setRet(0, sized(into(call), call->getType()));
}

// -- control

// Sets the flags. Returns the condition under which the value is true.
BaselineFunction::Condition BaselineFunction::condition(const Value* value) {
    if (const auto* i = llvm::dyn_cast<Instruction>(value); i != nullptr && plan_.is_folded(i)) {
        Value* inner = nullptr;
        if (match(i, m_Not(m_Value(inner)))) return x86::negateCond(condition(inner));
        if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(i)) return compare(comparison);
    }
    const Gp truth = reg(value);
    out_.test(truth.r32(), truth.r32());
    return Condition::kNZ;
}

BaselineFunction::Condition BaselineFunction::compare(const llvm::ICmpInst* comparison) {
    const Value* const left = comparison->getOperand(0);
    const Value* const right = comparison->getOperand(1);
    if (comparison->isEquality() && match(right, m_Zero())) {
        const auto* both = llvm::dyn_cast<Instruction>(left);
        if (both != nullptr && both->getOpcode() == Instruction::And && plan_.is_folded(both)) {
            const Gp first = reg(both->getOperand(0));
            out_.test(first, reg(both->getOperand(1)));
        } else {
            const Gp all = reg(left);
            out_.test(sized(all, left->getType()), sized(all, left->getType()));
        }
    } else {
        const Gp first = reg(left);
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(right);
        if (constant != nullptr && llvm::isInt<32>(constant->getSExtValue()) && !constant->getType()->isIntegerTy(1))
            out_.cmp(sized(first, left->getType()), Imm(constant->getSExtValue()));
        else
            out_.cmp(sized(first, left->getType()), sized(reg(right), left->getType()));
    }
    switch (comparison->getPredicate()) {
    case CmpInst::ICMP_EQ: return Condition::kE;
    case CmpInst::ICMP_NE: return Condition::kNE;
    case CmpInst::ICMP_ULT: return Condition::kB;
    case CmpInst::ICMP_ULE: return Condition::kBE;
    case CmpInst::ICMP_UGT: return Condition::kA;
    case CmpInst::ICMP_UGE: return Condition::kAE;
    case CmpInst::ICMP_SLT: return Condition::kL;
    case CmpInst::ICMP_SLE: return Condition::kLE;
    case CmpInst::ICMP_SGT: return Condition::kG;
    default: return Condition::kGE;
    }
}

// Assigns the phis of a successor: one after the other, or by way of copies if one is read after it would be assigned.
void BaselineFunction::set_phis(const llvm::BasicBlock* to) {
    std::vector<std::pair<Gp, const Value*>> moves;
    bool crossed = false;
    for (const llvm::PHINode& phi : to->phis()) {
        const Value* const value = phi.getIncomingValueForBlock(block_);
        moves.emplace_back(into(&phi), value);
        const auto* other = llvm::dyn_cast<llvm::PHINode>(value);
        crossed = crossed || (other != nullptr && other->getParent() == to);
    }
    std::vector<Gp> copies;
    for (const auto& [phi, value] : moves) {
        move(crossed ? copies.emplace_back(scratch()) : phi, value);
    }
    for (std::size_t k = 0; k < copies.size(); ++k) out_.mov(moves[k].first, copies[k]);
}

void BaselineFunction::go(const llvm::BasicBlock* to) {
    set_phis(to);
    if (to != next_) out_.jmp(labels_.at(to));
}

void BaselineFunction::branch(const llvm::BranchInst* branch) {
    const llvm::BasicBlock* yes = branch->getSuccessor(0);
    if (branch->isUnconditional()) return go(yes);
    const llvm::BasicBlock* no = branch->getSuccessor(1);
    Condition when = condition(branch->getCondition());
    // The target of the conditional jump must have no phis to assign.
    if (!yes->phis().empty() || yes == next_) {
        std::swap(yes, no);
        when = x86::negateCond(when);
    }
    if (yes->phis().empty()) {
        out_.j(when, labels_.at(yes));
        return go(no);
    }
    const asmjit::Label here = out_.newLabel();
    out_.j(when, here);
    set_phis(no);
    out_.jmp(labels_.at(no));
    out_.bind(here);
    go(yes);
}

void BaselineFunction::choose(const llvm::SwitchInst* choice) {
    const Gp value = sized(reg(choice->getCondition()), choice->getCondition()->getType());
    for (const auto& option : choice->cases()) {
        out_.cmp(value, Imm(option.getCaseValue()->getSExtValue()));
        out_.je(labels_.at(option.getCaseSuccessor()));
    }
    go(choice->getDefaultDest());
}

} // namespace zug::codegen
