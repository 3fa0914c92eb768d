// Records, and drawing from sets and records.

#include "native/llvm/host_members.hpp"
#include "native/llvm/translator.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
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
    } else if (is_op(i, "TakeFirst")) {
        take(i, at);
    } else if (is_op(i, "Undraw")) {
        call_host(host_undraw, {frame_, small(i.d), small(i.imm)});
        forget_frame();
    } else if (is_op(i, "EmitRecord")) {
        emit_record(i);
    } else if (i.op == Opcode::ClearRecords) {
        Value* const first = b_.CreateLoad(b_.getPtrTy(), records_word(records_words));
        b_.CreateStore(first, records_word(records_next));
        b_.CreateStore(number(0), records_word(records_total));
        b_.CreateStore(number(0), records_word(records_taken));
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
Translator::Value* Translator::next_random(llvm::IRBuilder<>& b, Set& s) {
    auto* const type = b.getInt64Ty();
    const auto rotated = [&](Value* v, std::uint64_t n) {
        return b.CreateIntrinsic(llvm::Intrinsic::fshl, {type}, {v, v, b.getInt64(n)});
    };
    Value* const result = b.CreateMul(rotated(b.CreateMul(s[1], b.getInt64(5)), 7), b.getInt64(9));
    Value* const shifted = b.CreateShl(s[1], b.getInt64(17));
    s[2] = b.CreateXor(s[2], s[0]);
    s[3] = b.CreateXor(s[3], s[1]);
    s[1] = b.CreateXor(s[1], s[2]);
    s[0] = b.CreateXor(s[0], s[3]);
    s[2] = b.CreateXor(s[2], shifted);
    s[3] = rotated(s[3], 45);
    return b.CreateLShr(result, b.getInt64(32));
}

// A function (generator, limit, product) that gives the product if there is nothing wrong with it after all, or that of
// another draw. So rare that it is better kept out of the way.
llvm::Function* Tables::redraw() {
    if (redraw_ != nullptr) return redraw_;
    llvm::IRBuilder<> b(module_.getContext());
    auto* const word = b.getInt64Ty();
    auto* const type = llvm::FunctionType::get(word, {b.getPtrTy(), word, word}, false);
    redraw_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "redraw", module_);
    redraw_->setCallingConv(llvm::CallingConv::PreserveMost);
    redraw_->addFnAttr(llvm::Attribute::NoInline);
    redraw_->addFnAttr(llvm::Attribute::Cold);
    redraw_->setDoesNotThrow();
    llvm::Value *const generator = redraw_->getArg(0), *const limit = redraw_->getArg(1);
    const auto block = [&] { return llvm::BasicBlock::Create(module_.getContext(), "", redraw_); };
    const auto low = [&](llvm::Value* v) { return b.CreateAnd(v, b.getInt64(UINT32_MAX)); };
    llvm::BasicBlock *const entry = block(), *const check = block(), *const again = block(), *const done = block();
    b.SetInsertPoint(entry);
    llvm::Value* const threshold = b.CreateURem(low(b.CreateNeg(limit)), limit); // 2^32 mod limit
    b.CreateBr(check);
    b.SetInsertPoint(check);
    llvm::PHINode* const product = b.CreatePHI(word, 2);
    product->addIncoming(redraw_->getArg(2), entry);
    b.CreateCondBr(b.CreateICmpULT(low(product), threshold), again, done);
    b.SetInsertPoint(again);
    const auto at = [&](unsigned k) { return b.CreateConstInBoundsGEP1_64(word, generator, k); };
    Translator::Set state;
    for (unsigned k = 0; k < 4; ++k) state.push_back(b.CreateLoad(word, at(k)));
    product->addIncoming(b.CreateMul(Translator::next_random(b, state), limit), again);
    for (unsigned k = 0; k < 4; ++k) b.CreateStore(state[k], at(k));
    b.CreateBr(check);
    b.SetInsertPoint(done);
    b.CreateRet(product);
    return redraw_;
}

