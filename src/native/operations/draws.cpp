// Choosing a member of sets, at random or in order.

#include "native/operations/operations.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace zug::codegen {

using run::Entry;
using run::Instr;
using run::Operation;

namespace {

// zug::Random::next (base/random.hpp): a number below 2^32 by the four words of the generator, which change.
Value* next_random(llvm::IRBuilder<>& b, Set& s) {
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

} // namespace

bool DrawOps::translate(const Instr& i, Entry at) {
    switch (run::operation_of(i.op)) {
    case Operation::Draw: draw(i, at); return true;
    case Operation::TakeFirst: take_first(i, at); return true;
    case Operation::Undraw:
        routine_.call_host(host_undraw, {regs_.frame(), b_.small(i.d), b_.small(i.imm)});
        regs_.forget_frame();
        return true;
    default: return false;
    }
}

// A function (generator, limit, product): the product unless the method rejects it, else that of another draw. It is
// called so rarely that it is kept out of line.
llvm::Function* DrawOps::redraw_function() {
    llvm::Module& module = tables_.module();
    if (llvm::Function* const known = module.getFunction("redraw")) return known;
    llvm::IRBuilder<> b(module.getContext());
    auto* const word = b.getInt64Ty();
    auto* const type = llvm::FunctionType::get(word, {b.getPtrTy(), word, word}, false);
    llvm::Function* const redraw = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "redraw", module);
    redraw->setCallingConv(llvm::CallingConv::PreserveMost);
    redraw->addFnAttr(llvm::Attribute::NoInline);
    redraw->addFnAttr(llvm::Attribute::Cold);
    redraw->setDoesNotThrow();
    llvm::Value *const generator = redraw->getArg(0), *const limit = redraw->getArg(1);
    const auto block = [&] { return llvm::BasicBlock::Create(module.getContext(), "", redraw); };
    const auto low = [&](llvm::Value* v) { return b.CreateAnd(v, b.getInt64(UINT32_MAX)); };
    llvm::BasicBlock *const entry = block(), *const check = block(), *const again = block(), *const done = block();
    b.SetInsertPoint(entry);
    llvm::Value* const threshold = b.CreateURem(low(b.CreateNeg(limit)), limit); // 2^32 mod limit
    b.CreateBr(check);
    b.SetInsertPoint(check);
    llvm::PHINode* const product = b.CreatePHI(word, 2);
    product->addIncoming(redraw->getArg(2), entry);
    b.CreateCondBr(b.CreateICmpULT(low(product), threshold), again, done);
    b.SetInsertPoint(again);
    const auto at = [&](unsigned k) { return b.CreateConstInBoundsGEP1_64(word, generator, k); };
    Set state;
    for (unsigned k = 0; k < 4; ++k) state.push_back(b.CreateLoad(word, at(k)));
    product->addIncoming(b.CreateMul(next_random(b, state), limit), again);
    for (unsigned k = 0; k < 4; ++k) b.CreateStore(state[k], at(k));
    b.CreateBr(check);
    b.SetInsertPoint(done);
    b.CreateRet(product);
    return redraw;
}

Value* DrawOps::prediction_slot(llvm::AllocaInst*& slot) {
    if (slot == nullptr) {
        slot = regs_.new_slot();
        new llvm::StoreInst(b_.number(0), slot, slot->getParent());
    }
    return slot;
}

// Where the number of moves stays the same or falls from ply to ply, it is largest when a game begins.
void DrawOps::begin_game() {
    if (tables_.request().move_count_change != native::no_prediction)
        b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), prediction_slot(most_)), prediction_slot(expected_));
}

