// Sets by tables: lines, floods, images.

#include "native/llvm/translator.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace zug::codegen {

using run::Instr;
using run::Opcode;

#define WIDTHS(name) Opcode::name##_1 : case Opcode::name##_M : case Opcode::name##_N

bool Translator::table_instruction(const Instr& i) {
    switch (i.op) {
    case WIDTHS(Runs): runs(i); return true;
    case WIDTHS(FloodTo): flood(i, false); return true;
    case WIDTHS(FloodFrom): flood(i, true); return true;
    case WIDTHS(Rays): rays(i); return true;
    case WIDTHS(Between): return between(i);
    case WIDTHS(Image): image(i); return true;
    case WIDTHS(Gather):
        put_set(i.d, gather(set(i.a, i.w), {code_.tables.words[i.c].data(), static_cast<std::size_t>(i.imm)}));
        return true;
    case WIDTHS(GatherAt): gather_at(i); return true;
    case WIDTHS(SetTable): {
        std::vector<std::uint64_t> rows = code_.tables.sets[i.c];
        rows.resize(rows.size() + i.w); // an empty set for all rows outside
        Value* const row = b_.CreateSub(word(i.a), number(static_cast<std::uint64_t>(std::int64_t{i.imm})));
        put_set(i.d, table_row(std::move(rows), row, i.w));
        return true;
    }
    case WIDTHS(WordsAbove): above(i); return true;
    case WIDTHS(SetAt): {
        Value* const valid = below(word(i.b), static_cast<std::uint64_t>(i.imm));
        Value* const first = b_.CreateMul(b_.CreateSelect(valid, word(i.b), number(0)), number(i.w));
        Set row;
        for (unsigned k = 0; k < i.w; ++k) row.push_back(b_.CreateLoad(b_.getInt64Ty(), address(i.a + k, first)));
        put_set(i.d, masked(row, valid));
        return true;
    }
    default: return false;
    }
}

// Eight words at a time, as vectors.
void Translator::above(const Instr& i) {
    Value* const bound = word(i.b);
    Set result = nothing(i.w);
    for (unsigned v = 0; v < static_cast<unsigned>(i.imm); v += 8) {
        const unsigned some = std::min(static_cast<unsigned>(i.imm) - v, 8U);
        auto* const type = llvm::FixedVectorType::get(b_.getInt64Ty(), some);
        Value* const words = b_.CreateAlignedLoad(type, address(i.a + v), llvm::Align(8));
        Value* const greater = b_.CreateICmpSGT(words, b_.CreateVectorSplat(some, bound));
        Value* const bits = b_.CreateZExt(b_.CreateBitCast(greater, b_.getIntNTy(some)), b_.getInt64Ty());
        result[v / 64] = b_.CreateOr(result[v / 64], b_.CreateShl(bits, number(v % 64)));
    }
    put_set(i.d, result);
}

// Runs of `length` shifted by as many as fit into what is left: a doubling.
// Four lines at once, in the four words of a vector. Where all lead up, they are found where they end; else where they
// begin, and moved to where they end.
Translator::Value* Translator::runs_of_four(Value* set, llvm::ArrayRef<std::int64_t> distances, std::int32_t length) {
    const auto by = [&](std::int64_t steps) {
        llvm::SmallVector<std::uint64_t, 4> result;
        for (const std::int64_t d : distances) result.push_back(static_cast<std::uint64_t>((d < 0 ? -d : d) * steps));
        return llvm::ConstantDataVector::get(b_.getContext(), result);
    };
    const bool up = llvm::all_of(distances, [](std::int64_t d) { return d > 0; });
    Value* lines = b_.CreateVectorSplat(4, set);
    for (std::int32_t known = 1; known < length;) {
        const std::int32_t step = std::min(known, length - known);
        lines = b_.CreateAnd(lines, up ? b_.CreateShl(lines, by(step)) : b_.CreateLShr(lines, by(step)));
        known += step;
    }
    if (!up) {
        llvm::SmallVector<std::uint64_t, 4> ends;
        for (const std::int64_t d : distances) ends.push_back(d < 0 ? 0 : static_cast<std::uint64_t>(d * (length - 1)));
        lines = b_.CreateShl(lines, llvm::ConstantDataVector::get(b_.getContext(), ends));
    }
    return b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_or, lines);
}

