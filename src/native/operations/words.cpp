// Integers, truths and reals.

#include "native/operations/operations.hpp"

#include <llvm/IR/Intrinsics.h>

#include <utility>
#include <vector>

namespace zug::codegen {

using run::Instr;
using run::Operation;

bool WordOps::translate(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::Add: add(i); return true;
    case Operation::Sub: regs_.put(i.d, b_.CreateSub(regs_.word(i.a), regs_.word(i.b))); return true;
    case Operation::Mul: regs_.put(i.d, b_.CreateMul(regs_.word(i.a), regs_.word(i.b))); return true;
    case Operation::Div: divide(i, false); return true;
    case Operation::Mod: divide(i, true); return true;
    case Operation::Neg: regs_.put(i.d, b_.CreateNeg(regs_.word(i.a))); return true;
    case Operation::Min:
        regs_.put(i.d, b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, regs_.word(i.a), regs_.word(i.b)));
        return true;
    case Operation::Max:
        regs_.put(i.d, b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, regs_.word(i.a), regs_.word(i.b)));
        return true;
    case Operation::Eq: regs_.put_truth(i.d, b_.CreateICmpEQ(regs_.word(i.a), regs_.word(i.b))); return true;
    case Operation::Lt: regs_.put_truth(i.d, b_.CreateICmpSLT(regs_.word(i.a), regs_.word(i.b))); return true;
    case Operation::Not: regs_.put(i.d, b_.CreateXor(regs_.word(i.a), b_.number(1))); return true;
    case Operation::WordTable: word_table(i); return true;
    case Operation::WordAt: word_at(i); return true;
    default: return real(i);
    }
}

void WordOps::word_at(const Instr& i) {
    Value* const valid = b_.below(regs_.word(i.b), static_cast<std::uint64_t>(i.imm));
    Value* const offset = b_.CreateSelect(valid, regs_.word(i.b), b_.number(0));
    Value* const there = b_.CreateLoad(b_.getInt64Ty(), regs_.address(i.a, offset));
    regs_.put(i.d, b_.CreateSelect(valid, there, regs_.word(i.c)));
}

void WordOps::add(const Instr& i) {
    Value* const a = regs_.word(i.a);
    if (Value* const counted = rays_.join_sum(a, regs_.word(i.b))) return regs_.put(i.d, counted);
    Value* const sum = b_.CreateAdd(a, regs_.word(i.b));
    const Registers::Singleton* const known = regs_.singleton_of(a);
    if (auto* const distance = llvm::dyn_cast<llvm::ConstantInt>(regs_.word(i.b));
        known != nullptr && distance != nullptr)
        regs_.know_singleton(sum, regs_.moved(*known, distance->getSExtValue()));
    regs_.put(i.d, sum);
}

bool WordOps::real(const Instr& i) {
    const Operation operation = run::operation_of(i.op);
    Value* const a = operation >= Operation::AddReal && operation <= Operation::LtReal ? regs_.real(i.a) : nullptr;
    const auto b = [&] { return regs_.real(i.b); };
    switch (operation) {
    case Operation::AddReal: regs_.put_real(i.d, b_.CreateFAdd(a, b())); return true;
    case Operation::SubReal: regs_.put_real(i.d, b_.CreateFSub(a, b())); return true;
    case Operation::MulReal: regs_.put_real(i.d, b_.CreateFMul(a, b())); return true;
    case Operation::DivReal: regs_.put_real(i.d, b_.CreateFDiv(a, b())); return true;
    case Operation::NegReal: regs_.put_real(i.d, b_.CreateFNeg(a)); return true;
    case Operation::MinReal: regs_.put_real(i.d, b_.CreateSelect(b_.CreateFCmpOLT(b(), a), b(), a)); return true;
    case Operation::MaxReal: regs_.put_real(i.d, b_.CreateSelect(b_.CreateFCmpOLT(a, b()), b(), a)); return true;
    case Operation::EqReal: regs_.put_truth(i.d, b_.CreateFCmpOEQ(a, b())); return true;
    case Operation::LtReal: regs_.put_truth(i.d, b_.CreateFCmpOLT(a, b())); return true;
    case Operation::ToReal: regs_.put_real(i.d, b_.CreateSIToFP(regs_.word(i.a), b_.getDoubleTy())); return true;
    default: return false;
    }
}

// Division that rounds down, or its remainder; 0 if the divisor is 0.
void WordOps::divide(const Instr& i, bool remainder) {
    Value* const a = regs_.word(i.a);
    Value* const by_zero = b_.CreateICmpEQ(regs_.word(i.b), b_.number(0));
    Value* const b = b_.CreateSelect(by_zero, b_.number(1), regs_.word(i.b));
    Value* const quotient = b_.CreateSDiv(a, b);
    Value* const rest = b_.CreateSub(a, b_.CreateMul(quotient, b));
    Value* const down = b_.CreateAnd(b_.nonzero(rest), b_.CreateICmpSLT(b_.CreateXor(a, b), b_.number(0)));
    Value* const result = remainder ? b_.CreateAdd(rest, b_.CreateSelect(down, b, b_.number(0)))
                                    : b_.CreateSub(quotient, b_.CreateZExt(down, b_.getInt64Ty()));
    regs_.put(i.d, b_.CreateSelect(by_zero, b_.number(0), result));
}

void WordOps::word_table(const Instr& i) {
    const auto& table = code_.tables.words[i.c];
    if (table.empty()) return regs_.put(i.d, b_.none());
    Value* const row = b_.CreateSub(regs_.word(i.a), b_.number(static_cast<std::uint64_t>(std::int64_t{i.imm})));
    const auto at = [&](std::size_t k) { return static_cast<std::uint64_t>(table[k]); };
    const std::uint64_t step = table.size() > 1 ? at(1) - at(0) : 0;
    bool even = true;
    for (std::size_t k = 1; k < table.size(); ++k) even = even && at(k) - at(k - 1) == step;
    if (even) { // an arithmetic progression
        Value* const value = b_.CreateAdd(b_.CreateMul(row, b_.number(step)), b_.number(at(0)));
        return regs_.put(i.d, b_.CreateSelect(b_.below(row, table.size()), value, b_.none()));
    }
    std::vector<std::uint64_t> rows(table.begin(), table.end());
    rows.push_back(static_cast<std::uint64_t>(ir::none));
    regs_.put(i.d, b_.table_row(std::move(rows), row, 1)[0]);
}

} // namespace zug::codegen