// The limit as predicted from the ply before, so that drawing need not wait until the moves are counted: the processor
// predicts the branch that compares the two. Inline assembly hides from the optimiser that they are equal behind it.
Value* DrawOps::predicted(Value* limit) {
    auto* const type = llvm::FunctionType::get(b_.getInt64Ty(), {b_.getInt64Ty()}, false);
    const auto opaque = [&](Value* v) {
        return b_.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", true), {v});
    };
    Value* const guess = b_.CreateLoad(b_.getInt64Ty(), prediction_slot(expected_));
    Value* const found = opaque(limit);
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    llvm::BasicBlock* const wrong = b_.new_block("wrong");
    llvm::BasicBlock* const right = b_.new_block("");
    llvm::MDBuilder weights(b_.getContext());
    b_.CreateCondBr(b_.CreateICmpNE(found, guess), wrong, right, weights.createBranchWeights(1, 1000));
    b_.SetInsertPoint(wrong);
    Value* const counted = opaque(found);
    Value* const most = b_.CreateLoad(b_.getInt64Ty(), prediction_slot(most_));
    b_.CreateStore(b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, most, counted), prediction_slot(most_));
    b_.CreateBr(right);
    b_.SetInsertPoint(right);
    llvm::PHINode* const result = b_.CreatePHI(b_.getInt64Ty(), 2);
    result->addIncoming(guess, before);
    result->addIncoming(counted, wrong);
    const auto change = static_cast<std::uint64_t>(std::int64_t{tables_.request().move_count_change});
    b_.CreateStore(b_.CreateAdd(result, b_.number(change)), prediction_slot(expected_));
    return result;
}

// Uniform below `limit`, by a 64-bit product (D. Lemire, "Fast Random Integer Generation in an Interval", 2019).
// Products that may have to be rejected are rare.
Value* DrawOps::random_below(std::uint32_t generator, Value* limit) {
    if (tables_.request().move_count_change != native::no_prediction) limit = predicted(limit);
    Set state = regs_.set(generator, 4);
    Value* const first = b_.CreateMul(next_random(b_, state), limit);
    regs_.put_set(generator, state);
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    llvm::BasicBlock* const rejectable = b_.new_block("rejectable");
    llvm::BasicBlock* const done = b_.new_block("");
    llvm::MDBuilder weights(b_.getContext());
    const auto low = [&](Value* v) { return b_.CreateTrunc(v, b_.getInt32Ty()); };
    b_.CreateCondBr(b_.CreateICmpULT(low(first), low(limit)), rejectable, done,
                    weights.createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(rejectable);
    for (unsigned k = 0; k < 4; ++k) b_.CreateStore(state[k], regs_.address(generator + k));
    llvm::CallInst* const again = b_.CreateCall(redraw_function(), {regs_.address(generator), limit, first});
    again->setCallingConv(llvm::CallingConv::PreserveMost);
    for (unsigned k = 0; k < 4; ++k) state[k] = b_.CreateLoad(b_.getInt64Ty(), regs_.address(generator + k));
    regs_.put_set(generator, state);
    regs_.forget(generator, 4);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    llvm::PHINode* const result = b_.CreatePHI(b_.getInt64Ty(), 2);
    result->addIncoming(first, before);
    result->addIncoming(again, rejectable);
    return b_.CreateLShr(result, b_.number(32));
}

void DrawOps::draw(const Instr& i, Entry at) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    if (drawing.parts.empty() && !drawing.records()) { // of a game in which all is chance
        b_.CreateBr(routine_.block_at(at + 1));
        return;
    }
    llvm::SmallVector<Value*, 16> members;
    Value* total = b_.number(0);
    for (const auto& part : drawing.parts) {
        members.push_back(b_.count(regs_.set(part.set, part.words)));
        if (part.weight != 0) members.back() = b_.CreateMul(members.back(), regs_.set(part.weight, 1)[0]);
        total = b_.CreateAdd(total, members.back());
    }
    if (drawing.records())
        total = b_.CreateAdd(total, b_.CreateLoad(b_.getInt64Ty(), routine_.records_word(records_total)));
    llvm::BasicBlock* const some = b_.new_block("draw");
    b_.CreateCondBr(b_.nonzero(total), some, routine_.block_at(at + 1));
    b_.SetInsertPoint(some);
    Value* left = random_below(i.a, total);
    const auto elsewhere = [&](const auto& part) {
        return part.target != drawing.parts[0].target || part.words != 1 || part.weight != 0;
    };
    if (!drawing.records() && std::ranges::none_of(drawing.parts, elsewhere))
        return drawn_from_all(i, drawing, members, left);
    for (std::size_t p = 0; p < drawing.parts.size(); ++p) {
        if (p + 1 == drawing.parts.size() && !drawing.records()) return drawn_from(i, drawing, p, left);
        llvm::BasicBlock* const here = b_.new_block("drawn");
        llvm::BasicBlock* const further = b_.new_block("");
        b_.CreateCondBr(b_.CreateICmpULT(left, members[p]), here, further);
        b_.SetInsertPoint(here);
        const auto remembered = regs_.remembered();
        drawn_from(i, drawing, p, left);
        regs_.restore(remembered);
        b_.SetInsertPoint(further);
        left = b_.CreateSub(left, members[p]);
    }
    if (drawing.records()) return records_.draw(i, left, routine_.block_at(at + 1));
    b_.CreateUnreachable(); // no sets at all: the total was 0
}

