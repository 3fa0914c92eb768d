// Instructions on words.

#include "native/asmjit/baseline_function.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <bit>

namespace zug::codegen {

namespace x86 = asmjit::x86;
using asmjit::Imm;
using llvm::Instruction;
using llvm::PatternMatch::m_Not;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::m_Zero;

namespace {

const llvm::ConstantInt* small_constant(const llvm::Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant != nullptr && llvm::isInt<32>(constant->getSExtValue()) ? constant : nullptr;
}

bool is_word(const llvm::Type* type) {
    return type->isPointerTy() || type->isVoidTy() || type->isIntegerTy(64) || type->isIntegerTy(32) ||
           type->isIntegerTy(1);
}

bool is_baseline_intrinsic(const llvm::IntrinsicInst* call) {
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::x86_bmi_pdep_64: return call->getType()->isIntegerTy(64);
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
        return call->getType()->isIntegerTy(64) &&
               (small_constant(call->getArgOperand(2)) != nullptr || call->getArgOperand(0) == call->getArgOperand(1));
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove: return true;
    default: return false;
    }
}

bool is_step(const llvm::Value* value) {
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(value);
    if (step == nullptr || step->getNumIndices() != 1) return false;
    const llvm::Type* const type = step->getSourceElementType();
    return type->isIntegerTy(64) || type->isIntegerTy(8) || type->isPointerTy();
}

bool is_baseline_operand(const llvm::Value* operand) {
    if (llvm::isa<llvm::ConstantExpr>(operand)) return is_step(operand);
    if (llvm::isa<llvm::Constant>(operand))
        return llvm::isa<llvm::ConstantInt>(operand) || llvm::isa<llvm::GlobalVariable>(operand);
    return llvm::isa<Instruction>(operand) || llvm::isa<llvm::Argument>(operand);
}

bool has_baseline_operands(const Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    for (const llvm::Use& operand : i.operands()) {
        if (operand->getType()->isLabelTy()) continue;
        if (call != nullptr && operand == call->getCalledOperand() && llvm::isa<llvm::Function>(operand)) continue;
        const bool is_slot = llvm::isa<llvm::AllocaInst>(operand);
        if (is_slot && operand != llvm::getLoadStorePointerOperand(&i)) return false;
        if (operand->getType()->isIntegerTy(8) && !llvm::isa<llvm::ICmpInst>(i)) return false;
        if (!is_baseline_operand(operand) || (!is_word(operand->getType()) && !llvm::isa<llvm::ICmpInst>(i)))
            return false;
    }
    return true;
}

// Bytes are supported only as reads of tables, which are compared with 0. Truths are stored in stack slots only, and
// half words in no memory.
bool is_baseline_memory(const llvm::Value* address, const llvm::Type* type, bool reads) {
    if (type->isIntegerTy(64) || type->isPointerTy()) return true;
    return slot_of(address) != nullptr ? type->isIntegerTy(1) : reads && type->isIntegerTy(8);
}

bool is_baseline_comparison(const llvm::ICmpInst& comparison) {
    const llvm::Type* const type = comparison.getOperand(0)->getType();
    if (type->isIntegerTy(8)) return comparison.isEquality() && match(comparison.getOperand(1), m_Zero());
    return is_word(type) && (!type->isIntegerTy(1) || comparison.isEquality() || comparison.isUnsigned());
}

bool is_baseline_instruction(const Instruction& i) {
    if (!has_baseline_operands(i)) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
        return is_baseline_memory(load->getPointerOperand(), load->getType(), true);
    if (!is_word(i.getType())) return false;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return is_baseline_intrinsic(call);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        return is_baseline_memory(store->getPointerOperand(), store->getValueOperand()->getType(), false);
    if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i)) return is_baseline_comparison(*comparison);
    switch (i.getOpcode()) {
    case Instruction::Switch:
        return std::ranges::all_of(llvm::cast<llvm::SwitchInst>(&i)->cases(),
                                   [](const auto& option) { return option.getCaseSuccessor()->phis().empty(); });
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor: return !i.getType()->isIntegerTy(32);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem: return i.getType()->isIntegerTy(64);
    case Instruction::GetElementPtr: return is_step(&i);
    case Instruction::Select:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::IntToPtr:
    case Instruction::Alloca:
    case Instruction::Br:
    case Instruction::Call:
    case Instruction::Ret:
    case Instruction::PHI:
    case Instruction::Unreachable: return true;
    default: return false;
    }
}

} // namespace

bool is_baseline(const llvm::Function& function) {
    for (const llvm::BasicBlock& block : function)
        for (const Instruction& i : block)
            if (!is_baseline_instruction(i)) return false;
    return true;
}

