// Words, numbers, checks and control.

#include "native/llvm/host_members.hpp"
#include "native/llvm/translator.hpp"

#include "bytecode/vm.hpp"
#include "ir/types.hpp"

#include <llvm/IR/MDBuilder.h>

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Opcode;

bool Translator::word_instruction(const Instr& i) {
    switch (i.op) {
    case Opcode::Add: add(i); return true;
    case Opcode::Sub: put(i.d, b_.CreateSub(word(i.a), word(i.b))); return true;
    case Opcode::Mul: put(i.d, b_.CreateMul(word(i.a), word(i.b))); return true;
    case Opcode::Div: divide(i, false); return true;
    case Opcode::Mod: divide(i, true); return true;
    case Opcode::Neg: put(i.d, b_.CreateNeg(word(i.a))); return true;
    case Opcode::Min: put(i.d, b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, word(i.a), word(i.b))); return true;
    case Opcode::Max: put(i.d, b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, word(i.a), word(i.b))); return true;
    case Opcode::Eq: put_truth(i.d, b_.CreateICmpEQ(word(i.a), word(i.b))); return true;
    case Opcode::Lt: put_truth(i.d, b_.CreateICmpSLT(word(i.a), word(i.b))); return true;
    case Opcode::Not: put(i.d, b_.CreateXor(word(i.a), number(1))); return true;
    case Opcode::WordTable: word_table(i); return true;
    case Opcode::WordAt: {
        Value* const valid = below(word(i.b), static_cast<std::uint64_t>(i.imm));
        Value* const offset = b_.CreateSelect(valid, word(i.b), number(0));
        Value* const there = b_.CreateLoad(b_.getInt64Ty(), address(i.a, offset));
        put(i.d, b_.CreateSelect(valid, there, word(i.c)));
        return true;
    }
    default: return false;
    }
}

void Translator::add(const Instr& i) {
    Value* const a = word(i.a);
    if (Value* const counted = sum_of_rays(a, word(i.b))) return put(i.d, counted);
    Value* const sum = b_.CreateAdd(a, word(i.b));
    const Single* const known = single_of(a);
    if (auto* const distance = llvm::dyn_cast<llvm::ConstantInt>(word(i.b)); known != nullptr && distance != nullptr)
        know_single(sum, moved(*known, distance->getSExtValue()));
    put(i.d, sum);
}

bool Translator::real_instruction(const Instr& i) {
    Value* const a = i.op >= Opcode::AddReal && i.op <= Opcode::LtReal ? real(i.a) : nullptr;
    const auto b = [&] { return real(i.b); };
    const auto zero = [&] { return llvm::ConstantFP::get(b_.getDoubleTy(), 0.0); };
    switch (i.op) {
    case Opcode::AddReal: put_real(i.d, b_.CreateFAdd(a, b())); return true;
    case Opcode::SubReal: put_real(i.d, b_.CreateFSub(a, b())); return true;
    case Opcode::MulReal: put_real(i.d, b_.CreateFMul(a, b())); return true;
    case Opcode::DivReal:
        put_real(i.d, b_.CreateSelect(b_.CreateFCmpOEQ(b(), zero()), zero(), b_.CreateFDiv(a, b())));
        return true;
    case Opcode::NegReal: put_real(i.d, b_.CreateFNeg(a)); return true;
    case Opcode::MinReal: put_real(i.d, b_.CreateSelect(b_.CreateFCmpOLT(b(), a), b(), a)); return true;
    case Opcode::MaxReal: put_real(i.d, b_.CreateSelect(b_.CreateFCmpOLT(a, b()), b(), a)); return true;
    case Opcode::EqReal: put_truth(i.d, b_.CreateFCmpOEQ(a, b())); return true;
    case Opcode::LtReal: put_truth(i.d, b_.CreateFCmpOLT(a, b())); return true;
    case Opcode::ToReal: put_real(i.d, b_.CreateSIToFP(word(i.a), b_.getDoubleTy())); return true;
    default: return false;
    }
}

// Floor division, or its remainder; 0 where the divisor is.
void Translator::divide(const Instr& i, bool remainder) {
    Value* const a = word(i.a);
    Value* const by_zero = b_.CreateICmpEQ(word(i.b), number(0));
    Value* const b = b_.CreateSelect(by_zero, number(1), word(i.b));
    Value* const quotient = b_.CreateSDiv(a, b);
    Value* const rest = b_.CreateSub(a, b_.CreateMul(quotient, b));
    Value* const down = b_.CreateAnd(nonzero(rest), b_.CreateICmpSLT(b_.CreateXor(a, b), number(0)));
    Value* const result = remainder ? b_.CreateAdd(rest, b_.CreateSelect(down, b, number(0)))
                                    : b_.CreateSub(quotient, b_.CreateZExt(down, b_.getInt64Ty()));
    put(i.d, b_.CreateSelect(by_zero, number(0), result));
}

