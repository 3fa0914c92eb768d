// Checks, jumps and calls of the host.

#include "native/operations/operations.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Operation;
using CheckFailure = run::Host::CheckFailure;

// -- checks

void CheckOps::fail_if(Value* truth, CheckFailure failure, std::int32_t name, llvm::function_ref<Value*()> value) {
    llvm::BasicBlock* const bad = b_.new_block("failed");
    llvm::BasicBlock* const good = b_.new_block("");
    llvm::MDBuilder weights(b_.getContext());
    b_.CreateCondBr(truth, bad, good, weights.createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(bad);
    routine_.call_host(host_check_failed, {b_.getInt32(static_cast<std::uint32_t>(failure)),
                                           b_.getInt32(static_cast<std::uint32_t>(name)), value()});
    routine_.leave(run::faulted);
    b_.SetInsertPoint(good);
}

bool CheckOps::translate(const Instr& i) {
    constexpr CheckFailure range = CheckFailure::OutOfRange;
    const auto outside = [&](Value* v) {
        return b_.CreateOr(b_.CreateICmpSLT(v, regs_.word(i.b)), b_.CreateICmpSGT(v, regs_.word(i.c)));
    };
    switch (run::operation_of(i.op)) {
    case Operation::CheckDistinct: {
        Value* const a = regs_.word(i.a);
        Value* const valid = b_.below(a, static_cast<std::uint64_t>(std::int64_t{i.imm}));
        fail_if(b_.CreateAnd(b_.CreateICmpEQ(a, regs_.word(i.b)), valid), CheckFailure::DoubleAssign, i.c, a);
        return true;
    }
    case Operation::CheckRange: fail_if(outside(regs_.word(i.a)), range, i.imm, regs_.word(i.a)); return true;
    case Operation::CheckRangeOrNone: {
        Value* const some = b_.CreateICmpNE(regs_.word(i.a), b_.none());
        fail_if(b_.CreateAnd(some, outside(regs_.word(i.a))), range, i.imm, regs_.word(i.a));
        return true;
    }
    case Operation::CheckRow:
        for (std::int32_t k = 0; k < i.imm; ++k) {
            Value* const v = regs_.word(i.a + static_cast<std::uint32_t>(k));
            fail_if(outside(v), range, i.d, v);
        }
        return true;
    case Operation::CheckAndSet: check_and_set(i); return true;
    case Operation::CheckAndSetAll: check_and_set_all(i); return true;
    case Operation::SetTurn: set_turn(i); return true;
    default: return false;
    }
}

void CheckOps::check_and_set(const Instr& i) {
    Value* const element = regs_.word(i.a);
    const auto bits = static_cast<std::uint64_t>(i.imm);
    fail_if(regs_.member(element, i.d, i.w, bits), CheckFailure::DoubleAssign, i.b, element);
    if (WideSetOps::is_wide(i)) return wide_.put_on(i.d, element, bits, i.w);
    regs_.put_set(i.d, b_.either(regs_.set(i.d, i.w), regs_.singleton(element, bits, i.w)));
}

void CheckOps::check_and_set_all(const Instr& i) {
    if (WideSetOps::is_wide(i)) {
        fail_if(wide_.any_of_both(i.d, i.a, i.w), CheckFailure::DoubleAssign, i.b, b_.number(0));
        return wide_.join(i.d, i.a, i.w);
    }
    const Set before = regs_.set(i.d, i.w), added = regs_.set(i.a, i.w);
    fail_if(b_.any(b_.both(before, added)), CheckFailure::DoubleAssign, i.b, b_.number(0));
    regs_.put_set(i.d, b_.either(before, added));
}

void CheckOps::set_turn(const Instr& i) {
    Value* const player = regs_.word(i.a);
    Value* const some = b_.CreateICmpNE(player, b_.none());
    fail_if(b_.CreateAnd(some, b_.nonzero(regs_.word(code_.turned_reg))), CheckFailure::DoubleTurn, 0, b_.number(0));
    regs_.put(code_.turned_reg,
              b_.CreateSelect(some, b_.number(static_cast<std::uint64_t>(i.imm)), regs_.word(code_.turned_reg)));
    regs_.put(code_.turn_reg, b_.CreateSelect(some, player, regs_.word(code_.turn_reg)));
}

// -- control

void ControlOps::leave_if(Value* truth, std::int32_t result, Entry at) {
    llvm::BasicBlock* const way_out = b_.new_block("leave");
    b_.CreateCondBr(truth, way_out, routine_.block_at(at + 1));
    b_.SetInsertPoint(way_out);
    routine_.leave(result);
}

void ControlOps::go_if(Value* truth, std::int32_t target, Entry at) {
    b_.CreateCondBr(truth, routine_.block_at(static_cast<Entry>(target)), routine_.block_at(at + 1));
}

bool ControlOps::translate(const Instr& i, Entry at) {
    switch (run::operation_of(i.op)) {
    case Operation::Jump: b_.CreateBr(routine_.block_at(static_cast<Entry>(i.imm))); return true;
    case Operation::JumpIf: go_if(b_.nonzero(regs_.word(i.a)), i.imm, at); return true;
    case Operation::JumpIfNot: go_if(b_.CreateICmpEQ(regs_.word(i.a), b_.number(0)), i.imm, at); return true;
    case Operation::Return: routine_.leave(i.imm); return true;
    case Operation::ReturnIf: leave_if(b_.nonzero(regs_.word(i.a)), i.imm, at); return true;
    case Operation::ReturnIfAny: leave_if(any(i), i.imm, at); return true;
    case Operation::ReturnIfNone: leave_if(b_.CreateNot(any(i)), i.imm, at); return true;
    case Operation::JumpIfAny: go_if(any(i), i.imm, at); return true;
    case Operation::JumpIfNone: go_if(b_.CreateNot(any(i)), i.imm, at); return true;
    case Operation::PopBitOrJump: pop_bit(i, at); return true;
    case Operation::GrowOrJump: grow_or_jump(i, at); return true;
    case Operation::Dispatch: dispatch(i); return true;
    case Operation::CountDown: count_down(i, at); return true;
    default: return call(i);
    }
}

Value* ControlOps::any(const Instr& i) {
    return WideSetOps::is_wide(i) ? wide_.any(i.a, i.w) : b_.any(regs_.set(i.a, i.w));
}

bool ControlOps::call(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::CallHost:
        routine_.call_host(host_ask, {regs_.frame(), b_.small(i.imm), b_.small(i.d)});
        regs_.forget_frame();
        return true;
    case Operation::SetBetweenMoves: routine_.call_host(host_set_between_moves, {b_.small(i.imm)}); return true;
    case Operation::RecordTurn:
        routine_.call_host(host_record, {regs_.frame(), b_.small(i.imm)});
        regs_.forget_frame();
        return true;
    default: return false;
    }
}

