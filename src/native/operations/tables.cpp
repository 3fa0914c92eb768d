// Sets by tables and along lines: runs, floods, images.

#include "native/operations/operations.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace zug::codegen {

using run::Instr;
using run::Operation;

bool TableOps::translate(const Instr& i) {
    switch (run::operation_of(i.op)) {
    case Operation::Runs: runs(i); return true;
    case Operation::FloodTo: flood(i, false); return true;
    case Operation::FloodFrom: flood(i, true); return true;
    case Operation::Image: image(i); return true;
    case Operation::CountImage: count_image(i); return true;
    case Operation::Gather:
        regs_.put_set(i.d,
                      gather(regs_.set(i.a, i.w), {code_.tables.words[i.c].data(), static_cast<std::size_t>(i.imm)}));
        return true;
    case Operation::GatherAt: gather_at(i); return true;
    case Operation::SetTable: set_table(i); return true;
    case Operation::WordsAbove: words_above(i); return true;
    case Operation::SetAt: set_at(i); return true;
    default: return false;
    }
}

void TableOps::set_table(const Instr& i) {
    std::vector<std::uint64_t> rows = code_.tables.sets[i.c];
    rows.resize(rows.size() + i.w); // an empty set for all rows outside
    Value* const row = b_.CreateSub(regs_.word(i.a), b_.number(static_cast<std::uint64_t>(std::int64_t{i.imm})));
    regs_.put_set(i.d, b_.table_row(std::move(rows), row, i.w));
}

void TableOps::set_at(const Instr& i) {
    Value* const valid = b_.below(regs_.word(i.b), static_cast<std::uint64_t>(i.imm));
    Value* const first = b_.CreateMul(b_.CreateSelect(valid, regs_.word(i.b), b_.number(0)), b_.number(i.w));
    Set row;
    for (unsigned k = 0; k < i.w; ++k) row.push_back(b_.CreateLoad(b_.getInt64Ty(), regs_.address(i.a + k, first)));
    regs_.put_set(i.d, b_.masked(row, valid));
}

void TableOps::begin_block(const Shape::Block& block) {
    rows_compared_.clear();
    for (run::Entry at = block.begin; at < block.end; ++at)
        if (const Instr& i = code_.instrs[at]; run::operation_of(i.op) == Operation::WordsAbove) ++rows_compared_[i.a];
}

// A short row that is compared but once is read word by word: a vector that has just been written in part would wait
// for its words to reach the cache.
bool TableOps::is_read_by_words(const Instr& i) const {
    constexpr std::int32_t short_row = 8;
    return i.imm <= short_row && rows_compared_.at(i.a) == 1;
}

// Compares eight words at a time, as a vector.
void TableOps::words_above(const Instr& i) {
    Value* const bound = regs_.word(i.b);
    Set result = b_.nothing(i.w);
    if (is_read_by_words(i)) {
        for (unsigned v = 0; v < static_cast<unsigned>(i.imm); ++v) {
            Value* const word = b_.CreateLoad(b_.getInt64Ty(), regs_.address(i.a + v));
            Value* const greater = b_.CreateZExt(b_.CreateICmpSGT(word, bound), b_.getInt64Ty());
            result[0] = b_.CreateOr(result[0], b_.CreateShl(greater, b_.number(v)));
        }
        return regs_.put_set(i.d, result);
    }
    for (unsigned v = 0; v < static_cast<unsigned>(i.imm); v += 8) {
        const unsigned some = std::min(static_cast<unsigned>(i.imm) - v, 8U);
        auto* const type = llvm::FixedVectorType::get(b_.getInt64Ty(), some);
        Value* const words = b_.CreateAlignedLoad(type, regs_.address(i.a + v), llvm::Align(8));
        Value* const greater = b_.CreateICmpSGT(words, b_.CreateVectorSplat(some, bound));
        Value* const bits = b_.CreateZExt(b_.CreateBitCast(greater, b_.getIntNTy(some)), b_.getInt64Ty());
        result[v / 64] = b_.CreateOr(result[v / 64], b_.CreateShl(bits, b_.number(v % 64)));
    }
    regs_.put_set(i.d, result);
}

