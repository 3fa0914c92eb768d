// Rays: by rows of tables, one direction after the other, or along all lines at once (RayLines).

#include "native/operations/operations.hpp"

#include "base/narrow.hpp"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace zug::codegen {

namespace {

// Directions from which on a vector of all lines pays.
constexpr int worth_lines = 4;

} // namespace

void RayOps::begin_block() {
    unions_.clear();
    counts_.clear();
    all_lines_.clear();
}

bool RayOps::translate(const run::Instr& i) {
    switch (run::operation_of(i.op)) {
    case run::Operation::Rays: rays(i); return true;
    case run::Operation::CountRays: count_rays(i); return true;
    case run::Operation::Between: return between(i);
    default: return false;
    }
}

// A vector with a word for each line.
llvm::Constant* RayOps::for_lines(llvm::function_ref<std::uint64_t(const RayLines::Line&)> of) {
    llvm::SmallVector<std::uint64_t, RayLines::count> words;
    for (const RayLines::Line& line : tables_.lines().lines()) words.push_back(of(line));
    return llvm::ConstantDataVector::get(b_.getContext(), words);
}

// Moves the word of each line `steps` steps along it. Bits that leave the word enter it at the other end.
Value* RayOps::along(Value* lanes, std::int32_t steps) {
    llvm::Constant* const by = for_lines([&](const RayLines::Line& line) {
        return static_cast<std::uint64_t>(std::int64_t{line.distance} * steps) % 64;
    });
    return b_.CreateIntrinsic(llvm::Intrinsic::fshl, {lanes->getType()}, {lanes, lanes, by});
}

// The rays from the starts of each line through `through`, by a Kogge-Stone prefix as in flood_line. What is computed
// from `through` alone is common to all rays through it.
Value* RayOps::ray_lanes(Value* from, Value* through) {
    llvm::Constant* const landing = for_lines([](const RayLines::Line& line) { return line.landing; });
    Value* pass = b_.CreateAnd(b_.CreateVectorSplat(RayLines::count, through), landing);
    const std::int32_t steps = tables_.lines().steps();
    for (std::int32_t length = 1; length < steps; length *= 2) {
        from = b_.CreateOr(from, b_.CreateAnd(pass, along(from, length)));
        if (length * 2 < steps) pass = b_.CreateAnd(pass, along(pass, length));
    }
    return b_.CreateAnd(along(from, 1), landing);
}

// Clears the words of all other lines.
Value* RayOps::only_lines(Value* lanes, std::uint32_t lines) {
    llvm::SmallVector<std::uint64_t, RayLines::count> words;
    for (unsigned k = 0; k < RayLines::count; ++k) words.push_back((lines >> k & 1) != 0 ? ~std::uint64_t{0} : 0);
    return b_.CreateAnd(lanes, llvm::ConstantDataVector::get(b_.getContext(), words));
}

Value* RayOps::all_lines(Value* from, Value* through) {
    Value*& known = all_lines_[{from, through}];
    if (known == nullptr) known = ray_lanes(b_.CreateVectorSplat(RayLines::count, from), through);
    return known;
}

Value* RayOps::starts(Value* set, std::uint32_t lines) {
    return only_lines(b_.CreateVectorSplat(RayLines::count, set), lines);
}

Value* RayOps::make_union(const Cast& cast) {
    Value* lanes = ray_lanes(cast.from, cast.through);
    if (cast.opposite != nullptr) {
        lanes = b_.CreateShuffleVector(lanes, {4, 5, 6, 7, 0, 1, 2, 3});
        lanes = b_.CreateAnd(lanes, cast.opposite);
    }
    Value* const all = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_or, lanes);
    Value* const result = cast.rest == nullptr ? all : b_.CreateOr(all, cast.rest);
    unions_[result] = cast;
    return result;
}