void Translator::word_table(const Instr& i) {
    const auto& table = code_.tables.words[i.c];
    if (table.empty()) return put(i.d, none());
    Value* const row = b_.CreateSub(word(i.a), number(static_cast<std::uint64_t>(std::int64_t{i.imm})));
    const auto at = [&](std::size_t k) { return static_cast<std::uint64_t>(table[k]); };
    const std::uint64_t step = table.size() > 1 ? at(1) - at(0) : 0;
    bool even = true;
    for (std::size_t k = 1; k < table.size(); ++k) even = even && at(k) - at(k - 1) == step;
    if (even) {
        Value* const value = b_.CreateAdd(b_.CreateMul(row, number(step)), number(at(0)));
        return put(i.d, b_.CreateSelect(below(row, table.size()), value, none()));
    }
    std::vector<std::uint64_t> rows(table.begin(), table.end());
    rows.push_back(static_cast<std::uint64_t>(ir::none));
    put(i.d, table_row(std::move(rows), row, 1)[0]);
}

// -- checks

Translator::Value* Translator::call_host(unsigned member, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<Value*, 4> all{host_};
    llvm::SmallVector<llvm::Type*, 4> types{b_.getPtrTy()};
    for (Value* v : arguments) {
        all.push_back(v);
        types.push_back(v->getType());
    }
    // These read the frame, and may change it.
    const bool looks =
        member == host_ask || member == host_record || member == host_draw_record || member == host_undraw;
    if (looks) write_back();
    Value* const at = b_.CreateConstInBoundsGEP1_32(b_.getPtrTy(), host_, member);
    const bool answers = member == host_draw_record || member == host_take_record;
    auto* const type = llvm::FunctionType::get(answers ? b_.getInt32Ty() : b_.getVoidTy(), types, false);
    auto* const call = b_.CreateCall(type, b_.CreateLoad(b_.getPtrTy(), at), all);
    call->setDoesNotThrow();
    if (looks) {
        forget_frame();
        load_words();
    }
    return call;
}

