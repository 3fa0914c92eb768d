// Records, and choosing among them.

#include "native/operations/operations.hpp"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <set>
#include <vector>

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Operation;

bool RecordOps::translate(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::EmitRecord: emit(i); return true;
    case Operation::ClearRecords: clear(); return true;
    default: return false;
    }
}

void RecordOps::clear() {
    Value* const first = b_.CreateLoad(b_.getPtrTy(), routine_.records_word(records_words));
    b_.CreateStore(first, routine_.records_word(records_next));
    b_.CreateStore(b_.number(0), routine_.records_word(records_total));
    b_.CreateStore(b_.number(0), routine_.records_word(records_taken));
}

void RecordOps::emit(const Instr& i) {
    const run::RecordShape& shape = code_.shapes[static_cast<std::size_t>(i.imm)];
    const Set members = regs_.set(i.a, i.w);
    std::vector<Value*> words;
    for (const run::Reg kept : shape.kept) words.push_back(regs_.word(kept));
    words.insert(words.end(), members.begin(), members.end());
    const auto length = static_cast<std::int64_t>(words.size()) + 1;
    llvm::BasicBlock* const some = b_.new_block("some");
    llvm::BasicBlock* const full = b_.new_block("full");
    llvm::BasicBlock* const room = b_.new_block("room");
    llvm::BasicBlock* const done = b_.new_block("");
    const auto next = [&] { return b_.CreateLoad(b_.getInt64Ty(), routine_.records_word(records_next)); };
    llvm::MDBuilder weights(b_.getContext());
    b_.CreateCondBr(b_.any(members), some, done);
    b_.SetInsertPoint(some);
    Value* const left = b_.CreateSub(b_.CreateLoad(b_.getInt64Ty(), routine_.records_word(records_limit)), next());
    b_.CreateCondBr(b_.CreateICmpULT(left, b_.number(static_cast<std::uint64_t>(length) * 8)), full, room,
                    weights.createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(full);
    routine_.call_host(host_grow_records, {b_.small(length)});
    b_.CreateBr(room);
    b_.SetInsertPoint(room);
    Value* const to = b_.CreateLoad(b_.getPtrTy(), routine_.records_word(records_next));
    Value* const total = b_.count(members);
    const auto word_at = [&](std::int64_t n) {
        return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), to, static_cast<std::uint64_t>(n));
    };
    b_.CreateStore(b_.CreateOr(b_.CreateShl(total, b_.number(32)), b_.number(static_cast<std::uint32_t>(i.imm))),
                   word_at(0));
    for (std::size_t k = 0; k < words.size(); ++k) b_.CreateStore(words[k], word_at(static_cast<std::int64_t>(k) + 1));
    b_.CreateStore(word_at(length), routine_.records_word(records_next));
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), routine_.records_word(records_total)), total),
                   routine_.records_word(records_total));
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
}

void RecordOps::draw(const Instr& i, Value* number, llvm::BasicBlock* nowhere) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    Value* const first = b_.CreateLoad(b_.getPtrTy(), routine_.records_word(records_words));
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    llvm::BasicBlock* const look = b_.new_block("record");
    llvm::BasicBlock* const further = b_.new_block("");
    llvm::BasicBlock* const found = b_.new_block("");
    b_.CreateBr(look);
    b_.SetInsertPoint(look);
    llvm::PHINode* const record = b_.CreatePHI(b_.getPtrTy(), 2);
    llvm::PHINode* const left = b_.CreatePHI(b_.getInt64Ty(), 2);
    record->addIncoming(first, before);
    left->addIncoming(number, before);
    Value* const header = b_.CreateLoad(b_.getInt64Ty(), record);
    Value* const members = b_.CreateLShr(header, b_.number(32));
    b_.CreateCondBr(b_.CreateICmpULT(left, members), found, further);
    b_.SetInsertPoint(further);
    record->addIncoming(b_.CreateGEP(b_.getInt64Ty(), record, length_of(header, drawing)), further);
    left->addIncoming(b_.CreateSub(left, members), further);
    b_.CreateBr(look);
    b_.SetInsertPoint(found);
    Value* const offset = b_.CreatePtrDiff(b_.getInt64Ty(), record, first);
    auto* const shapes = b_.CreateSwitch(b_.CreateTrunc(header, b_.getInt32Ty()), nowhere);
    for (std::uint32_t s = drawing.first_shape; s < drawing.last_shape; ++s) {
        llvm::BasicBlock* const here = b_.new_block("drawn");
        shapes->addCase(b_.getInt32(s), here);
        b_.SetInsertPoint(here);
        draw_of_shape(i, code_.shapes[s], {.address = record, .offset = offset}, left);
    }
}

