// Records, and drawing from sets and records.

#include "codegen/host_members.hpp"
#include "codegen/translator.hpp"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>

#include <set>

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Opcode;

// The address of a member of run::Records.
Translator::Value* Translator::records_word(unsigned member) {
    Value* const at = b_.CreateConstInBoundsGEP1_32(b_.getPtrTy(), host_, host_records);
    Value* const records = b_.CreateLoad(b_.getPtrTy(), at);
    return b_.CreateConstInBoundsGEP1_32(b_.getInt64Ty(), records, member);
}

bool Translator::draw_instruction(const Instr& i, Entry at) {
    if (is_op(i, "Draw")) {
        draw(i, at);
    } else if (is_op(i, "Undraw")) {
        call_host(host_undraw, {frame_, small(i.d), small(i.imm)});
        forget_frame();
    } else if (is_op(i, "Emit")) {
        emit_record(i);
    } else if (i.op == Opcode::EmitNone) {
        Value* const first = b_.CreateLoad(b_.getPtrTy(), records_word(records_words));
        b_.CreateStore(first, records_word(records_next));
        b_.CreateStore(number(0), records_word(records_total));
    } else {
        return false;
    }
    return true;
}

void Translator::emit_record(const Instr& i) {
    const run::RecordShape& shape = code_.shapes[static_cast<std::size_t>(i.imm)];
    const Set members = set(i.a, i.w);
    std::vector<Value*> words;
    for (const run::Reg kept : shape.kept) words.push_back(word(kept));
    words.insert(words.end(), members.begin(), members.end());
    const auto length = static_cast<std::int64_t>(words.size()) + 1;
    llvm::BasicBlock* const some = new_block("some");
    llvm::BasicBlock* const full = new_block("full");
    llvm::BasicBlock* const room = new_block("room");
    llvm::BasicBlock* const done = new_block("");
    const auto next = [&] { return b_.CreateLoad(b_.getInt64Ty(), records_word(records_next)); };
    llvm::MDBuilder weights(b_.getContext());
    b_.CreateCondBr(any(members), some, done);
    b_.SetInsertPoint(some);
    Value* const left = b_.CreateSub(b_.CreateLoad(b_.getInt64Ty(), records_word(records_limit)), next());
    b_.CreateCondBr(b_.CreateICmpULT(left, number(static_cast<std::uint64_t>(length) * 8)), full, room,
                    weights.createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(full);
    call_host(host_grow_records, {small(length)});
    b_.CreateBr(room);
    b_.SetInsertPoint(room);
    Value* const to = b_.CreateLoad(b_.getPtrTy(), records_word(records_next));
    Value* const total = count(members);
    const auto place = [&](std::int64_t n) {
        return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), to, static_cast<std::uint64_t>(n));
    };
    b_.CreateStore(b_.CreateOr(b_.CreateShl(total, number(32)), number(static_cast<std::uint32_t>(i.imm))), place(0));
    for (std::size_t k = 0; k < words.size(); ++k) b_.CreateStore(words[k], place(static_cast<std::int64_t>(k) + 1));
    b_.CreateStore(place(length), records_word(records_next));
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), records_word(records_total)), total),
                   records_word(records_total));
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
}

// As zug::Random has it.
Translator::Value* Translator::next_random(std::uint32_t generator) {
    const auto rotated = [&](Value* v, std::uint64_t n) {
        return b_.CreateIntrinsic(llvm::Intrinsic::fshl, {b_.getInt64Ty()}, {v, v, number(n)});
    };
    Set s = set(generator, 4);
    Value* const result = b_.CreateMul(rotated(b_.CreateMul(s[1], number(5)), 7), number(9));
    Value* const shifted = b_.CreateShl(s[1], number(17));
    s[2] = b_.CreateXor(s[2], s[0]);
    s[3] = b_.CreateXor(s[3], s[1]);
    s[1] = b_.CreateXor(s[1], s[2]);
    s[0] = b_.CreateXor(s[0], s[3]);
    s[2] = b_.CreateXor(s[2], shifted);
    s[3] = rotated(s[3], 45);
    put_set(generator, s);
    return result;
}