// `to` may be the register of an operand.
void BaselineFunction::make(const Instruction* i, Gp to) {
    switch (i->getOpcode()) {
    case Instruction::ICmp: {
        const Condition truth = compare(llvm::cast<llvm::ICmpInst>(i));
        const Gp byte = scratch();
        load_constant(byte, 0);
        out_.set(truth, byte.r8());
        return void(out_.mov(to, byte));
    }
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: return shift(i, to);
    case Instruction::Select: return select(i, to);
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem: return divide(i, to);
    case Instruction::ZExt:
        move(to, i->getOperand(0));
        // The calling convention leaves the upper halves of arguments and results undefined.
        if (i->getOperand(0)->getType()->isIntegerTy(32)) out_.mov(to.r32(), to.r32());
        return;
    case Instruction::Trunc:
        move(to, i->getOperand(0));
        if (i->getType()->isIntegerTy(1))
            out_.and_(to.r32(), Imm(1));
        else
            out_.mov(to.r32(), to.r32());
        return;
    case Instruction::IntToPtr: return move(to, i->getOperand(0));
    case Instruction::GetElementPtr: return void(out_.lea(to, sum(llvm::cast<llvm::GEPOperator>(i))));
    default: return binary(i, to);
    }
}

// ANDN, BLSR and BLSMSK: one instruction for two operations.
bool BaselineFunction::bit_manipulation(const Instruction* i, Gp to) {
    const bool is_and = i->getOpcode() == Instruction::And;
    if (!is_and && i->getOpcode() != Instruction::Xor) return false;
    for (unsigned k = 0; k < 2; ++k) {
        const auto* part = llvm::dyn_cast<Instruction>(i->getOperand(k));
        if (part == nullptr || !plan_.is_folded(part)) continue;
        const llvm::Value* const other = i->getOperand(1 - k);
        llvm::Value* inner = nullptr;
        if (is_and && match(part, m_Not(m_Value(inner)))) {
            const Gp off = reg(inner);
            out_.andn(to, off, reg(other));
            return true;
        }
        if (!is_one_less(part) || part->getOperand(0) != other) continue;
        const Gp from = reg(other);
        if (is_and)
            out_.blsr(to, from);
        else
            out_.blsmsk(to, from);
        return true;
    }
    return false;
}

// With an immediate operand.
bool BaselineFunction::with_constant(const Instruction* i, Gp to) {
    const llvm::Value* left = i->getOperand(0);
    const llvm::Value* right = i->getOperand(1);
    if (i->isCommutative() && llvm::isa<llvm::ConstantInt>(left)) std::swap(left, right);
    const llvm::ConstantInt* const constant = small_constant(right);
    if (constant == nullptr) return false;
    const std::int64_t n =
        i->getType()->isIntegerTy(1) ? static_cast<std::int64_t>(constant->getZExtValue()) : constant->getSExtValue();
    if (i->getOpcode() == Instruction::Mul && (n <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(n)))) {
        const Gp from = reg(left);
        out_.imul(to, from, Imm(n));
        return true;
    }
    if (i->getOpcode() == Instruction::Add) {
        const Gp from = reg(left);
        out_.lea(to, x86::ptr(from, static_cast<std::int32_t>(n)));
        return true;
    }
    move(to, left);
    switch (i->getOpcode()) {
    case Instruction::Sub: out_.sub(to, Imm(n)); break;
    case Instruction::And: out_.and_(to, Imm(n)); break;
    case Instruction::Or: out_.or_(to, Imm(n)); break;
    case Instruction::Xor: out_.xor_(to, Imm(n)); break;
    default: out_.shl(to, Imm(std::countr_zero(static_cast<std::uint64_t>(n)))); break;
    }
    return true;
}

void BaselineFunction::binary(const Instruction* i, Gp to) {
    if (bit_manipulation(i, to)) return;
    llvm::Value* inner = nullptr;
    if (match(i, m_Not(m_Value(inner))) && !i->getType()->isIntegerTy(1)) {
        move(to, inner);
        return void(out_.not_(to));
    }
    if (with_constant(i, to)) return;
    Gp left = reg(i->getOperand(0)), right = reg(i->getOperand(1));
    if (i->getOpcode() == Instruction::Add) return void(out_.lea(to, x86::ptr(left, right)));
    const bool clash = right.id() == to.id() && left.id() != to.id();
    if (clash && i->isCommutative()) std::swap(left, right);
    const Gp result = clash && !i->isCommutative() ? scratch() : to;
    if (result.id() != left.id()) out_.mov(result, left);
    switch (i->getOpcode()) {
    case Instruction::Sub: out_.sub(result, right); break;
    case Instruction::And: out_.and_(result, right); break;
    case Instruction::Or: out_.or_(result, right); break;
    case Instruction::Xor: out_.xor_(result, right); break;
    default: out_.imul(result, right); break;
    }
    if (result.id() != to.id()) out_.mov(to, result);
}