// Runs along four lines at once, in the words of a vector. The length that is known to be in the set at most doubles
// with each step. If all lines ascend, runs are found at their ends; otherwise at their beginnings, and then moved to
// the ends.
Value* TableOps::runs_of_four(Value* set, llvm::ArrayRef<std::int64_t> distances, std::int32_t length) {
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

void TableOps::runs(const Instr& i) {
    const auto& distances = code_.tables.words[i.c];
    const bool inside =
        std::ranges::all_of(distances, [&](std::int64_t d) { return (d < 0 ? -d : d) * (i.imm - 1) < 64; });
    if (tables_.features().vectors && i.w == 1 && distances.size() == 4 && inside)
        return regs_.put(i.d, runs_of_four(regs_.word(i.a), distances, i.imm));
    Set found = b_.nothing(i.w);
    for (const std::int64_t distance : distances) {
        Set line = regs_.set(i.a, i.w);
        for (std::int32_t length = 1; length < i.imm;) {
            const std::int32_t step = std::min(length, i.imm - length);
            line = b_.both(line, b_.shifted(line, static_cast<std::int32_t>(distance) * step));
            length += step;
        }
        found = b_.either(found, line);
    }
    regs_.put_set(i.d, found);
}

void TableOps::flood(const Instr& i, bool from) {
    const run::ShiftList& list = code_.tables.shifts[i.c];
    if (flood_line(i, from)) return;
    Set all = regs_.set(i.a, i.w);
    const Set open = regs_.set(i.b, i.w);
    b_.loop(all, [&](Set& carried) {
        const Set before = carried;
        const Set source = from ? b_.both(before, open) : before;
        for (const auto& shift : list.shifts) {
            Set reached = b_.shifted(source, shift.distance);
            if (!from) reached = b_.both(reached, open);
            if (from || list.masked) reached = b_.both(reached, regs_.set(shift.mask, i.w));
            carried = b_.either(carried, reached);
        }
        return b_.any(b_.without(carried, before));
    });
    regs_.put_set(i.d, all);
}

namespace {

using Words = std::vector<std::uint64_t>;
constexpr std::size_t most_distances = 8; // of shifts that are faster than a loop over a few members
constexpr std::size_t most_mirrored_distances = 2;

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

// A flood in one direction takes as many steps as the longest line has. The steps double: what can be passed in 1, 2, 4
// steps (a Kogge-Stone prefix, as chess programs use it).
bool TableOps::flood_line(const Instr& i, bool from) {
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
    // After `steps` steps nothing is left on the board, so no line has more than steps - 1.
    const Set start = regs_.set(i.a, i.w), open = regs_.set(i.b, i.w);
    Set pass = b_.both(open, b_.constant_set(mask));
    Set all = from ? b_.both(start, open) : start;
    for (const FillRound& round : fill_rounds(from ? steps - 1 : steps)) {
        if (round.doubled) pass = b_.both(pass, b_.shifted(pass, shift.distance * round.length / 2));
        all = b_.either(all, b_.both(pass, b_.shifted(all, shift.distance * round.length)));
    }
    // The last step leaves from a member of `open`, but may land outside of it.
    if (from) all = b_.either(start, b_.both(b_.shifted(all, shift.distance), b_.constant_set(mask)));
    regs_.put_set(i.d, all);
    return true;
}

// Elements that move by the same distance are moved by one shift.
Set TableOps::by_distance(const Set& from, const std::map<std::int64_t, Words>& landing) {
    Set result = b_.nothing(static_cast<unsigned>(from.size()));
    for (const auto& [distance, mask] : landing)
        result =
            b_.either(result, b_.both(b_.shifted(from, static_cast<std::int32_t>(distance)), b_.constant_set(mask)));
    return result;
}

// {v | table[v] in from}
Set TableOps::gather(const Set& from, std::span<const std::int64_t> table) {
    std::map<std::int64_t, Words> landing;
    for (std::size_t v = 0; v < table.size(); ++v) {
        if (table[v] < 0) continue;
        auto& mask = landing.try_emplace(static_cast<std::int64_t>(v) - table[v], from.size(), 0).first->second;
        mask[v / 64] |= std::uint64_t{1} << (v % 64);
    }
    return by_distance(from, landing);
}

void TableOps::gather_at(const Instr& i) {
    const auto& table = code_.tables.words[i.c];
    const auto size = static_cast<std::size_t>(i.imm);
    const Set from = regs_.set(i.a, i.w);
    llvm::BasicBlock* const after = b_.new_block("");
    llvm::BasicBlock* const outside = b_.new_block("");
    auto* choice = b_.CreateSwitch(regs_.word(i.b), outside);
    llvm::SmallVector<std::pair<Set, llvm::BasicBlock*>, 8> results;
    for (std::size_t row = 0; row < table.size() / size; ++row) {
        llvm::BasicBlock* const here = b_.new_block("gather");
        choice->addCase(b_.getInt64(row), here);
        b_.SetInsertPoint(here);
        results.emplace_back(gather(from, {table.data() + row * size, size}), here);
        b_.CreateBr(after);
    }
    b_.SetInsertPoint(outside);
    b_.CreateBr(after);
    results.emplace_back(b_.nothing(i.w), outside);
    b_.SetInsertPoint(after);
    Set merged;
    for (unsigned k = 0; k < i.w; ++k) {
        auto* phi = b_.CreatePHI(b_.getInt64Ty(), static_cast<unsigned>(results.size()));
        for (const auto& [result, block] : results) phi->addIncoming(result[k], block);
        merged.push_back(phi);
    }
    regs_.put_set(i.d, merged);
}

// The members of a set of one word, by the distances of the sites that the rows lead to. `mirrored`: by those from bit
// 63 - member.
static std::map<std::int64_t, Words> distances_of(const Words& rows, bool mirrored) {
    std::map<std::int64_t, Words> landing;
    for (std::size_t from = 0; from < std::min<std::size_t>(rows.size(), 64); ++from) {
        if (rows[from] == 0) continue;
        const auto start = static_cast<std::int64_t>(mirrored ? 63 - from : from);
        landing.try_emplace(std::countr_zero(rows[from]) - start, 1, 0).first->second[0] |= rows[from];
    }
    return landing;
}

void TableOps::image(const Instr& i) {
    // A single step, such as a direction of a board of lines, is taken by any number of men. Shifts need no loop, whose
    // end the processor can't predict. Rows of several sites are those of few pieces (compiler/lower/paths.cpp).
    const Words& rows = code_.tables.sets[i.c];
    if (i.w == 1 && std::ranges::all_of(rows, [](std::uint64_t row) { return std::popcount(row) <= 1; })) {
        const auto landing = distances_of(rows, false), mirrored = distances_of(rows, true);
        Value* const set = regs_.set(i.a, i.w)[0];
        const bool mirrors = mirrored.size() < landing.size();
        if (mirrors && mirrored.size() <= most_mirrored_distances)
            return regs_.put_set(i.d, by_distance({b_.mirrored(set)}, mirrored));
        if (landing.size() <= most_distances) return regs_.put_set(i.d, by_distance({set}, landing));
    }
    llvm::GlobalVariable* const table = tables_.words(code_.tables.sets[i.c]);
    regs_.put_set(i.d, regs_.union_over(regs_.set(i.a, i.w), [&](Value* member) {
        return b_.row_at(table, b_.CreateMul(member, b_.number(i.w)), i.w);
    }));
}

void TableOps::count_image(const Instr& i) {
    const Set target = regs_.set(i.b, i.w);
    llvm::GlobalVariable* const table = tables_.words(code_.tables.sets[i.c]);
    const Set total = b_.over_members(regs_.set(i.a, i.w), {b_.number(0)}, [&](Value* member, const Set& before) {
        const Set row = b_.row_at(table, b_.CreateMul(member, b_.number(i.w)), i.w);
        return Set{b_.CreateAdd(before[0], b_.count(b_.both(row, target)))};
    });
    regs_.put(i.d, total[0]);
}

} // namespace zug::codegen