void Translator::fail_if(Value* truth, int kind, std::int32_t place, Value* value) {
    llvm::BasicBlock* const bad = new_block("trouble");
    llvm::BasicBlock* const good = new_block("");
    llvm::MDBuilder weights(b_.getContext());
    b_.CreateCondBr(truth, bad, good, weights.createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(bad);
    call_host(host_check_failed,
              {b_.getInt32(static_cast<std::uint32_t>(kind)), b_.getInt32(static_cast<std::uint32_t>(place)), value});
    leave(run::faulted);
    b_.SetInsertPoint(good);
}

bool Translator::check_instruction(const Instr& i) {
    using CheckFailure = run::Host::CheckFailure;
    const auto range = static_cast<int>(CheckFailure::OutOfRange), twice = static_cast<int>(CheckFailure::DoubleAssign);
    const auto outside = [&](Value* v) {
        return b_.CreateOr(b_.CreateICmpSLT(v, word(i.b)), b_.CreateICmpSGT(v, word(i.c)));
    };
    switch (i.op) {
    case Opcode::CheckDistinct: {
        Value* const a = word(i.a);
        Value* const valid = below(a, static_cast<std::uint64_t>(std::int64_t{i.imm}));
        fail_if(b_.CreateAnd(b_.CreateICmpEQ(a, word(i.b)), valid), twice, i.c, a);
        return true;
    }
    case Opcode::CheckRange: fail_if(outside(word(i.a)), range, i.imm, word(i.a)); return true;
    case Opcode::CheckRangeOrNone: {
        Value* const some = b_.CreateICmpNE(word(i.a), none());
        fail_if(b_.CreateAnd(some, outside(word(i.a))), range, i.imm, word(i.a));
        return true;
    }
    case Opcode::CheckRow:
        for (std::int32_t k = 0; k < i.imm; ++k) {
            Value* const v = word(i.a + static_cast<std::uint32_t>(k));
            fail_if(outside(v), range, i.d, v);
        }
        return true;
    case Opcode::CheckAndSet_1:
    case Opcode::CheckAndSet_M:
    case Opcode::CheckAndSet_N: {
        Value* const place = word(i.a);
        const auto bits = static_cast<std::uint64_t>(i.imm);
        fail_if(member(place, i.d, i.w, bits), twice, i.b, place);
        put_set(i.d, either(set(i.d, i.w), single(place, bits, i.w)));
        return true;
    }
    case Opcode::CheckAndSetAll_1:
    case Opcode::CheckAndSetAll_M:
    case Opcode::CheckAndSetAll_N:
        fail_if(any(both(set(i.d, i.w), set(i.a, i.w))), twice, i.b, number(0));
        put_set(i.d, either(set(i.d, i.w), set(i.a, i.w)));
        return true;
    case Opcode::SetTurn: turn_to(i); return true;
    default: return false;
    }
}

void Translator::turn_to(const Instr& i) {
    Value* const player = word(i.a);
    Value* const some = b_.CreateICmpNE(player, none());
    fail_if(b_.CreateAnd(some, nonzero(word(code_.turned_reg))), static_cast<int>(run::Host::CheckFailure::DoubleTurn),
            0, number(0));
    put(code_.turned_reg, b_.CreateSelect(some, number(static_cast<std::uint64_t>(i.imm)), word(code_.turned_reg)));
    put(code_.turn_reg, b_.CreateSelect(some, player, word(code_.turn_reg)));
}

// -- control

void Translator::leave_if(Value* truth, std::int32_t result, Entry at) {
    llvm::BasicBlock* const way_out = new_block("leave");
    b_.CreateCondBr(truth, way_out, block_at(at + 1));
    b_.SetInsertPoint(way_out);
    leave(result);
}

void Translator::go_if(Value* truth, std::int32_t target, Entry at) {
    b_.CreateCondBr(truth, block_at(static_cast<Entry>(target)), block_at(at + 1));
}

bool Translator::control_instruction(const Instr& i, Entry at) {
    switch (i.op) {
    case Opcode::Jump: b_.CreateBr(block_at(static_cast<Entry>(i.imm))); return true;
    case Opcode::JumpIf: go_if(nonzero(word(i.a)), i.imm, at); return true;
    case Opcode::JumpIfNot: go_if(b_.CreateICmpEQ(word(i.a), number(0)), i.imm, at); return true;
    case Opcode::Return: leave(i.imm); return true;
    case Opcode::ReturnIf: leave_if(nonzero(word(i.a)), i.imm, at); return true;
    case Opcode::ReturnIfAny_1:
    case Opcode::ReturnIfAny_M:
    case Opcode::ReturnIfAny_N: leave_if(any(set(i.a, i.w)), i.imm, at); return true;
    case Opcode::ReturnIfNone_1:
    case Opcode::ReturnIfNone_M:
    case Opcode::ReturnIfNone_N: leave_if(b_.CreateNot(any(set(i.a, i.w))), i.imm, at); return true;
    case Opcode::JumpIfAny_1:
    case Opcode::JumpIfAny_M:
    case Opcode::JumpIfAny_N: go_if(any(set(i.a, i.w)), i.imm, at); return true;
    case Opcode::JumpIfNone_1:
    case Opcode::JumpIfNone_M:
    case Opcode::JumpIfNone_N: go_if(b_.CreateNot(any(set(i.a, i.w))), i.imm, at); return true;
    case Opcode::PopBitOrJump_1:
    case Opcode::PopBitOrJump_M:
    case Opcode::PopBitOrJump_N: next_bit(i, at); return true;
    case Opcode::GrowOrJump_1:
    case Opcode::GrowOrJump_M:
    case Opcode::GrowOrJump_N: {
        const Set before = set(i.d, i.w), added = set(i.a, i.w);
        put_set(i.d, either(before, added));
        go_if(b_.CreateNot(any(without(added, before))), i.imm, at);
        return true;
    }
    case Opcode::Dispatch: {
        auto* unknown = new_block("");
        auto* choice = b_.CreateSwitch(word(i.a), unknown);
        const auto& targets = code_.tables.words[i.c];
        for (std::size_t k = 0; k < targets.size(); ++k)
            choice->addCase(b_.getInt64(k), block_at(static_cast<Entry>(targets[k])));
        b_.SetInsertPoint(unknown);
        b_.CreateUnreachable();
        return true;
    }
    case Opcode::CountDown: count_down(i, at); return true;
    case Opcode::CallHost:
        call_host(host_ask, {frame_, small(i.imm), small(i.d)});
        forget_frame();
        return true;
    case Opcode::SetBetweenMoves: call_host(host_settle, {small(i.imm)}); return true;
    case Opcode::RecordTurn:
        call_host(host_record, {frame_, small(i.imm)});
        forget_frame();
        return true;
    default: return false;
    }
}

void Translator::count_down(const Instr& i, Entry at) {
    Value* const left = word(i.d);
    llvm::BasicBlock* const way_out = new_block("leave");
    llvm::BasicBlock* const go_on = new_block("");
    Value* const less = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_with_overflow, left, number(1));
    b_.CreateCondBr(b_.CreateExtractValue(less, 1), way_out, go_on);
    b_.SetInsertPoint(way_out);
    put(i.d, number(0)); // as it is, but now nobody wants the register it was in
    leave(i.imm);
    b_.SetInsertPoint(go_on);
    put(i.d, b_.CreateExtractValue(less, 0));
    b_.CreateBr(block_at(at + 1));
}

// On the way out with a member, that member is taken off the lowest word that has one.
void Translator::next_bit(const Instr& i, Entry at) {
    const Set words = set(i.d, i.w);
    for (unsigned k = 0; k < i.w; ++k) {
        const bool last = k + 1u == i.w;
        llvm::BasicBlock* const found = new_block("next");
        llvm::BasicBlock* const none_here = last ? block_at(static_cast<Entry>(i.imm)) : new_block("");
        b_.CreateCondBr(nonzero(words[k]), found, none_here);
        b_.SetInsertPoint(found);
        Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, words[k], b_.getTrue());
        put(i.a, b_.CreateAdd(zeros, number(k * 64)));
        put(i.d + k, b_.CreateAnd(words[k], b_.CreateSub(words[k], number(1))));
        b_.CreateBr(block_at(at + 1));
        if (!last) b_.SetInsertPoint(none_here);
    }
}

} // namespace zug::codegen