Translator::Value* Translator::guess_slot(llvm::AllocaInst*& slot) {
    if (slot == nullptr) {
        slot = new llvm::AllocaInst(b_.getInt64Ty(), 0, "", entry_);
        new llvm::StoreInst(number(0), slot, entry_);
    }
    return slot;
}

// Where the numbers of moves stay or fall, most are there when a game begins.
void Translator::guess_anew() {
    if (tables_.request().trend != native::no_trend)
        b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), guess_slot(most_)), guess_slot(expected_));
}

// The limit as the trend has it, so that what is drawn needn't wait for the moves to be counted: a processor foretells
// the branch. The optimiser must not find out that the two are equal behind it.
Translator::Value* Translator::guessed(Value* limit) {
    auto* const type = llvm::FunctionType::get(b_.getInt64Ty(), {b_.getInt64Ty()}, false);
    const auto opaque = [&](Value* v) {
        return b_.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", true), {v});
    };
    Value* const guess = b_.CreateLoad(b_.getInt64Ty(), guess_slot(expected_));
    Value* const found = opaque(limit);
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    llvm::BasicBlock* const wrong = new_block("wrong");
    llvm::BasicBlock* const right = new_block("");
    llvm::MDBuilder weights(b_.getContext());
    b_.CreateCondBr(b_.CreateICmpNE(found, guess), wrong, right, weights.createBranchWeights(1, 1000));
    b_.SetInsertPoint(wrong);
    Value* const counted = opaque(found);
    Value* const most = b_.CreateLoad(b_.getInt64Ty(), guess_slot(most_));
    b_.CreateStore(b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, most, counted), guess_slot(most_));
    b_.CreateBr(right);
    b_.SetInsertPoint(right);
    llvm::PHINode* const result = b_.CreatePHI(b_.getInt64Ty(), 2);
    result->addIncoming(guess, before);
    result->addIncoming(counted, wrong);
    const auto trend = static_cast<std::uint64_t>(std::int64_t{tables_.request().trend});
    b_.CreateStore(b_.CreateAdd(result, number(trend)), guess_slot(expected_));
    return result;
}