// Uniform below `limit`: a product that is doubtful, which is rare, is drawn again.
Translator::Value* Translator::random_below(std::uint32_t generator, Value* limit) {
    const auto product = [&] { return b_.CreateMul(b_.CreateLShr(next_random(generator), number(32)), limit); };
    const auto low = [&](Value* p) { return b_.CreateAnd(p, number(UINT32_MAX)); };
    Value* const first = product();
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    llvm::BasicBlock* const doubtful = new_block("doubtful");
    llvm::BasicBlock* const check = new_block("");
    llvm::BasicBlock* const again = new_block("again");
    llvm::BasicBlock* const done = new_block("");
    llvm::MDBuilder weights(b_.getContext());
    b_.CreateCondBr(b_.CreateICmpULT(low(first), limit), doubtful, done, weights.createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(doubtful);
    // 2^32 mod limit.
    Value* const threshold = b_.CreateURem(low(b_.CreateNeg(limit)), limit);
    b_.CreateBr(check);
    b_.SetInsertPoint(check);
    llvm::PHINode* const candidate = b_.CreatePHI(b_.getInt64Ty(), 2);
    candidate->addIncoming(first, doubtful);
    b_.CreateCondBr(b_.CreateICmpULT(low(candidate), threshold), again, done);
    b_.SetInsertPoint(again);
    forget(generator, 4);
    candidate->addIncoming(product(), again);
    forget(generator, 4);
    b_.CreateBr(check);
    b_.SetInsertPoint(done);
    llvm::PHINode* const result = b_.CreatePHI(b_.getInt64Ty(), 2);
    result->addIncoming(first, before);
    result->addIncoming(candidate, check);
    return b_.CreateLShr(result, number(32));
}

// The position of member n, counted from 0.
Translator::Value* Translator::nth_bit(Value* word, Value* n) {
    Value* found = nullptr;
    if (tables_.deposits()) {
        found = b_.CreateIntrinsic(llvm::Intrinsic::x86_bmi_pdep_64, {}, {b_.CreateShl(number(1), n), word});
    } else {
        Set carried{word, n};
        phi_loop(carried, [&](Set& c) {
            Value* const more = nonzero(c[1]);
            c[0] = b_.CreateSelect(more, b_.CreateAnd(c[0], b_.CreateSub(c[0], number(1))), c[0]);
            c[1] = b_.CreateSelect(more, b_.CreateSub(c[1], number(1)), c[1]);
            return more;
        });
        found = carried[0];
    }
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, found, b_.getTrue());
}

void Translator::draw(const Instr& i, Entry at) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    llvm::SmallVector<Value*, 16> members;
    Value* total = number(0);
    for (const auto& part : drawing.parts) {
        members.push_back(count(set(part.set, part.words)));
        if (part.weight != 0) members.back() = b_.CreateMul(members.back(), set(part.weight, 1)[0]);
        total = b_.CreateAdd(total, members.back());
    }
    if (drawing.records) total = b_.CreateAdd(total, b_.CreateLoad(b_.getInt64Ty(), records_word(records_total)));
    llvm::BasicBlock* const some = new_block("draw");
    b_.CreateCondBr(nonzero(total), some, block_at(at + 1));
    b_.SetInsertPoint(some);
    Value* left = random_below(i.a, total);
    for (std::size_t p = 0; p < drawing.parts.size(); ++p) {
        if (p + 1 == drawing.parts.size() && !drawing.records) return drawn_from(i, drawing, p, left);
        llvm::BasicBlock* const here = new_block("drawn");
        llvm::BasicBlock* const further = new_block("");
        b_.CreateCondBr(b_.CreateICmpULT(left, members[p]), here, further);
        b_.SetInsertPoint(here);
        const auto remembered = remembered_;
        drawn_from(i, drawing, p, left);
        remembered_ = remembered;
        b_.SetInsertPoint(further);
        left = b_.CreateSub(left, members[p]);
    }
    if (drawing.records) return draw_record(i, left, block_at(at + 1));
    b_.CreateUnreachable(); // nothing to draw from: the total was 0
}

// Goes on with member `left` of a set: the word that it is in, and its rank there.
void Translator::drawn_from(const Instr& i, const run::Drawing& drawing, std::size_t p, Value* left) {
    const auto& part = drawing.parts[p];
    const Set words = set(part.set, part.words);
    if (part.weight != 0) left = b_.CreateUDiv(left, set(part.weight, 1)[0]);
    Value* word_there = words[0];
    Value* rank = left;
    Value* first = number(0);
    Value* passed = number(0);
    for (unsigned k = 1; k < words.size(); ++k) {
        passed = b_.CreateAdd(passed, count({words[k - 1]}));
        Value* const beyond = b_.CreateICmpUGE(left, passed);
        word_there = b_.CreateSelect(beyond, words[k], word_there);
        rank = b_.CreateSelect(beyond, b_.CreateSub(left, passed), rank);
        first = b_.CreateSelect(beyond, number(k * 64), first);
    }
    put(i.d, number(drawing.first + p));
    put(i.d + 1U, b_.CreateAdd(first, nth_bit(word_there, rank)));
    b_.CreateBr(block_at(part.target));
}

void Translator::draw_record(const Instr& i, Value* left, llvm::BasicBlock* nowhere) {
    Value* const target = call_host(host_draw_record, {frame_, small(i.d), b_.CreateTrunc(left, b_.getInt32Ty())});
    auto* choice = b_.CreateSwitch(target, nowhere);
    std::set<Entry> targets;
    for (const auto& shape : code_.shapes)
        if (shape.target != 0) targets.insert(shape.target);
    for (const Entry t : targets) choice->addCase(b_.getInt32(t), block_at(t));
}

} // namespace zug::codegen