void Translator::runs(const Instr& i) {
    const auto& distances = code_.tables.words[i.c];
    const bool inside =
        std::ranges::all_of(distances, [&](std::int64_t d) { return (d < 0 ? -d : d) * (i.imm - 1) < 64; });
    if (tables_.vectors() && i.w == 1 && distances.size() == 4 && inside)
        return put(i.d, runs_of_four(word(i.a), distances, i.imm));
    Set found = nothing(i.w);
    for (const std::int64_t distance : distances) {
        Set line = set(i.a, i.w);
        for (std::int32_t length = 1; length < i.imm;) {
            const std::int32_t step = std::min(length, i.imm - length);
            line = both(line, shifted(line, static_cast<std::int32_t>(distance) * step));
            length += step;
        }
        found = either(found, line);
    }
    put_set(i.d, found);
}

void Translator::flood(const Instr& i, bool from) {
    const run::ShiftList& list = code_.tables.shifts[i.c];
    if (flood_line(i, from)) return;
    Set all = set(i.a, i.w);
    const Set open = set(i.b, i.w);
    phi_loop(all, [&](Set& carried) {
        const Set before = carried;
        const Set source = from ? both(before, open) : before;
        for (const auto& shift : list.shifts) {
            Set reached = shifted(source, shift.distance);
            if (!from) reached = both(reached, open);
            if (from || list.masked) reached = both(reached, set(shift.mask, i.w));
            carried = either(carried, reached);
        }
        return any(without(carried, before));
    });
    put_set(i.d, all);
}

namespace {

using Words = std::vector<std::uint64_t>;

Words shifted_words(const Words& set, std::int32_t distance) {
    Words result(set.size(), 0);
    const auto bits = static_cast<std::int64_t>(set.size() * 64);
    for (std::int64_t from = 0; from < bits; ++from) {
        const std::int64_t to = from + distance;
        if (to >= 0 && to < bits && (set[static_cast<std::size_t>(from) / 64] >> (from % 64) & 1) != 0)
            result[static_cast<std::size_t>(to) / 64] |= std::uint64_t{1} << (to % 64);
    }
    return result;
}

} // namespace

// A flood in one direction takes as many steps as the longest line has. Steps double: what can be passed in 1, 2, 4
// steps (Kogge and Stone's prefix, as chess programs use it).
bool Translator::flood_line(const Instr& i, bool from) {
    const run::ShiftList& list = code_.tables.shifts[i.c];
    if (list.shifts.size() != 1) return false;
    const auto& shift = list.shifts[0];
    Words mask(i.w, ~std::uint64_t{0});
    if (from || list.masked)
        for (unsigned k = 0; k < i.w; ++k) mask[k] = tables_.constant(shift.mask + k);
    std::int32_t steps = 0;
    Words there(i.w, ~std::uint64_t{0});
    for (; steps < 64 && std::ranges::any_of(there, [](std::uint64_t w) { return w != 0; }); ++steps) {
        there = shifted_words(there, shift.distance);
        for (unsigned k = 0; k < i.w; ++k) there[k] &= mask[k];
    }
    if (steps >= 64) return false;
    // `steps` rounds leave nothing, so no line has more than steps - 1.
    const Set start = set(i.a, i.w), open = set(i.b, i.w);
    Set pass = both(open, constant_set(mask));
    Set all = from ? both(start, open) : start;
    for (const FillRound& round : fill_rounds(from ? steps - 1 : steps)) {
        if (round.doubled) pass = both(pass, shifted(pass, shift.distance * round.length / 2));
        all = either(all, both(pass, shifted(all, shift.distance * round.length)));
    }
    // Steps from what was reached within `open` may land outside of it.
    if (from) all = either(start, both(shifted(all, shift.distance), constant_set(mask)));
    put_set(i.d, all);
    return true;
}

// {v | table[v] in from}: places that come from the same distance are moved together.
Translator::Set Translator::gather(const Set& from, std::span<const std::int64_t> table) {
    const auto width = static_cast<unsigned>(from.size());
    std::map<std::int64_t, Words> landing; // by distance
    for (std::size_t v = 0; v < table.size(); ++v) {
        if (table[v] < 0) continue;
        auto& mask = landing.try_emplace(static_cast<std::int64_t>(v) - table[v], width, 0).first->second;
        mask[v / 64] |= std::uint64_t{1} << (v % 64);
    }
    Set result = nothing(width);
    for (const auto& [distance, mask] : landing)
        result = either(result, both(shifted(from, static_cast<std::int32_t>(distance)), constant_set(mask)));
    return result;
}