Value* RayOps::make_count(const Cast& cast) {
    Value* const lanes =
        b_.CreateAnd(ray_lanes(cast.from, cast.through), b_.CreateVectorSplat(RayLines::count, cast.target));
    Value* const members = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, lanes);
    Value* const all = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_add, members);
    Value* const result = cast.rest == nullptr ? all : b_.CreateAdd(all, cast.rest);
    counts_[result] = cast;
    return result;
}

// Casts rays along all lines and selects some, since another instruction may select others from the same sites.
Value* RayOps::rays_of_all(Value* from, Value* through, std::uint32_t lines) {
    Value* const all = all_lines(from, through);
    Value* const result = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_or, only_lines(all, lines));
    unions_[result] = {.from = starts(from, lines), .through = through};
    return result;
}

// Combines two values of which at least one is known to be made of rays; nullopt if neither is. If both cast rays
// through the same set, their starts are united and the rays cast once; otherwise one becomes the rest of the other.
// The code of the separate values is left without a use.
std::optional<RayOps::Cast> RayOps::joined(const std::unordered_map<Value*, Cast>& casts, Value* a, Value* b,
                                           llvm::Instruction::BinaryOps join) {
    if (!casts.contains(b)) std::swap(a, b);
    const auto more = casts.find(b), known = casts.find(a);
    if (more == casts.end()) return std::nullopt;
    Cast all = more->second;
    const auto add_rest = [&](Value* rest) {
        all.rest = all.rest == nullptr ? rest : b_.CreateBinOp(join, all.rest, rest);
    };
    if (known == casts.end() || known->second.through != all.through || known->second.opposite != all.opposite ||
        known->second.target != all.target) {
        add_rest(a);
    } else {
        all.from = b_.CreateOr(all.from, known->second.from);
        if (known->second.rest != nullptr) add_rest(known->second.rest);
    }
    return all;
}

bool RayOps::join_union(const run::Instr& i) {
    const auto all = joined(unions_, regs_.word(i.a), regs_.word(i.b), llvm::Instruction::Or);
    if (all) regs_.put(i.d, make_union(*all));
    return all.has_value();
}

Value* RayOps::join_sum(Value* a, Value* b) {
    const auto all = joined(counts_, a, b, llvm::Instruction::Add);
    return all ? make_count(*all) : nullptr;
}

// Sites beyond the nearest obstacle are masked out. That is the lowest bit of the obstacles in an ascending direction,
// the highest in a descending one. The words of both sets are numbers, or vectors with a lane for each of several rays.
Set RayOps::ray(const Set& row, const Set& through, bool up) {
    Set result(row.size(), nullptr);
    const Set obstacles = b_.without(row, through);
    llvm::Type* const type = row[0]->getType();
    const auto all = [&](std::uint64_t n) { return llvm::ConstantInt::get(type, n); };
    Value* blocked = nullptr; // there is an obstacle in a word before
    for (unsigned n = 0; n < row.size(); ++n) {
        const unsigned k = up ? n : static_cast<unsigned>(row.size()) - 1 - n;
        Value* const met = obstacles[k];
        Value* reach = nullptr;
        if (up) {
            reach = b_.CreateXor(met, b_.CreateSub(met, all(1)));
        } else {
            Value* const some = b_.CreateOr(met, all(1));
            Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, some, b_.getTrue());
            reach = b_.CreateShl(all(~std::uint64_t{0}), b_.CreateXor(zeros, all(63)));
        }
        result[k] = b_.CreateAnd(row[k], reach);
        if (blocked != nullptr) result[k] = b_.CreateSelect(blocked, all(0), result[k]);
        Value* const some = b_.CreateICmpNE(met, all(0));
        blocked = blocked == nullptr ? some : b_.CreateOr(blocked, some);
    }
    return result;
}

