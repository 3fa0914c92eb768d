// Sets word by word, their members, and changes of the state's maps.

#include "native/operations/operations.hpp"

namespace zug::codegen {

using run::Instr;
using run::Operation;

bool SetOps::copy(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::Mov: return move(i);
    case Operation::Load: return load(i);
    case Operation::Store: return store(i);
    default: return false;
    }
}

bool SetOps::move(const Instr& i) {
    if (i.w <= most_words_copied_as_values) {
        regs_.put_set(i.d, regs_.set(i.a, i.w));
        return true;
    }
    if (!regs_.is_framed(i.d, i.w) || !regs_.is_framed(i.a, i.w)) return false;
    b_.CreateMemMove(regs_.address(i.d), llvm::Align(8), regs_.address(i.a), llvm::Align(8),
                     i.w * sizeof(std::uint64_t));
    regs_.forget(i.d, i.w);
    return true;
}

bool SetOps::load(const Instr& i) {
    const auto from = static_cast<std::uint32_t>(i.imm);
    if (i.w <= most_words_copied_as_values) {
        for (std::uint32_t k = 0; k < i.w; ++k)
            regs_.put(i.d + k, b_.CreateLoad(b_.getInt64Ty(), regs_.memory_at(i.a, from + k)));
        return true;
    }
    if (!regs_.is_framed(i.d, i.w)) return false;
    b_.CreateMemCpy(regs_.address(i.d), llvm::Align(8), regs_.memory_at(i.a, from), llvm::Align(8),
                    i.w * sizeof(std::uint64_t));
    regs_.forget(i.d, i.w);
    return true;
}

bool SetOps::store(const Instr& i) {
    const auto to = static_cast<std::uint32_t>(i.imm);
    if (i.w <= most_words_copied_as_values) {
        for (std::uint32_t k = 0; k < i.w; ++k) b_.CreateStore(regs_.word(i.a + k), regs_.memory_at(i.b, to + k));
        return true;
    }
    if (!regs_.is_framed(i.a, i.w)) return false;
    b_.CreateMemCpy(regs_.memory_at(i.b, to), llvm::Align(8), regs_.address(i.a), llvm::Align(8),
                    i.w * sizeof(std::uint64_t));
    return true;
}

bool SetOps::translate(const Instr& i) {
    const auto a = [&] { return regs_.set(i.a, i.w); };
    const auto b = [&] { return regs_.set(i.b, i.w); };
    switch (run::operation_of(i.op)) {
    case Operation::And: regs_.put_set(i.d, b_.both(a(), b())); return true;
    case Operation::Or:
        if (i.w == 1 && rays_.join_union(i)) return true;
        regs_.put_set(i.d, b_.either(a(), b()));
        return true;
    case Operation::AndNot: regs_.put_set(i.d, b_.without(a(), b())); return true;
    case Operation::ShlAnd: regs_.put_set(i.d, b_.both(b_.shifted(a(), i.imm), b())); return true;
    case Operation::ShrAnd: regs_.put_set(i.d, b_.both(b_.shifted(a(), -i.imm), b())); return true;
    case Operation::Bcast: regs_.put_set(i.d, b_.masked(b(), b_.nonzero(regs_.word(i.a)))); return true;
    case Operation::Select: regs_.put_set(i.d, b_.chosen(b_.nonzero(regs_.word(i.c)), a(), b())); return true;
    case Operation::Bit: bit(i); return true;
    case Operation::Any: regs_.put_truth(i.d, b_.any(a())); return true;
    case Operation::AnyAnd: regs_.put_truth(i.d, b_.any(b_.both(a(), b()))); return true;
    case Operation::Count: regs_.put(i.d, b_.count(a())); return true;
    case Operation::EqSet: equal(i); return true;
    case Operation::Test: test(i); return true;
    case Operation::OnlyMember: only_member(i); return true;
    case Operation::FirstMember:
        regs_.put(i.d, b_.CreateSelect(b_.any(a()), b_.lowest_member(a()), b_.none()));
        return true;
    case Operation::LastMember:
        regs_.put(i.d, b_.CreateSelect(b_.any(a()), b_.highest_member(a()), b_.none()));
        return true;
    case Operation::BitOn:
        regs_.put_set(i.d, b_.either(regs_.set(i.d, i.w), regs_.singleton(regs_.word(i.a), bits_of(i), i.w)));
        return true;
    case Operation::BitOff:
        regs_.put_set(i.d, b_.without(regs_.set(i.d, i.w), regs_.singleton(regs_.word(i.a), bits_of(i), i.w)));
        return true;
    default: return change(i);
    }
}