void ControlOps::grow_or_jump(const Instr& i, Entry at) {
    if (WideSetOps::is_wide(i)) {
        Value* const fresh = wide_.any_without(i.a, i.d, i.w);
        wide_.join(i.d, i.a, i.w);
        return go_if(b_.CreateNot(fresh), i.imm, at);
    }
    const Set before = regs_.set(i.d, i.w), added = regs_.set(i.a, i.w);
    regs_.put_set(i.d, b_.either(before, added));
    go_if(b_.CreateNot(b_.any(b_.without(added, before))), i.imm, at);
}

void ControlOps::dispatch(const Instr& i) {
    auto* unknown = b_.new_block("");
    auto* choice = b_.CreateSwitch(regs_.word(i.a), unknown);
    const auto& targets = code_.tables.words[i.c];
    for (std::size_t k = 0; k < targets.size(); ++k)
        choice->addCase(b_.getInt64(k), routine_.block_at(static_cast<Entry>(targets[k])));
    b_.SetInsertPoint(unknown);
    b_.CreateUnreachable();
}

void ControlOps::count_down(const Instr& i, Entry at) {
    Value* const left = regs_.word(i.d);
    llvm::BasicBlock* const way_out = b_.new_block("leave");
    llvm::BasicBlock* const go_on = b_.new_block("");
    Value* const less = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_with_overflow, left, b_.number(1));
    b_.CreateCondBr(b_.CreateExtractValue(less, 1), way_out, go_on);
    b_.SetInsertPoint(way_out);
    regs_.put(i.d, b_.number(0)); // it is 0 already; a constant needs no register kept alive
    routine_.leave(i.imm);
    b_.SetInsertPoint(go_on);
    regs_.put(i.d, b_.CreateExtractValue(less, 0));
    b_.CreateBr(routine_.block_at(at + 1));
}

// One word after the other. Where a member is found, it is removed on the edge to the loop's body.
void ControlOps::pop_bit(const Instr& i, Entry at) {
    if (WideSetOps::is_wide(i)) return pop_bit_of_wide(i, at);
    const Set words = regs_.set(i.d, i.w);
    for (unsigned k = 0; k < i.w; ++k) {
        const bool last = k + 1u == i.w;
        llvm::BasicBlock* const found = b_.new_block("next");
        llvm::BasicBlock* const none_here = last ? routine_.block_at(static_cast<Entry>(i.imm)) : b_.new_block("");
        b_.CreateCondBr(b_.nonzero(words[k]), found, none_here);
        b_.SetInsertPoint(found);
        Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, words[k], b_.getTrue());
        regs_.put(i.a, b_.CreateAdd(zeros, b_.number(k * 64)));
        regs_.put(i.d + k, b_.CreateAnd(words[k], b_.CreateSub(words[k], b_.number(1))));
        b_.CreateBr(routine_.block_at(at + 1));
        if (!last) b_.SetInsertPoint(none_here);
    }
}

void ControlOps::pop_bit_of_wide(const Instr& i, Entry at) {
    const WideSetOps::First first = wide_.first(i.d, i.w);
    llvm::BasicBlock* const found = b_.new_block("next");
    b_.CreateCondBr(b_.nonzero(first.word), found, routine_.block_at(static_cast<Entry>(i.imm)));
    b_.SetInsertPoint(found);
    regs_.put(i.a, first.member);
    b_.CreateStore(b_.CreateAnd(first.word, b_.CreateSub(first.word, b_.number(1))), first.address);
    regs_.forget(i.d, i.w);
    b_.CreateBr(routine_.block_at(at + 1));
}

} // namespace zug::codegen