// The words of a record, by its header.
Value* RecordOps::length_of(Value* header, const run::Drawing& drawing) {
    std::vector<std::uint64_t> lengths;
    for (std::uint32_t s = drawing.first_shape; s < drawing.last_shape; ++s)
        lengths.push_back(1 + code_.shapes[s].kept.size() + code_.shapes[s].words);
    if (std::ranges::all_of(lengths, [&](std::uint64_t l) { return l == lengths[0]; })) return b_.number(lengths[0]);
    Value* const shape = b_.CreateAnd(header, b_.number(UINT32_MAX));
    return b_.table_row(lengths, b_.CreateSub(shape, b_.number(drawing.first_shape)), 1)[0];
}

void RecordOps::draw_of_shape(const Instr& i, const run::RecordShape& shape, const Record& record, Value* number) {
    Set members;
    for (std::size_t k = 0; k < shape.words; ++k)
        members.push_back(b_.CreateLoad(b_.getInt64Ty(), word_at(record, 1 + shape.kept.size() + k)));
    continue_with(i, shape, record, b_.nth_member(members, number));
}

void RecordOps::continue_with(const Instr& i, const run::RecordShape& shape, const Record& record,
                              const CodeBuilder::Member& member) {
    const auto remembered = regs_.remembered();
    regs_.put(i.d, b_.CreateOr(record.offset, b_.number(run::from_record)));
    regs_.put_member(i.d + 1U, member.element, member.bits);
    for (std::size_t n = 0; n < shape.kept.size(); ++n)
        regs_.put(shape.kept[n], b_.CreateLoad(b_.getInt64Ty(), word_at(record, 1 + n)));
    b_.CreateBr(routine_.block_at(shape.target));
    regs_.restore(remembered);
}

void RecordOps::take_first(const Instr& i, llvm::BasicBlock* nowhere) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    if (std::all_of(code_.shapes.begin() + drawing.first_shape, code_.shapes.begin() + drawing.last_shape,
                    [](const run::RecordShape& shape) { return shape.words == 1; }))
        take_narrow(i, nowhere);
    else
        continue_at(routine_.call_host(host_take_record, {regs_.frame(), b_.small(i.d)}), drawing, nowhere);
}

// run::take_record (bytecode/vm_draw_ops.hpp) for records with sets of one word: records whose set is empty are
// skipped.
void RecordOps::take_narrow(const Instr& i, llvm::BasicBlock* nowhere) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    llvm::BasicBlock* const look = b_.new_block("record");
    llvm::BasicBlock* const found = b_.new_block("");
    b_.CreateBr(look);
    b_.SetInsertPoint(look);
    Value* const taken = b_.CreateLoad(b_.getInt64Ty(), routine_.records_word(records_taken));
    Value* const record =
        b_.CreateGEP(b_.getInt64Ty(), b_.CreateLoad(b_.getPtrTy(), routine_.records_word(records_words)), taken);
    Value* const end = b_.CreateLoad(b_.getPtrTy(), routine_.records_word(records_next));
    b_.CreateCondBr(b_.CreateICmpEQ(record, end), nowhere, found);
    b_.SetInsertPoint(found);
    auto* const shapes = b_.CreateSwitch(b_.CreateLoad(b_.getInt32Ty(), record), nowhere);
    for (std::uint32_t s = drawing.first_shape; s < drawing.last_shape; ++s) {
        llvm::BasicBlock* const here = b_.new_block("taken");
        shapes->addCase(b_.getInt32(s), here);
        b_.SetInsertPoint(here);
        take_of_shape(i, code_.shapes[s], {.address = record, .offset = taken}, look);
    }
}

void RecordOps::take_of_shape(const Instr& i, const run::RecordShape& shape, const Record& record,
                              llvm::BasicBlock* look) {
    llvm::BasicBlock* const some = b_.new_block("");
    llvm::BasicBlock* const further = b_.new_block("");
    const std::size_t at_set = 1 + shape.kept.size();
    Value* const left = b_.CreateLoad(b_.getInt64Ty(), word_at(record, at_set));
    b_.CreateCondBr(b_.nonzero(left), some, further);
    b_.SetInsertPoint(further);
    b_.CreateStore(b_.CreateAdd(record.offset, b_.number(at_set + 1)), routine_.records_word(records_taken));
    b_.CreateBr(look);
    b_.SetInsertPoint(some);
    b_.CreateStore(b_.CreateAnd(left, b_.CreateSub(left, b_.number(1))), word_at(record, at_set));
    continue_with(i, shape, record, {b_.lowest_member({left}), b_.CreateAnd(left, b_.CreateNeg(left))});
}

// A jump to the instruction that the host has answered.
void RecordOps::continue_at(Value* target, const run::Drawing& drawing, llvm::BasicBlock* nowhere) {
    auto* choice = b_.CreateSwitch(target, nowhere);
    std::set<Entry> targets;
    for (std::uint32_t s = drawing.first_shape; s < drawing.last_shape; ++s) targets.insert(code_.shapes[s].target);
    for (const Entry t : targets) choice->addCase(b_.getInt32(t), routine_.block_at(t));
}

} // namespace zug::codegen