// Uniform below `limit`: a product that is doubtful, which is rare, may have to be drawn again.
Translator::Value* Translator::random_below(std::uint32_t generator, Value* limit) {
    if (tables_.request().trend != native::no_trend) limit = guessed(limit);
    Set state = set(generator, 4);
    Value* const first = b_.CreateMul(next_random(b_, state), limit);
    put_set(generator, state);
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    llvm::BasicBlock* const doubtful = new_block("doubtful");
    llvm::BasicBlock* const done = new_block("");
    llvm::MDBuilder weights(b_.getContext());
    const auto low = [&](Value* v) { return b_.CreateTrunc(v, b_.getInt32Ty()); };
    b_.CreateCondBr(b_.CreateICmpULT(low(first), low(limit)), doubtful, done, weights.createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(doubtful);
    for (unsigned k = 0; k < 4; ++k) b_.CreateStore(state[k], address(generator + k));
    llvm::CallInst* const again = b_.CreateCall(tables_.redraw(), {address(generator), limit, first});
    again->setCallingConv(llvm::CallingConv::PreserveMost);
    for (unsigned k = 0; k < 4; ++k) state[k] = b_.CreateLoad(b_.getInt64Ty(), address(generator + k));
    put_set(generator, state);
    forget(generator, 4);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    llvm::PHINode* const result = b_.CreatePHI(b_.getInt64Ty(), 2);
    result->addIncoming(first, before);
    result->addIncoming(again, doubtful);
    return b_.CreateLShr(result, number(32));
}

// Member n of a word, counted from 0, as a word with that bit.
Translator::Value* Translator::nth_member(Value* word, Value* n) {
    if (tables_.deposits())
        return b_.CreateIntrinsic(llvm::Intrinsic::x86_bmi_pdep_64, {}, {b_.CreateShl(number(1), n), word});
    Set carried{word, n};
    phi_loop(carried, [&](Set& c) {
        Value* const more = nonzero(c[1]);
        c[0] = b_.CreateSelect(more, b_.CreateAnd(c[0], b_.CreateSub(c[0], number(1))), c[0]);
        c[1] = b_.CreateSelect(more, b_.CreateSub(c[1], number(1)), c[1]);
        return more;
    });
    return b_.CreateAnd(carried[0], b_.CreateNeg(carried[0]));
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
    if (drawing.records()) total = b_.CreateAdd(total, b_.CreateLoad(b_.getInt64Ty(), records_word(records_total)));
    llvm::BasicBlock* const some = new_block("draw");
    b_.CreateCondBr(nonzero(total), some, block_at(at + 1));
    b_.SetInsertPoint(some);
    Value* left = random_below(i.a, total);
    const auto elsewhere = [&](const auto& part) {
        return part.target != drawing.parts[0].target || part.words != 1 || part.weight != 0;
    };
    if (!drawing.records() && std::ranges::none_of(drawing.parts, elsewhere))
        return drawn_from_all(i, drawing, members, left);
    for (std::size_t p = 0; p < drawing.parts.size(); ++p) {
        if (p + 1 == drawing.parts.size() && !drawing.records()) return drawn_from(i, drawing, p, left);
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
    if (drawing.records()) return draw_record(i, left, block_at(at + 1));
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
    Value* const bit = nth_member(word_there, rank);
    Value* const place = b_.CreateAdd(first, position({bit}));
    go_on(i, drawing, p, place, b_.CreateSelect(b_.CreateICmpEQ(first, number(0)), bit, number(0)));
}

// Goes on with a member of a set, and with what goes with it. `bit`: as a word with that bit, if it is below 64.
void Translator::go_on(const Instr& i, const run::Drawing& drawing, std::size_t p, Value* place, Value* bit) {
    const auto& part = drawing.parts[p];
    put(i.d, number(drawing.first + p));
    put_member(i.d + 1U, place, bit);
    for (const auto& given : part.given) {
        Value* value = number(static_cast<std::uint64_t>(given.number));
        if (given.from_member) value = b_.CreateAdd(place, value);
        put_member(given.reg, value, single(value, 64, 1)[0]);
    }
    b_.CreateBr(block_at(part.target));
}

// The same where the code that goes on is the same for all sets, each of one word: without a branch, since no one can
// foretell which set it is.
void Translator::drawn_from_all(const Instr& i, const run::Drawing& drawing, llvm::ArrayRef<Value*> members,
                                Value* left) {
    const auto& parts = drawing.parts;
    llvm::SmallVector<Value*, 8> beyond; // the sets up to each but the last
    Value* word_there = word(parts[0].set);
    Value* before = number(0);
    Value* passed = number(0);
    Value* p = number(drawing.first);
    for (std::size_t k = 1; k < parts.size(); ++k) {
        passed = b_.CreateAdd(passed, members[k - 1]);
        beyond.push_back(b_.CreateICmpUGE(left, passed));
        word_there = b_.CreateSelect(beyond.back(), word(parts[k].set), word_there);
        before = b_.CreateSelect(beyond.back(), passed, before);
        p = b_.CreateAdd(p, b_.CreateZExt(beyond.back(), b_.getInt64Ty()));
    }
    Value* const bit = nth_member(word_there, b_.CreateSub(left, before));
    Value* const place = position({bit});
    put(i.d, p);
    put_member(i.d + 1U, place, bit);
    give(drawing, beyond, place, bit);
    b_.CreateBr(block_at(parts[0].target));
}

// Sets the registers that go with the member.
void Translator::give(const run::Drawing& drawing, llvm::ArrayRef<Value*> beyond, Value* place, Value* bits) {
    const auto& parts = drawing.parts;
    for (std::size_t g = 0; g < parts[0].given.size(); ++g) {
        llvm::SmallVector<std::int64_t, 8> numbers;
        for (const auto& part : parts) numbers.push_back(part.given[g].number);
        const std::uint32_t reg = parts[0].given[g].reg;
        Value* const value = chosen_number(numbers, beyond);
        if (!parts[0].given[g].from_member) {
            put_member(reg, value, single(value, 64, 1)[0]);
            continue;
        }
        // What is given lies on the board, so no bit falls out of the word.
        Value* const by = b_.CreateAnd(value, number(63));
        const bool up = std::ranges::all_of(numbers, [](std::int64_t n) { return n >= 0; });
        const bool down = std::ranges::all_of(numbers, [](std::int64_t n) { return n <= 0; });
        Value* const to = up     ? b_.CreateShl(bits, by)
                          : down ? b_.CreateLShr(bits, b_.CreateAnd(b_.CreateNeg(value), number(63)))
                                 : b_.CreateIntrinsic(llvm::Intrinsic::fshl, {b_.getInt64Ty()}, {bits, bits, by});
        put_member(reg, b_.CreateAdd(place, value), to);
    }
}

// The number of the set that was drawn from.
Translator::Value* Translator::chosen_number(llvm::ArrayRef<std::int64_t> numbers, llvm::ArrayRef<Value*> beyond) {
    const auto constant = [&](std::size_t k) { return number(static_cast<std::uint64_t>(numbers[k])); };
    Value* result = constant(0);
    for (std::size_t k = 1; k < numbers.size(); ++k) result = b_.CreateSelect(beyond[k - 1], constant(k), result);
    return result;
}

// A choice by the number of the first set that is not empty, all sets being looked at together; null: they are few, or
// don't lie in a row.
llvm::SwitchInst* Translator::first_with_members(std::uint32_t memory, const run::Drawing& drawing,
                                                 llvm::BasicBlock* none) {
    constexpr std::size_t worth_a_vector = 8, most = 63;
    const auto count = static_cast<unsigned>(drawing.parts.size());
    if (!tables_.vectors() || count < worth_a_vector || count > most) return nullptr;
    for (std::size_t p = 0; p < count; ++p)
        if (drawing.parts[p].words != 1 || drawing.parts[p].set != drawing.parts[0].set + p) return nullptr;
    auto* const type = llvm::FixedVectorType::get(b_.getInt64Ty(), count);
    Value* const sets = b_.CreateAlignedLoad(type, memory_at(memory, drawing.parts[0].set), llvm::Align(8));
    Value* const some = b_.CreateICmpNE(sets, llvm::Constant::getNullValue(type));
    Value* const bits = b_.CreateZExt(b_.CreateBitCast(some, b_.getIntNTy(count)), b_.getInt64Ty());
    Value* const past = b_.CreateOr(bits, number(std::uint64_t{1} << count));
    return b_.CreateSwitch(b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, past, b_.getTrue()), none, count);
}

// The first member of the sets, which lie in memory.
void Translator::take(const Instr& i, Entry at) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    const std::uint32_t memory = i.a;
    llvm::BasicBlock* const further = new_block("");
    llvm::SwitchInst* const choice = first_with_members(memory, drawing, further);
    for (std::size_t p = 0; p < drawing.parts.size(); ++p)
        for (unsigned k = 0; k < drawing.parts[p].words; ++k) {
            llvm::BasicBlock* const here = new_block("taken");
            if (choice != nullptr) {
                choice->addCase(b_.getInt64(p), here);
                b_.SetInsertPoint(here);
            }
            Value* const place = memory_at(memory, drawing.parts[p].set + k);
            Value* const left = b_.CreateLoad(b_.getInt64Ty(), place);
            llvm::BasicBlock* next = nullptr;
            if (choice == nullptr) {
                next = new_block("");
                b_.CreateCondBr(nonzero(left), here, next);
                b_.SetInsertPoint(here);
            }
            const auto remembered = remembered_;
            b_.CreateStore(b_.CreateAnd(left, b_.CreateSub(left, number(1))), place);
            Value* const bit = k == 0 ? b_.CreateAnd(left, b_.CreateNeg(left)) : number(0);
            go_on(i, drawing, p, b_.CreateAdd(position({left}), number(k * 64)), bit);
            remembered_ = remembered;
            if (next != nullptr) b_.SetInsertPoint(next);
        }
    if (choice == nullptr) b_.CreateBr(further);
    b_.SetInsertPoint(further);
    if (!drawing.records())
        b_.CreateBr(block_at(at + 1));
    else if (std::all_of(code_.shapes.begin() + drawing.first_shape, code_.shapes.begin() + drawing.last_shape,
                         [](const run::RecordShape& shape) { return shape.words == 1; }))
        take_record(i, block_at(at + 1));
    else
        go_to_record(call_host(host_take_record, {frame_, small(i.d)}), drawing, block_at(at + 1));
}

