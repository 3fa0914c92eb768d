// Sets: from sets, to words, and changes of them.

#include "native/llvm/translator.hpp"

#include "ir/types.hpp"

namespace zug::codegen {

using run::Instr;
using run::Opcode;

// The three widths of an op.
#define WIDTHS(name) Opcode::name##_1 : case Opcode::name##_M : case Opcode::name##_N

bool Translator::set_instruction(const Instr& i) {
    const auto a = [&] { return set(i.a, i.w); };
    const auto b = [&] { return set(i.b, i.w); };
    switch (i.op) {
    case WIDTHS(And): put_set(i.d, both(a(), b())); return true;
    case WIDTHS(Or):
        if (i.w == 1 && or_of_rays(i)) return true;
        put_set(i.d, either(a(), b()));
        return true;
    case WIDTHS(AndNot): put_set(i.d, without(a(), b())); return true;
    case WIDTHS(ShlAnd): put_set(i.d, both(shifted(a(), i.imm), b())); return true;
    case WIDTHS(ShrAnd): put_set(i.d, both(shifted(a(), -i.imm), b())); return true;
    case WIDTHS(Bcast): put_set(i.d, masked(b(), nonzero(word(i.a)))); return true;
    case WIDTHS(Select): put_set(i.d, chosen(nonzero(word(i.c)), a(), b())); return true;
    case WIDTHS(Bit): bit(i); return true;
    case WIDTHS(Any): put_truth(i.d, any(a())); return true;
    case WIDTHS(AnyAnd): put_truth(i.d, any(both(a(), b()))); return true;
    case WIDTHS(Count): put(i.d, count(a())); return true;
    case WIDTHS(CountRays): count_rays(i); return true;
    case WIDTHS(CountImage): count_image(i); return true;
    case WIDTHS(EqSet): {
        Set differing;
        const Set left = a(), right = b();
        for (unsigned k = 0; k < i.w; ++k) differing.push_back(b_.CreateXor(left[k], right[k]));
        put_truth(i.d, b_.CreateNot(any(differing)));
        return true;
    }
    case WIDTHS(Test):
        if (i.c != 0) {
            put_truth(i.d, looked_up(word(i.a), i.b, static_cast<std::uint64_t>(i.imm), true));
            return true;
        }
        put_truth(i.d, member(word(i.a), i.b, i.w, static_cast<std::uint64_t>(i.imm)));
        return true;
    case WIDTHS(OnlyMember): {
        const Set all = a();
        Value* const one = b_.CreateICmpEQ(count(all), number(1));
        put(i.d, b_.CreateSelect(one, position(all), none()));
        return true;
    }
    case WIDTHS(BitOn):
        put_set(i.d, either(set(i.d, i.w), single(word(i.a), static_cast<std::uint64_t>(i.imm), i.w)));
        return true;
    case WIDTHS(BitOff):
        put_set(i.d, without(set(i.d, i.w), single(word(i.a), static_cast<std::uint64_t>(i.imm), i.w)));
        return true;
    default: return false;
    }
}

void Translator::bit(const Instr& i) {
    Value* const place = word(i.a);
    const Set set = single(place, static_cast<std::uint64_t>(i.imm), i.w);
    if (const Single* const known = single_of(place); i.w == 1 && known != nullptr && set[0] == known->bits)
        only_members_[set[0]] = place;
    put_set(i.d, set);
}

bool Translator::change_instruction(const Instr& i) {
    switch (i.op) {
    case WIDTHS(PlaneGet): plane(i); return true;
    case WIDTHS(PlanePut): plane_put(i); return true;
    case WIDTHS(PlaneFill): plane_fill(i); return true;
    case Opcode::PutAt: store_at(i, false); return true;
    case Opcode::AddAt: store_at(i, true); return true;
    default: return false;
    }
}

// What is stored outside goes to a place of no one's.
void Translator::store_at(const Instr& i, bool add) {
    Value* const valid = below(word(i.a), static_cast<std::uint64_t>(i.imm));
    Value* const value = word(i.b);
    llvm::BasicBlock* const inside = new_block("store");
    llvm::BasicBlock* const after = new_block("");
    Value* const at = address(i.d, word(i.a));
    b_.CreateCondBr(valid, inside, after);
    b_.SetInsertPoint(inside);
    b_.CreateStore(add ? b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), at), value) : value, at);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    forget(i.d, static_cast<std::uint32_t>(i.imm));
}

void Translator::plane(const Instr& i) {
    const auto& values = code_.tables.words[i.c];
    Value* result = number(static_cast<std::uint64_t>(values[0]));
    for (std::int32_t p = i.imm; p-- > 0;) {
        const auto reg = i.b + static_cast<std::uint32_t>(p) * i.w;
        result = b_.CreateSelect(member(word(i.a), reg, i.w, i.w * 64u),
                                 number(static_cast<std::uint64_t>(values[static_cast<std::size_t>(p) + 1])), result);
    }
    put(i.d, result);
}

void Translator::plane_put(const Instr& i) {
    Value* const ordinal = word(i.b);
    const Set bit = single(word(i.a), i.w * 64u, i.w);
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(i.imm); ++p) {
        const std::uint32_t reg = i.d + p * i.w;
        const Set added = masked(bit, b_.CreateICmpEQ(ordinal, number(p + 1)));
        put_set(reg, either(without(set(reg, i.w), bit), added));
    }
}

void Translator::plane_fill(const Instr& i) {
    Value* const ordinal = word(i.b);
    const Set places = set(i.a, i.w);
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(i.imm); ++p) {
        const std::uint32_t reg = i.d + p * i.w;
        const Set added = masked(places, b_.CreateICmpEQ(ordinal, number(p + 1)));
        put_set(reg, either(without(set(reg, i.w), places), added));
    }
}

} // namespace zug::codegen
