// Rows of bytes (bytecode/byte_rows.hpp). Single bytes are changed in their words, since a load of a word right after a
// store of one of its bytes would wait for the cache; a row of one word stays in a register meanwhile.

#include "bytecode/byte_rows.hpp"
#include "native/operations/operations.hpp"

#include <algorithm>

namespace zug::codegen {

using run::Instr;
using run::Operation;

bool ByteOps::translate(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::ByteAt: byte_at(i); return true;
    case Operation::BytesAbove: bytes_above(i); return true;
    case Operation::PutByteAt: change(i, [&](Value*, Value*) { return regs_.word(i.b); }); return true;
    case Operation::AddByteAt:
        change(i, [&](Value* word, Value* shift) {
            return b_.clamped(b_.CreateAdd(byte_of(word, shift), regs_.word(i.b)), -128, 127);
        });
        return true;
    case Operation::CheckBytes: check_bytes(i); return true;
    default: return false;
    }
}

Value* ByteOps::shift_of(Value* entry) { return b_.CreateShl(b_.CreateAnd(entry, b_.number(7)), b_.number(3)); }

Value* ByteOps::byte_of(Value* word, Value* shift) {
    return b_.CreateAShr(b_.CreateShl(word, b_.CreateSub(b_.number(56), shift)), b_.number(56));
}

void ByteOps::byte_at(const Instr& i) {
    Value* const valid = b_.below(regs_.word(i.b), bits_of(i));
    Value* const entry = b_.CreateSelect(valid, regs_.word(i.b), b_.number(0));
    Value* const word = is_word(i)
                            ? regs_.word(i.a)
                            : b_.CreateLoad(b_.getInt64Ty(), regs_.address(i.a, b_.CreateLShr(entry, b_.number(3))));
    regs_.put(i.d, b_.CreateSelect(valid, byte_of(word, shift_of(entry)), regs_.word(i.c)));
}

void ByteOps::change(const Instr& i, llvm::function_ref<Value*(Value* word, Value* shift)> value) {
    Value* const entry = regs_.word(i.a);
    Value* const valid = b_.below(entry, bits_of(i));
    const auto changed = [&](Value* word) {
        Value* const shift = shift_of(entry);
        Value* const mask = b_.CreateShl(b_.number(0xFF), shift);
        Value* const byte = b_.CreateShl(b_.CreateAnd(value(word, shift), b_.number(0xFF)), shift);
        return b_.CreateOr(b_.CreateAnd(word, b_.CreateNot(mask)), byte);
    };
    if (is_word(i)) {
        Value* const word = regs_.word(i.d);
        return regs_.put(i.d, b_.CreateSelect(valid, changed(word), word));
    }
    Value* const at = regs_.address(i.d, b_.CreateLShr(entry, b_.number(3)));
    b_.when(valid, [&] { b_.CreateStore(changed(b_.CreateLoad(b_.getInt64Ty(), at)), at); });
    regs_.forget(i.d, run::bytes_to_words(bits_of(i)));
}

// run::bytes_above().
Value* ByteOps::above_in_word(Value* word, Value* bound) {
    Value* const least = b_.CreateAdd(b_.clamped(bound, -129, 127), b_.number(129));
    Value* const high = b_.number(run::high_bits);
    Value* const x = b_.CreateXor(word, high);
    Value* const y = b_.CreateMul(least, b_.number(run::each_byte));
    Value* const low = b_.CreateSub(b_.CreateOr(x, high), b_.CreateAnd(y, b_.CreateNot(high)));
    Value* const either =
        b_.CreateOr(b_.CreateAnd(x, b_.CreateNot(y)), b_.CreateAnd(b_.CreateNot(b_.CreateXor(x, y)), low));
    Value* const bits =
        b_.CreateLShr(b_.CreateMul(b_.CreateAnd(either, high), b_.number(run::gather_high_bits)), b_.number(56));
    return b_.CreateSelect(b_.below(least, 256), bits, b_.number(0));
}

Value* ByteOps::above_in_vector(std::uint32_t reg, unsigned words, Value* bound) {
    auto* const type = llvm::FixedVectorType::get(b_.getInt8Ty(), words * 8);
    Value* const bytes = b_.CreateAlignedLoad(type, regs_.address(reg), llvm::Align(8));
    Value* const limit = b_.CreateTrunc(b_.clamped(bound, -128, 127), b_.getInt8Ty());
    Value* const greater = b_.CreateICmpSGT(bytes, b_.CreateVectorSplat(words * 8, limit));
    Value* const bits = b_.CreateZExt(b_.CreateBitCast(greater, b_.getIntNTy(words * 8)), b_.getInt64Ty());
    Value* const all = b_.CreateICmpSLT(bound, b_.number(static_cast<std::uint64_t>(-128)));
    return b_.CreateSelect(all, b_.number(~std::uint64_t{0} >> (64 - words * 8)), bits);
}

// Calls body(the first word, how many, of them) for a row, in as many words at once as are compared best.
void ByteOps::by_parts(const Instr& i, llvm::function_ref<void(unsigned, unsigned)> body) {
    constexpr unsigned few = 2, most = 4;
    const unsigned words = run::bytes_to_words(bits_of(i));
    const unsigned step = tables_.features().vectors && words > few ? most : 1;
    for (unsigned k = 0; k < words; k += step) body(k, std::min(step, words - k));
}

Value* ByteOps::above(std::uint32_t reg, unsigned words, Value* bound) {
    return words > 1 ? above_in_vector(reg, words, bound) : above_in_word(regs_.word(reg), bound);
}

void ByteOps::bytes_above(const Instr& i) {
    Set result = b_.nothing(i.w);
    by_parts(i, [&](unsigned first, unsigned words) {
        Value* const bits = above(i.a + first, words, regs_.word(i.b));
        Value*& to = result[first / 8];
        to = b_.CreateOr(to, b_.CreateShl(bits, b_.number(first % 8 * 8)));
    });
    if (const unsigned last = static_cast<unsigned>(i.imm); last % 64 != 0)
        result[last / 64] = b_.CreateAnd(result[last / 64], b_.number((std::uint64_t{1} << (last % 64)) - 1));
    regs_.put_set(i.d, result);
}

void ByteOps::check_bytes(const Instr& i) {
    by_parts(i, [&](unsigned first, unsigned words) {
        Value* const all = b_.number(~std::uint64_t{0} >> (64 - words * 8));
        Value* const low = b_.CreateSub(regs_.word(i.b), b_.number(1));
        Value* const outside =
            b_.CreateOr(above(i.a + first, words, regs_.word(i.c)), b_.CreateXor(above(i.a + first, words, low), all));
        checks_.fail_if(b_.nonzero(outside), run::Host::CheckFailure::OutOfRange, i.d, [&] {
            Value* const entry = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, outside, b_.getTrue());
            Value* const at = regs_.address(i.a + first, b_.CreateLShr(entry, b_.number(3)));
            return byte_of(b_.CreateLoad(b_.getInt64Ty(), at), shift_of(entry));
        });
    });
}

} // namespace zug::codegen