// As run::take_record does, of records with sets of one word.
void Translator::take_record(const Instr& i, llvm::BasicBlock* nowhere) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    llvm::BasicBlock* const look = new_block("record");
    llvm::BasicBlock* const found = new_block("");
    b_.CreateBr(look);
    b_.SetInsertPoint(look);
    Value* const taken = b_.CreateLoad(b_.getInt64Ty(), records_word(records_taken));
    Value* const record =
        b_.CreateGEP(b_.getInt64Ty(), b_.CreateLoad(b_.getPtrTy(), records_word(records_words)), taken);
    Value* const end = b_.CreateLoad(b_.getPtrTy(), records_word(records_next));
    b_.CreateCondBr(b_.CreateICmpEQ(record, end), nowhere, found);
    b_.SetInsertPoint(found);
    const auto place = [&](std::size_t n) { return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), record, n); };
    auto* const shapes = b_.CreateSwitch(b_.CreateLoad(b_.getInt32Ty(), record), nowhere);
    for (std::uint32_t s = drawing.first_shape; s < drawing.last_shape; ++s) {
        const run::RecordShape& shape = code_.shapes[s];
        llvm::BasicBlock* const here = new_block("taken");
        llvm::BasicBlock* const some = new_block("");
        llvm::BasicBlock* const further = new_block("");
        shapes->addCase(b_.getInt32(s), here);
        b_.SetInsertPoint(here);
        const std::size_t at_set = 1 + shape.kept.size();
        Value* const left = b_.CreateLoad(b_.getInt64Ty(), place(at_set));
        b_.CreateCondBr(nonzero(left), some, further);
        b_.SetInsertPoint(further);
        b_.CreateStore(b_.CreateAdd(taken, number(at_set + 1)), records_word(records_taken));
        b_.CreateBr(look);
        b_.SetInsertPoint(some);
        const auto remembered = remembered_;
        b_.CreateStore(b_.CreateAnd(left, b_.CreateSub(left, number(1))), place(at_set));
        put(i.d, b_.CreateOr(taken, number(run::from_record)));
        put_member(i.d + 1U, position({left}), b_.CreateAnd(left, b_.CreateNeg(left)));
        for (std::size_t n = 0; n < shape.kept.size(); ++n)
            put(shape.kept[n], b_.CreateLoad(b_.getInt64Ty(), place(1 + n)));
        b_.CreateBr(block_at(shape.target));
        remembered_ = remembered;
    }
}

void Translator::draw_record(const Instr& i, Value* left, llvm::BasicBlock* nowhere) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    go_to_record(call_host(host_draw_record, {frame_, small(i.d), b_.CreateTrunc(left, b_.getInt32Ty())}), drawing,
                 nowhere);
}

void Translator::go_to_record(Value* target, const run::Drawing& drawing, llvm::BasicBlock* nowhere) {
    auto* choice = b_.CreateSwitch(target, nowhere);
    std::set<Entry> targets;
    for (std::uint32_t s = drawing.first_shape; s < drawing.last_shape; ++s) targets.insert(code_.shapes[s].target);
    for (const Entry t : targets) choice->addCase(b_.getInt32(t), block_at(t));
}

} // namespace zug::codegen