void SetOps::bit(const Instr& i) {
    Value* const element = regs_.word(i.a);
    const Set set = regs_.singleton(element, bits_of(i), i.w);
    const Registers::Singleton* const known = regs_.singleton_of(element);
    if (i.w == 1 && known != nullptr && set[0] == known->bits)
        regs_.know_only_member(set, element);
    else
        regs_.know_only_member(set, element, b_.below(element, bits_of(i)));
    regs_.put_set(i.d, set);
}

void SetOps::equal(const Instr& i) {
    Set differing;
    const Set left = regs_.set(i.a, i.w), right = regs_.set(i.b, i.w);
    for (unsigned k = 0; k < i.w; ++k) differing.push_back(b_.CreateXor(left[k], right[k]));
    regs_.put_truth(i.d, b_.CreateNot(b_.any(differing)));
}

// Field c is set if the element is known to be within the universe of a constant set.
void SetOps::test(const Instr& i) {
    if (i.c != 0)
        regs_.put_truth(i.d, b_.is_in_constant(regs_.word(i.a), i.b, bits_of(i), true));
    else
        regs_.put_truth(i.d, regs_.member(regs_.word(i.a), i.b, i.w, bits_of(i)));
}

void SetOps::only_member(const Instr& i) {
    const Set all = regs_.set(i.a, i.w);
    Value* const one = b_.CreateICmpEQ(b_.count(all), b_.number(1));
    regs_.put(i.d, b_.CreateSelect(one, b_.lowest_member(all), b_.none()));
}

bool SetOps::change(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::PlaneGet: plane_get(i); return true;
    case Operation::PlanePut: plane_put(i); return true;
    case Operation::PlaneFill: plane_fill(i); return true;
    case Operation::PutSetAt: put_set_at(i); return true;
    case Operation::PutAt: store_at(i, false); return true;
    case Operation::AddAt: store_at(i, true); return true;
    default: return false;
    }
}

void SetOps::store_at(const Instr& i, bool add) {
    Value* const valid = b_.below(regs_.word(i.a), static_cast<std::uint64_t>(i.imm));
    Value* const value = regs_.word(i.b);
    Value* const at = regs_.address(i.d, regs_.word(i.a));
    b_.when(valid, [&] { b_.CreateStore(add ? b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), at), value) : value, at); });
    regs_.forget(i.d, static_cast<std::uint32_t>(i.imm));
}

void SetOps::put_set_at(const Instr& i) {
    Value* const valid = b_.below(regs_.word(i.a), static_cast<std::uint64_t>(i.imm));
    const Set value = regs_.set(i.b, i.w);
    Value* const first = b_.CreateMul(regs_.word(i.a), b_.number(i.w));
    b_.when(valid, [&] {
        for (unsigned k = 0; k < i.w; ++k) b_.CreateStore(value[k], regs_.address(i.d + k, first));
    });
    regs_.forget(i.d, static_cast<std::uint32_t>(i.imm) * i.w);
}

void SetOps::plane_get(const Instr& i) {
    const auto& values = code_.tables.words[i.c];
    Value* result = b_.number(static_cast<std::uint64_t>(values[0]));
    for (std::int32_t p = i.imm; p-- > 0;) {
        const auto reg = i.b + static_cast<std::uint32_t>(p) * i.w;
        result =
            b_.CreateSelect(regs_.member(regs_.word(i.a), reg, i.w, i.w * 64u),
                            b_.number(static_cast<std::uint64_t>(values[static_cast<std::size_t>(p) + 1])), result);
    }
    regs_.put(i.d, result);
}

void SetOps::plane_put(const Instr& i) {
    Value* const ordinal = regs_.word(i.b);
    const Set bit = regs_.singleton(regs_.word(i.a), i.w * 64u, i.w);
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(i.imm); ++p) {
        const std::uint32_t reg = i.d + p * i.w;
        const Set added = b_.masked(bit, b_.CreateICmpEQ(ordinal, b_.number(p + 1)));
        regs_.put_set(reg, b_.either(b_.without(regs_.set(reg, i.w), bit), added));
    }
}

void SetOps::plane_fill(const Instr& i) {
    Value* const ordinal = regs_.word(i.b);
    const Set sites = regs_.set(i.a, i.w);
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(i.imm); ++p) {
        const std::uint32_t reg = i.d + p * i.w;
        const Set added = b_.masked(sites, b_.CreateICmpEQ(ordinal, b_.number(p + 1)));
        regs_.put_set(reg, b_.either(b_.without(regs_.set(reg, i.w), sites), added));
    }
}

} // namespace zug::codegen