// The ascending rays of a site in the lanes of one vector, or the descending ones.
Set RayOps::fan(const run::RayTable& rays, Value* site, const Set& through, bool up) {
    const std::uint32_t first = up ? 0 : rays.up, count = up ? rays.up : rays.count - rays.up;
    const std::uint32_t lanes = std::bit_ceil(std::max(rays.up, rays.count - rays.up));
    const auto width = static_cast<std::uint32_t>(through.size());
    const std::size_t sites = rays.rows.size() / (std::size_t{rays.count} * width);
    std::vector<std::uint64_t> rows(sites * width * lanes, 0);
    for (std::size_t s = 0; s < sites; ++s)
        for (std::uint32_t d = 0; d < count; ++d)
            for (std::uint32_t k = 0; k < width; ++k)
                rows[(s * width + k) * lanes + d] = rays.rows[(s * rays.count + first + d) * width + k];
    llvm::GlobalVariable* const table = tables_.words(std::move(rows));
    auto* const type = llvm::FixedVectorType::get(b_.getInt64Ty(), lanes);
    Set row, through_all;
    for (std::uint32_t k = 0; k < width; ++k) {
        Value* const at = b_.CreateAdd(b_.CreateMul(site, b_.number(std::uint64_t{width} * lanes)),
                                       b_.number(std::uint64_t{k} * lanes));
        row.push_back(b_.constant_at(table, at, type));
        through_all.push_back(b_.CreateVectorSplat(lanes, through[k]));
    }
    return ray(row, through_all, up);
}

// The rays of a site: one each, or several in the lanes of vectors, all of as many.
llvm::SmallVector<Set, 8> RayOps::rays_of_site(const run::RayTable& rays, Value* site, const Set& through) {
    llvm::SmallVector<Set, 8> result;
    if (tables_.features().vectors && rays.count >= worth_lines) {
        if (rays.up > 0) result.push_back(fan(rays, site, through, true));
        if (rays.up < rays.count) result.push_back(fan(rays, site, through, false));
        return result;
    }
    llvm::GlobalVariable* const table = tables_.words(rays.rows);
    const auto width = static_cast<unsigned>(through.size());
    Value* const first = b_.CreateMul(site, b_.number(std::uint64_t{rays.count} * width));
    for (std::uint32_t d = 0; d < rays.count; ++d) {
        const Set row = b_.row_at(table, b_.CreateAdd(first, b_.number(std::uint64_t{d} * width)), width);
        result.push_back(ray(row, through, d < rays.up));
    }
    return result;
}

Set RayOps::rays_from(const run::RayTable& rays, const Set& from, const Set& through) {
    return regs_.union_over(from, [&](Value* site) {
        Set result;
        for (const Set& seen : rays_of_site(rays, site, through))
            result = result.empty() ? seen : b_.either(result, seen);
        for (Value*& word : result)
            if (word->getType()->isVectorTy()) word = b_.CreateOrReduce(word);
        return result;
    });
}

llvm::Function* RayOps::rays_function(std::uint16_t table) {
    return b_.shared_function("rays" + std::to_string(table), 2, [&](llvm::Function& f) {
        return rays_from(code_.tables.rays[table], {f.getArg(0)}, {f.getArg(1)})[0];
    });
}

void RayOps::rays(const run::Instr& i) {
    // Programs that test attacks on many squares, as chess does for castling, would consist of rays by half, so these
    // share a function. A few are better inlined: Othello, in which each direction occurs four times, loses 3 % with
    // calls.
    constexpr unsigned worth_sharing = 8;
    const std::uint32_t lines = i.w == 1 && tables_.features().vectors ? tables_.lines().lines_of(i.c) : 0;
    if (std::popcount(lines) >= worth_lines)
        regs_.put(i.d, rays_of_all(regs_.word(i.a), regs_.word(i.b), lines));
    else if (i.w == 1 && tables_.uses_of_rays(i.c) >= worth_sharing)
        regs_.put(i.d, b_.CreateCall(rays_function(i.c), {regs_.word(i.a), regs_.word(i.b)}));
    else
        regs_.put_set(i.d, rays_from(code_.tables.rays[i.c], regs_.set(i.a, i.w), regs_.set(i.b, i.w)));
}

