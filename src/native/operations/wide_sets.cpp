// Sets of many words, in memory: loops over eight words at a time, which the processor does as vectors.

#include "native/operations/operations.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zug::codegen {

using run::Instr;
using run::Operation;
using run::Reg;

namespace {

constexpr unsigned lanes_at_once = 8;

} // namespace

bool WideSetOps::translate(const Instr& i) { return combine(i) || measure(i) || change(i); }

// -- loops

Value* WideSetOps::fold(unsigned width, FoldWords with) {
    const unsigned looped = width / lanes_at_once * lanes_at_once;
    Set carried{b_.number(0), b_.number(0)};
    const auto some = [&](Set& c) {
        c[1] = with(c[0], lanes_at_once, c[1]);
        c[0] = b_.CreateAdd(c[0], b_.number(lanes_at_once));
        return b_.below(c[0], looped);
    };
    if (looped > 0) b_.loop(carried, some);
    return looped == width ? carried[1] : with(b_.number(looped), width - looped, carried[1]);
}

Value* WideSetOps::any_word(unsigned width, EachWords of) {
    return b_.nonzero(fold(width, [&](Value* first, unsigned lanes, Value* before) {
        Value* const here = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_or, of(first, lanes));
        return b_.CreateOr(before, here);
    }));
}

void WideSetOps::each(Reg to, unsigned width, EachWords of) {
    fold(width, [&](Value* first, unsigned lanes, Value* before) {
        Value* const result = of(first, lanes);
        b_.CreateAlignedStore(result, regs_.address(to, first), llvm::Align(8));
        return before;
    });
    regs_.forget(to, width);
}

Value* WideSetOps::words(Reg reg, Value* first, unsigned lanes) { return words_in(regs_.address(reg), first, lanes); }

Value* WideSetOps::words_in(Value* memory, Value* first, unsigned lanes) {
    auto* const type = llvm::FixedVectorType::get(b_.getInt64Ty(), lanes);
    return b_.CreateAlignedLoad(type, b_.CreateInBoundsGEP(b_.getInt64Ty(), memory, first), llvm::Align(8));
}

// -- sets of sets

bool WideSetOps::combine(const Instr& i) {
    const auto a = [&](Value* k, unsigned lanes) { return words(i.a, k, lanes); };
    const auto b = [&](Value* k, unsigned lanes) { return words(i.b, k, lanes); };
    switch (run::operation_of(i.op)) {
    case Operation::And:
        each(i.d, i.w, [&](Value* k, unsigned n) { return b_.CreateAnd(a(k, n), b(k, n)); });
        return true;
    case Operation::Or:
        each(i.d, i.w, [&](Value* k, unsigned n) { return b_.CreateOr(a(k, n), b(k, n)); });
        return true;
    case Operation::AndNot:
        each(i.d, i.w, [&](Value* k, unsigned n) { return b_.CreateAnd(a(k, n), b_.CreateNot(b(k, n))); });
        return true;
    case Operation::Bcast: copy_masked(i.d, regs_.address(i.b), b_.nonzero(regs_.word(i.a)), i.w); return true;
    case Operation::Select: {
        Value* const truth = b_.nonzero(regs_.word(i.c));
        each(i.d, i.w, [&](Value* k, unsigned n) { return b_.CreateSelect(truth, a(k, n), b(k, n)); });
        return true;
    }
    case Operation::Bit:
        b_.CreateMemSet(regs_.address(i.d), b_.getInt8(0), i.w * sizeof(std::uint64_t), llvm::Align(8));
        put_on(i.d, regs_.word(i.a), bits_of(i), i.w);
        return true;
    case Operation::SetTable: set_table(i); return true;
    case Operation::SetAt: set_at(i); return true;
    default: return false;
    }
}

void WideSetOps::copy_masked(Reg to, Value* from, Value* truth, unsigned width) {
    each(to, width, [&](Value* k, unsigned n) {
        Value* const all = words_in(from, k, n);
        return b_.CreateSelect(truth, all, llvm::Constant::getNullValue(all->getType()));
    });
}

void WideSetOps::set_table(const Instr& i) {
    std::vector<std::uint64_t> rows = code_.tables.sets[i.c];
    const std::uint64_t count = rows.size() / i.w;
    Value* const row = b_.CreateSub(regs_.word(i.a), b_.number(static_cast<std::uint64_t>(std::int64_t{i.imm})));
    Value* const inside = b_.below(row, count);
    Value* const first = b_.CreateMul(b_.CreateSelect(inside, row, b_.number(0)), b_.number(i.w));
    copy_masked(i.d, b_.CreateInBoundsGEP(b_.getInt64Ty(), tables_.words(std::move(rows)), first), inside, i.w);
}

void WideSetOps::set_at(const Instr& i) {
    Value* const valid = b_.below(regs_.word(i.b), static_cast<std::uint64_t>(i.imm));
    Value* const first = b_.CreateMul(b_.CreateSelect(valid, regs_.word(i.b), b_.number(0)), b_.number(i.w));
    copy_masked(i.d, regs_.address(i.a, first), valid, i.w);
}

// -- words of sets

Value* WideSetOps::any(Reg a, unsigned width) {
    return any_word(width, [&](Value* k, unsigned n) { return words(a, k, n); });
}

Value* WideSetOps::any_of_both(Reg a, Reg b, unsigned width) {
    return any_word(width, [&](Value* k, unsigned n) { return b_.CreateAnd(words(a, k, n), words(b, k, n)); });
}

Value* WideSetOps::any_without(Reg a, Reg b, unsigned width) {
    return any_word(width,
                    [&](Value* k, unsigned n) { return b_.CreateAnd(words(a, k, n), b_.CreateNot(words(b, k, n))); });
}