// Continues with member `left` of a set.
void DrawOps::drawn_from(const Instr& i, const run::Drawing& drawing, std::size_t p, Value* left) {
    const auto& part = drawing.parts[p];
    const Set words = regs_.set(part.set, part.words);
    if (part.weight != 0) left = b_.CreateUDiv(left, regs_.set(part.weight, 1)[0]);
    const auto [element, bits] = b_.nth_member(words, left);
    continue_with(i, drawing, p, element, bits);
}

// Continues with a member of a set and assigns the registers given with it. `bit`: {element}, if it is below 64.
void DrawOps::continue_with(const Instr& i, const run::Drawing& drawing, std::size_t p, Value* element, Value* bit) {
    const auto& part = drawing.parts[p];
    regs_.put(i.d, b_.number(drawing.first + p));
    regs_.put_member(i.d + 1U, element, bit);
    for (const auto& given : part.given) {
        Value* value = b_.number(static_cast<std::uint64_t>(given.number));
        if (given.from_member) value = b_.CreateAdd(element, value);
        regs_.put_member(given.reg, value, regs_.singleton(value, 64, 1)[0]);
    }
    b_.CreateBr(routine_.block_at(part.target));
}

// The same if execution continues at the same instruction for all sets, each of one word: without branches, which could
// not be predicted.
void DrawOps::drawn_from_all(const Instr& i, const run::Drawing& drawing, llvm::ArrayRef<Value*> members, Value* left) {
    const auto& parts = drawing.parts;
    llvm::SmallVector<Value*, 8> beyond; // whether the member is behind set 0, 1, ...
    Value* word_there = regs_.word(parts[0].set);
    Value* before = b_.number(0);
    Value* passed = b_.number(0);
    Value* p = b_.number(drawing.first);
    for (std::size_t k = 1; k < parts.size(); ++k) {
        passed = b_.CreateAdd(passed, members[k - 1]);
        beyond.push_back(b_.CreateICmpUGE(left, passed));
        word_there = b_.CreateSelect(beyond.back(), regs_.word(parts[k].set), word_there);
        before = b_.CreateSelect(beyond.back(), passed, before);
        p = b_.CreateAdd(p, b_.CreateZExt(beyond.back(), b_.getInt64Ty()));
    }
    Value* const bit = b_.nth_member(word_there, b_.CreateSub(left, before));
    Value* const element = b_.lowest_member({bit});
    regs_.put(i.d, p);
    regs_.put_member(i.d + 1U, element, bit);
    give(drawing, beyond, element, bit);
    b_.CreateBr(routine_.block_at(parts[0].target));
}

// Assigns the registers given with a member of whichever set was drawn from.
void DrawOps::give(const run::Drawing& drawing, llvm::ArrayRef<Value*> beyond, Value* element, Value* bits) {
    const auto& parts = drawing.parts;
    for (std::size_t g = 0; g < parts[0].given.size(); ++g) {
        llvm::SmallVector<std::int64_t, 8> numbers;
        for (const auto& part : parts) numbers.push_back(part.given[g].number);
        const std::uint32_t reg = parts[0].given[g].reg;
        Value* const value = chosen_number(numbers, beyond);
        if (!parts[0].given[g].from_member) {
            regs_.put_member(reg, value, regs_.singleton(value, 64, 1)[0]);
            continue;
        }
        // The result is a site, so no bit leaves the word.
        Value* const by = b_.CreateAnd(value, b_.number(63));
        const bool up = std::ranges::all_of(numbers, [](std::int64_t n) { return n >= 0; });
        const bool down = std::ranges::all_of(numbers, [](std::int64_t n) { return n <= 0; });
        Value* const to = up     ? b_.CreateShl(bits, by)
                          : down ? b_.CreateLShr(bits, b_.CreateAnd(b_.CreateNeg(value), b_.number(63)))
                                 : b_.CreateIntrinsic(llvm::Intrinsic::fshl, {b_.getInt64Ty()}, {bits, bits, by});
        regs_.put_member(reg, b_.CreateAdd(element, value), to);
    }
}