void RayOps::count_rays(const run::Instr& i) {
    const auto number_of = narrow<std::uint16_t>(i.imm);
    const run::RayTable& rays = code_.tables.rays[number_of];
    const Set through = regs_.set(i.b, i.w), target = regs_.set(i.c, i.w);
    if (const std::uint32_t lines = i.w == 1 && tables_.features().vectors ? tables_.lines().lines_of(number_of) : 0)
        return regs_.put(
            i.d, make_count({.from = starts(regs_.word(i.a), lines), .through = through[0], .target = target[0]}));
    regs_.put(i.d, regs_.sum_over(regs_.set(i.a, i.w), [&](Value* site) {
        Value* sum = nullptr;
        for (const Set& seen : rays_of_site(rays, site, through)) {
            Set targets = target;
            if (auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(seen[0]->getType()))
                for (Value*& word : targets) word = b_.CreateVectorSplat(type->getNumElements(), word);
            Value* const members = b_.count(b_.both(seen, targets));
            sum = sum == nullptr ? members : b_.CreateAdd(sum, members);
        }
        return sum->getType()->isVectorTy() ? b_.CreateAddReduce(sum) : sum;
    }));
}

bool RayOps::between(const run::Instr& i) {
    if (i.w != 1) return false;
    const auto table = narrow<std::uint16_t>(i.imm);
    Value *const from = regs_.word(i.a), *const through = regs_.word(i.b), *const target = regs_.word(i.c);
    const RayLines& all = tables_.lines();
    if (const std::uint32_t lines = tables_.features().vectors ? all.lines_of(table) : 0;
        lines != 0 && all.are_paired()) {
        const std::uint32_t back = (lines >> 4 | lines << 4) & 0xFF;
        regs_.put(i.d,
                  make_union({.from = starts(target, back), .through = through, .opposite = all_lines(from, through)}));
    } else {
        regs_.put(i.d, b_.CreateCall(between_function(table), {from, through, target}));
    }
    return true;
}

// The result of SpatialOps::between (bytecode/vm_spatial_ops.hpp) without a loop over the sites in sight: those before
// the last target in sight, and the obstacle at the end if a target is in sight from there.
Value* RayOps::lines_between(std::uint16_t number_of, Value* from, Value* through, Value* target) {
    const run::RayTable& rays = code_.tables.rays[number_of];
    llvm::GlobalVariable* const table = tables_.words(rays.rows);
    return regs_.union_over({from}, [&](Value* site) {
        Value* result = b_.number(0);
        for (std::uint32_t d = 0; d < rays.count; ++d) {
            const bool up = d < rays.up;
            const auto unions_from = [&](Value* at) {
                Value* const first = b_.CreateAdd(b_.CreateMul(at, b_.number(rays.count)), b_.number(d));
                return ray(b_.row_at(table, first, 1), {through}, up)[0];
            };
            Value* const seen = unions_from(site);
            Value* const met = b_.CreateAnd(seen, target);
            Value* before = nullptr; // the last target that is met
            if (up) {
                Value* const zeros =
                    b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, b_.CreateOr(met, b_.number(1)), b_.getTrue());
                before = b_.CreateNot(b_.CreateShl(b_.number(~std::uint64_t{0}), b_.CreateXor(zeros, b_.number(63))));
            } else {
                before = b_.CreateNot(b_.CreateXor(met, b_.CreateSub(met, b_.number(1))));
            }
            result = b_.CreateOr(result, b_.CreateAnd(seen, before));
            Value* const obstacle = b_.CreateAnd(seen, b_.CreateNot(through));
            Value* const there = b_.CreateAnd(b_.lowest_member({obstacle}), b_.number(63));
            Value* const beyond = b_.CreateAnd(unions_from(there), target);
            result = b_.CreateOr(result, b_.CreateSelect(b_.nonzero(beyond), obstacle, b_.number(0)));
        }
        return Set{result};
    })[0];
}

llvm::Function* RayOps::between_function(std::uint16_t table) {
    return b_.shared_function("between" + std::to_string(table), 3, [&](llvm::Function& f) {
        return lines_between(table, f.getArg(0), f.getArg(1), f.getArg(2));
    });
}

} // namespace zug::codegen