void BaselineFunction::shift(const Instruction* i, Gp to) {
    const auto op = i->getOpcode();
    if (const llvm::ConstantInt* const n = small_constant(i->getOperand(1))) {
        move(to, i->getOperand(0));
        const Imm bits(n->getZExtValue());
        if (op == Instruction::Shl)
            out_.shl(to, bits);
        else if (op == Instruction::LShr)
            out_.shr(to, bits);
        else
            out_.sar(to, bits);
        return;
    }
    const Gp from = reg(i->getOperand(0)), bits = reg(i->getOperand(1));
    if (op == Instruction::Shl)
        out_.shlx(to, from, bits);
    else if (op == Instruction::LShr)
        out_.shrx(to, from, bits);
    else
        out_.sarx(to, from, bits);
}

void BaselineFunction::select(const Instruction* i, Gp to) {
    const Gp yes = reg(i->getOperand(1)), result = scratch();
    move(result, i->getOperand(2));
    const Condition when = condition(i->getOperand(0));
    out_.cmov(when, result, yes);
    out_.mov(to, result);
}

void BaselineFunction::divide(const Instruction* i, Gp to) {
    const bool with_sign = i->getOpcode() == Instruction::SDiv || i->getOpcode() == Instruction::SRem;
    const bool quotient = i->getOpcode() == Instruction::SDiv || i->getOpcode() == Instruction::UDiv;
    const Gp low = scratch(), high = scratch(), divisor = reg(i->getOperand(1));
    move(low, i->getOperand(0));
    if (with_sign) {
        out_.mov(high, low);
        out_.sar(high, Imm(63));
        out_.idiv(high, low, divisor);
    } else {
        load_constant(high, 0);
        out_.div(high, low, divisor);
    }
    out_.mov(to, quotient ? low : high);
}

// A funnel shift: the high word of two that are shifted as one. By a variable distance only if the two are the same.
void BaselineFunction::funnel(const llvm::IntrinsicInst* call, bool left) {
    const llvm::Value* const high = call->getArgOperand(0);
    const llvm::Value* const low = call->getArgOperand(1);
    const llvm::ConstantInt* const constant = small_constant(call->getArgOperand(2));
    if (constant == nullptr) {
        const Gp bits = reg(call->getArgOperand(2)), result = scratch();
        move(result, high);
        if (left)
            out_.rol(result, bits.r8());
        else
            out_.ror(result, bits.r8());
        return void(out_.mov(into(call), result));
    }
    const auto bits = constant->getZExtValue();
    if (high == low) {
        const Gp from = reg(high);
        return void(out_.rorx(into(call), from, Imm(left ? 64 - bits : bits)));
    }
    const Gp result = scratch();
    move(result, left ? high : low);
    const llvm::Value* const other = left ? low : high;
    if (match(other, m_Zero()) && left)
        out_.shl(result, Imm(bits));
    else if (match(other, m_Zero()))
        out_.shr(result, Imm(bits));
    else if (left)
        out_.shld(result, reg(other), Imm(bits));
    else
        out_.shrd(result, reg(other), Imm(bits));
    out_.mov(into(call), result);
}

// The second operand if condition `other` holds of the first compared with it, else the first.
void BaselineFunction::extreme(const llvm::IntrinsicInst* call, Condition other) {
    const Gp first = reg(call->getArgOperand(0)), second = reg(call->getArgOperand(1)), result = scratch();
    out_.mov(result, first);
    out_.cmp(first, second);
    out_.cmov(other, result, second);
    out_.mov(into(call), result);
}

void BaselineFunction::intrinsic(const llvm::IntrinsicInst* call) {
    const auto argument = [&](unsigned k) { return reg(call->getArgOperand(k)); };
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fshl: return funnel(call, true);
    case llvm::Intrinsic::fshr: return funnel(call, false);
    case llvm::Intrinsic::umin: return extreme(call, Condition::kA);
    case llvm::Intrinsic::umax: return extreme(call, Condition::kB);
    case llvm::Intrinsic::smin: return extreme(call, Condition::kG);
    case llvm::Intrinsic::smax: return extreme(call, Condition::kL);
    default: break;
    }
    const Gp first = argument(0);
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::ctpop: return void(out_.popcnt(into(call), first));
    case llvm::Intrinsic::cttz: return void(out_.tzcnt(into(call), first));
    case llvm::Intrinsic::ctlz: return void(out_.lzcnt(into(call), first));
    case llvm::Intrinsic::x86_bmi_pdep_64: return void(out_.pdep(into(call), first, argument(1)));
    default: break;
    }
    const Gp second = argument(1), third = argument(2);                                  // evaluated before the call
    const std::int32_t slot = call->getIntrinsicID() == llvm::Intrinsic::memcpy ? 0 : 1; // of native::import_names
    asmjit::InvokeNode* node = nullptr;
    out_.invoke(&node, x86::ptr(module_.imports, slot * 8, 8),
                asmjit::FuncSignatureT<void*, void*, const void*, std::uint64_t>());
    node->setArg(0, first);
    node->setArg(1, second);
    node->setArg(2, third);
    node->setRet(0, scratch());
}

} // namespace zug::codegen