WideSetOps::First WideSetOps::first(Reg a, unsigned width) {
    Set number{b_.number(static_cast<std::uint64_t>(-1))};
    b_.loop(number, [&](Set& k) {
        k[0] = b_.CreateAdd(k[0], b_.number(1));
        Value* const word = b_.CreateLoad(b_.getInt64Ty(), regs_.address(a, k[0]));
        return b_.CreateAnd(b_.CreateICmpEQ(word, b_.number(0)), b_.below(k[0], width - 1));
    });
    Value* const address = regs_.address(a, number[0]);
    Value* const word = b_.CreateLoad(b_.getInt64Ty(), address);
    Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, word, b_.getFalse());
    return {address, word, b_.CreateAdd(zeros, b_.CreateShl(number[0], b_.number(6)))};
}

Value* WideSetOps::first_or_none(Reg a, unsigned width) {
    const First found = first(a, width);
    return b_.CreateSelect(b_.nonzero(found.word), found.member, b_.none());
}

bool WideSetOps::measure(const Instr& i) {
    const auto count = [&] {
        return fold(i.w, [&](Value* first, unsigned lanes, Value* before) {
            Value* const counts = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, words(i.a, first, lanes));
            return b_.CreateAdd(before, b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_add, counts));
        });
    };
    switch (run::operation_of(i.op)) {
    case Operation::Any: regs_.put_truth(i.d, any(i.a, i.w)); return true;
    case Operation::AnyAnd: regs_.put_truth(i.d, any_of_both(i.a, i.b, i.w)); return true;
    case Operation::EqSet: {
        Value* const differ =
            any_word(i.w, [&](Value* k, unsigned n) { return b_.CreateXor(words(i.a, k, n), words(i.b, k, n)); });
        regs_.put_truth(i.d, b_.CreateNot(differ));
        return true;
    }
    case Operation::Count: regs_.put(i.d, count()); return true;
    case Operation::FirstMember: regs_.put(i.d, first_or_none(i.a, i.w)); return true;
    case Operation::OnlyMember: {
        Value* const one = b_.CreateICmpEQ(count(), b_.number(1));
        regs_.put(i.d, b_.CreateSelect(one, first_or_none(i.a, i.w), b_.none()));
        return true;
    }
    default: return false;
    }
}

// -- changes

// An element outside changes the first word to itself.
void WideSetOps::change_word(Reg to, Value* element, std::uint64_t bits, unsigned width,
                             llvm::function_ref<Value*(Value* word, Value* bit)> change) {
    Value* const valid = b_.below(element, bits);
    Value* const number = b_.CreateSelect(valid, b_.CreateLShr(element, b_.number(6)), b_.number(0));
    Value* const bit = b_.CreateShl(b_.CreateZExt(valid, b_.getInt64Ty()), b_.CreateAnd(element, b_.number(63)));
    Value* const address = regs_.address(to, number);
    b_.CreateStore(change(b_.CreateLoad(b_.getInt64Ty(), address), bit), address);
    regs_.forget(to, width);
}

void WideSetOps::put_on(Reg to, Value* element, std::uint64_t bits, unsigned width) {
    change_word(to, element, bits, width, [&](Value* word, Value* bit) { return b_.CreateOr(word, bit); });
}

void WideSetOps::join(Reg to, Reg a, unsigned width) {
    each(to, width, [&](Value* k, unsigned n) { return b_.CreateOr(words(to, k, n), words(a, k, n)); });
}

bool WideSetOps::change(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::BitOn: put_on(i.d, regs_.word(i.a), bits_of(i), i.w); return true;
    case Operation::BitOff:
        change_word(i.d, regs_.word(i.a), bits_of(i), i.w,
                    [&](Value* word, Value* bit) { return b_.CreateAnd(word, b_.CreateNot(bit)); });
        return true;
    case Operation::PlanePut: planes_put(i); return true;
    case Operation::PlaneFill: planes_fill(i); return true;
    case Operation::PutSetAt: put_set_at(i); return true;
    default: return false;
    }
}

void WideSetOps::planes_put(const Instr& i) {
    Value* const ordinal = regs_.word(i.b);
    Value* const element = regs_.word(i.a);
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(i.imm); ++p) {
        Value* const here = b_.CreateICmpEQ(ordinal, b_.number(p + 1));
        change_word(static_cast<Reg>(i.d + p * i.w), element, i.w * 64u, i.w, [&](Value* word, Value* bit) {
            Value* const without = b_.CreateAnd(word, b_.CreateNot(bit));
            return b_.CreateSelect(here, b_.CreateOr(word, bit), without);
        });
    }
}

void WideSetOps::planes_fill(const Instr& i) {
    Value* const ordinal = regs_.word(i.b);
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(i.imm); ++p) {
        const auto plane = static_cast<Reg>(i.d + p * i.w);
        Value* const here = b_.CreateICmpEQ(ordinal, b_.number(p + 1));
        each(plane, i.w, [&](Value* k, unsigned n) {
            Value *const before = words(plane, k, n), *const sites = words(i.a, k, n);
            return b_.CreateSelect(here, b_.CreateOr(before, sites), b_.CreateAnd(before, b_.CreateNot(sites)));
        });
    }
}

void WideSetOps::put_set_at(const Instr& i) {
    Value* const row = regs_.word(i.a);
    Value* const first = b_.CreateMul(row, b_.number(i.w));
    b_.when(b_.below(row, static_cast<std::uint64_t>(i.imm)), [&] {
        b_.CreateMemCpy(regs_.address(i.d, first), llvm::Align(8), regs_.address(i.b), llvm::Align(8),
                        i.w * sizeof(std::uint64_t));
    });
    regs_.forget(i.d, static_cast<std::uint32_t>(i.imm) * i.w);
}

} // namespace zug::codegen