// The number that belongs to the set that was drawn from.
Value* DrawOps::chosen_number(llvm::ArrayRef<std::int64_t> numbers, llvm::ArrayRef<Value*> beyond) {
    const auto constant = [&](std::size_t k) { return b_.number(static_cast<std::uint64_t>(numbers[k])); };
    Value* result = constant(0);
    for (std::size_t k = 1; k < numbers.size(); ++k) result = b_.CreateSelect(beyond[k - 1], constant(k), result);
    return result;
}

// A switch on the number of the first set that is not empty, found by comparing all sets as one vector. Null if they
// are few, or not adjacent in memory.
llvm::SwitchInst* DrawOps::first_with_members(std::uint32_t memory, const run::Drawing& drawing,
                                              llvm::BasicBlock* none) {
    constexpr std::size_t worth_a_vector = 8, most = 63;
    const auto count = static_cast<unsigned>(drawing.parts.size());
    if (!tables_.features().vectors || count < worth_a_vector || count > most) return nullptr;
    for (std::size_t p = 0; p < count; ++p)
        if (drawing.parts[p].words != 1 || drawing.parts[p].set != drawing.parts[0].set + p) return nullptr;
    auto* const type = llvm::FixedVectorType::get(b_.getInt64Ty(), count);
    Value* const sets = b_.CreateAlignedLoad(type, regs_.memory_at(memory, drawing.parts[0].set), llvm::Align(8));
    Value* const some = b_.CreateICmpNE(sets, llvm::Constant::getNullValue(type));
    Value* const bits = b_.CreateZExt(b_.CreateBitCast(some, b_.getIntNTy(count)), b_.getInt64Ty());
    Value* const past = b_.CreateOr(bits, b_.number(std::uint64_t{1} << count));
    return b_.CreateSwitch(b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, past, b_.getTrue()), none, count);
}

// Removes the first member of sets in memory, and continues with it.
void DrawOps::take_first(const Instr& i, Entry at) {
    const run::Drawing& drawing = code_.drawings[static_cast<std::size_t>(i.imm)];
    const std::uint32_t memory = i.a;
    llvm::BasicBlock* const further = b_.new_block("");
    llvm::SwitchInst* const choice = first_with_members(memory, drawing, further);
    for (std::size_t p = 0; p < drawing.parts.size(); ++p)
        for (unsigned k = 0; k < drawing.parts[p].words; ++k) {
            llvm::BasicBlock* const here = b_.new_block("taken");
            if (choice != nullptr) {
                choice->addCase(b_.getInt64(p), here);
                b_.SetInsertPoint(here);
            }
            Value* const address = regs_.memory_at(memory, drawing.parts[p].set + k);
            Value* const left = b_.CreateLoad(b_.getInt64Ty(), address);
            llvm::BasicBlock* next = nullptr;
            if (choice == nullptr) {
                next = b_.new_block("");
                b_.CreateCondBr(b_.nonzero(left), here, next);
                b_.SetInsertPoint(here);
            }
            const auto remembered = regs_.remembered();
            b_.CreateStore(b_.CreateAnd(left, b_.CreateSub(left, b_.number(1))), address);
            Value* const bit = k == 0 ? b_.CreateAnd(left, b_.CreateNeg(left)) : b_.number(0);
            continue_with(i, drawing, p, b_.CreateAdd(b_.lowest_member({left}), b_.number(k * 64)), bit);
            regs_.restore(remembered);
            if (next != nullptr) b_.SetInsertPoint(next);
        }
    if (choice == nullptr) b_.CreateBr(further);
    b_.SetInsertPoint(further);
    if (drawing.records())
        records_.take_first(i, routine_.block_at(at + 1));
    else
        b_.CreateBr(routine_.block_at(at + 1));
}

} // namespace zug::codegen