void Translator::gather_at(const Instr& i) {
    const auto& table = code_.tables.words[i.c];
    const auto size = static_cast<std::size_t>(i.imm);
    const Set from = set(i.a, i.w);
    llvm::BasicBlock* const after = new_block("");
    llvm::BasicBlock* const outside = new_block("");
    auto* choice = b_.CreateSwitch(word(i.b), outside);
    llvm::SmallVector<std::pair<Set, llvm::BasicBlock*>, 8> results;
    for (std::size_t row = 0; row < table.size() / size; ++row) {
        llvm::BasicBlock* const here = new_block("gather");
        choice->addCase(b_.getInt64(row), here);
        b_.SetInsertPoint(here);
        results.emplace_back(gather(from, {table.data() + row * size, size}), here);
        b_.CreateBr(after);
    }
    b_.SetInsertPoint(outside);
    b_.CreateBr(after);
    results.emplace_back(nothing(i.w), outside);
    b_.SetInsertPoint(after);
    Set merged;
    for (unsigned k = 0; k < i.w; ++k) {
        auto* phi = b_.CreatePHI(b_.getInt64Ty(), static_cast<unsigned>(results.size()));
        for (const auto& [result, block] : results) phi->addIncoming(result[k], block);
        merged.push_back(phi);
    }
    put_set(i.d, merged);
}

// The union of of(member) over the members of a set, where of() makes sets of as many words.
Translator::Set Translator::each_member(const Set& members, llvm::function_ref<Set(Value*)> of) {
    if (const auto only = only_members_.find(members[0]); members.size() == 1 && only != only_members_.end())
        return of(only->second);
    return over_members(members, nothing(static_cast<unsigned>(members.size())),
                        [&](Value* place, const Set& before) { return either(before, of(place)); });
}

// What a member makes of the words that the members before it have made.
Translator::Set Translator::over_members(const Set& members, Set total,
                                         llvm::function_ref<Set(Value*, const Set&)> with) {
    for (unsigned k = 0; k < members.size(); ++k) {
        llvm::BasicBlock* const before = b_.GetInsertBlock();
        llvm::BasicBlock* const loop = new_block("members");
        llvm::BasicBlock* const after = new_block("");
        b_.CreateCondBr(nonzero(members[k]), loop, after);
        b_.SetInsertPoint(loop);
        llvm::PHINode* const left = b_.CreatePHI(b_.getInt64Ty(), 2);
        left->addIncoming(members[k], before);
        llvm::SmallVector<llvm::PHINode*, 8> phis;
        Set here;
        for (Value* word : total) {
            phis.push_back(b_.CreatePHI(b_.getInt64Ty(), 2));
            phis.back()->addIncoming(word, before);
            here.push_back(phis.back());
        }
        Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, b_.getTrue());
        here = with(b_.CreateAdd(zeros, number(k * 64)), here);
        Value* const rest = b_.CreateAnd(left, b_.CreateSub(left, number(1)));
        llvm::BasicBlock* const end = b_.GetInsertBlock();
        left->addIncoming(rest, end);
        for (unsigned w = 0; w < phis.size(); ++w) phis[w]->addIncoming(here[w], end);
        b_.CreateCondBr(nonzero(rest), loop, after);
        b_.SetInsertPoint(after);
        for (unsigned w = 0; w < total.size(); ++w) {
            llvm::PHINode* const phi = b_.CreatePHI(b_.getInt64Ty(), 2);
            phi->addIncoming(total[w], before);
            phi->addIncoming(here[w], end);
            total[w] = phi;
        }
    }
    return total;
}

// A row of a constant table, from word `first` on.
Translator::Set Translator::row_at(llvm::GlobalVariable* table, Value* first, unsigned width) {
    Set result;
    for (unsigned k = 0; k < width; ++k) {
        Value* const at = b_.CreateInBoundsGEP(b_.getInt64Ty(), table, k == 0 ? first : b_.CreateAdd(first, number(k)));
        auto* load = b_.CreateLoad(b_.getInt64Ty(), at);
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
        result.push_back(load);
    }
    return result;
}

void Translator::image(const Instr& i) {
    llvm::GlobalVariable* const table = tables_.words(code_.tables.sets[i.c]);
    put_set(i.d, each_member(set(i.a, i.w),
                             [&](Value* place) { return row_at(table, b_.CreateMul(place, number(i.w)), i.w); }));
}

} // namespace zug::codegen
