// Rays: by rows of tables, one direction after the other, or along all lines at once (RayLines).

#include "native/llvm/translator.hpp"

#include <llvm/IR/Intrinsics.h>

#include <bit>

namespace zug::codegen {

namespace {

// So many directions, or more, are worth a vector.
constexpr int worth_lines = 4;

} // namespace

llvm::Constant* Translator::for_lines(llvm::function_ref<std::uint64_t(const RayLines::Line&)> of) {
    llvm::SmallVector<std::uint64_t, RayLines::count> words;
    for (const RayLines::Line& line : tables_.lines().lines()) words.push_back(of(line));
    return llvm::ConstantDataVector::get(b_.getContext(), words);
}

// Along each line: so many steps further. What would leave the board comes in at the other end of the word.
Translator::Value* Translator::along(Value* lanes, std::int32_t steps) {
    llvm::Constant* const by = for_lines([&](const RayLines::Line& line) {
        return static_cast<std::uint64_t>(std::int64_t{line.distance} * steps) % 64;
    });
    return b_.CreateIntrinsic(llvm::Intrinsic::fshl, {lanes->getType()}, {lanes, lanes, by});
}

// From places, a word a line, through the same places to the first that isn't one of them: by Kogge and Stone's prefix,
// as flood_line does. What is made of `through` alone is the same for all rays through it.
Translator::Value* Translator::ray_lanes(Value* from, Value* through) {
    llvm::Constant* const landing = for_lines([](const RayLines::Line& line) { return line.landing; });
    Value* pass = b_.CreateAnd(b_.CreateVectorSplat(RayLines::count, through), landing);
    const std::int32_t steps = tables_.lines().steps();
    for (std::int32_t length = 1; length < steps; length *= 2) {
        from = b_.CreateOr(from, b_.CreateAnd(pass, along(from, length)));
        if (length * 2 < steps) pass = b_.CreateAnd(pass, along(pass, length));
    }
    return b_.CreateAnd(along(from, 1), landing);
}

// The words of these lines as they are, the others empty.
Translator::Value* Translator::only_lines(Value* lanes, std::uint32_t lines) {
    llvm::SmallVector<std::uint64_t, RayLines::count> words;
    for (unsigned k = 0; k < RayLines::count; ++k) words.push_back((lines >> k & 1) != 0 ? ~std::uint64_t{0} : 0);
    return b_.CreateAnd(lanes, llvm::ConstantDataVector::get(b_.getContext(), words));
}

Translator::Value* Translator::all_lines(Value* from, Value* through) {
    Value*& known = all_lines_[{from, through}];
    if (known == nullptr) known = ray_lanes(b_.CreateVectorSplat(RayLines::count, from), through);
    return known;
}

Translator::Value* Translator::starts(Value* set, std::uint32_t lines) {
    return only_lines(b_.CreateVectorSplat(RayLines::count, set), lines);
}

Translator::Value* Translator::make_seen(const Seen& seen) {
    Value* lanes = ray_lanes(seen.from, seen.through);
    if (seen.opposite != nullptr) {
        lanes = b_.CreateShuffleVector(lanes, {4, 5, 6, 7, 0, 1, 2, 3});
        lanes = b_.CreateAnd(lanes, seen.opposite);
    }
    Value* const all = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_or, lanes);
    Value* const result = seen.rest == nullptr ? all : b_.CreateOr(all, seen.rest);
    seen_[result] = seen;
    return result;
}

Translator::Value* Translator::make_count(const Seen& seen) {
    Value* const lanes =
        b_.CreateAnd(ray_lanes(seen.from, seen.through), b_.CreateVectorSplat(RayLines::count, seen.target));
    Value* const members = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, lanes);
    Value* const all = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_add, members);
    Value* const result = seen.rest == nullptr ? all : b_.CreateAdd(all, seen.rest);
    counted_[result] = seen;
    return result;
}

// All lines and then some of them: others may be asked for from the same place.
Translator::Value* Translator::rays_of_all(Value* from, Value* through, std::uint32_t lines) {
    Value* const all = all_lines(from, through);
    Value* const result = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_or, only_lines(all, lines));
    seen_[result] = {.from = starts(from, lines), .through = through};
    return result;
}

// What two values of one sort have seen, put together: through the same places from both at once, else the one beside
// the other. What was made for each is not used then. Empty: neither is of that sort.
std::optional<Translator::Seen> Translator::joined(const std::unordered_map<Value*, Seen>& sort, Value* a, Value* b,
                                                   llvm::Instruction::BinaryOps join) {
    if (!sort.contains(b)) std::swap(a, b);
    const auto more = sort.find(b), known = sort.find(a);
    if (more == sort.end()) return std::nullopt;
    Seen all = more->second;
    const auto add_rest = [&](Value* rest) {
        all.rest = all.rest == nullptr ? rest : b_.CreateBinOp(join, all.rest, rest);
    };
    if (known == sort.end() || known->second.through != all.through || known->second.opposite != all.opposite ||
        known->second.target != all.target) {
        add_rest(a);
    } else {
        all.from = b_.CreateOr(all.from, known->second.from);
        if (known->second.rest != nullptr) add_rest(known->second.rest);
    }
    return all;
}

bool Translator::or_of_rays(const run::Instr& i) {
    const auto all = joined(seen_, word(i.a), word(i.b), llvm::Instruction::Or);
    if (all) put(i.d, make_seen(*all));
    return all.has_value();
}

// Null: it isn't that.
Translator::Value* Translator::sum_of_rays(Value* a, Value* b) {
    const auto all = joined(counted_, a, b, llvm::Instruction::Add);
    return all ? make_count(*all) : nullptr;
}

// What lies beyond the nearest obstacle is masked out: in ascending order that is the lowest bit of the obstacles, in
// descending order the highest.
Translator::Set Translator::ray(const Set& row, const Set& through, bool up) {
    Set result(row.size(), nullptr);
    const Set obstacles = without(row, through);
    Value* blocked = nullptr; // by a word before
    for (unsigned n = 0; n < row.size(); ++n) {
        const unsigned k = up ? n : static_cast<unsigned>(row.size()) - 1 - n;
        Value* const met = obstacles[k];
        Value* reach = nullptr;
        if (up) {
            reach = b_.CreateXor(met, b_.CreateSub(met, number(1)));
        } else {
            Value* const some = b_.CreateOr(met, number(1));
            Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, some, b_.getTrue());
            reach = b_.CreateShl(number(~std::uint64_t{0}), b_.CreateXor(zeros, number(63)));
        }
        result[k] = b_.CreateAnd(row[k], reach);
        if (blocked != nullptr) result[k] = b_.CreateSelect(blocked, number(0), result[k]);
        blocked = blocked == nullptr ? nonzero(met) : b_.CreateOr(blocked, nonzero(met));
    }
    return result;
}

Translator::Set Translator::rays_from(const run::RayTable& rays, const Set& from, const Set& through) {
    llvm::GlobalVariable* const table = tables_.words(rays.rows);
    const auto width = static_cast<unsigned>(from.size());
    return each_member(from, [&](Value* place) {
        Value* const first = b_.CreateMul(place, number(rays.count * width));
        Set result = nothing(width);
        for (std::uint32_t d = 0; d < rays.count; ++d) {
            const Set row = row_at(table, b_.CreateAdd(first, number(d * width)), width);
            result = either(result, ray(row, through, d < rays.up));
        }
        return result;
    });
}

// From one word and another to a third, in a function that all instructions with this table share.
llvm::Function* Translator::rays_function(std::uint16_t table) {
    const std::string name = "rays" + std::to_string(table);
    if (llvm::Function* const known = tables_.module().getFunction(name)) return known;
    auto* const type = llvm::FunctionType::get(b_.getInt64Ty(), {b_.getInt64Ty(), b_.getInt64Ty()}, false);
    auto* const shared = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, tables_.module());
    shared->setDoesNotThrow();
    shared->setDoesNotAccessMemory(); // but for constants
    shared->setWillReturn();
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    llvm::Function* const own = std::exchange(function_, shared);
    b_.SetInsertPoint(new_block("entry"));
    b_.CreateRet(rays_from(code_.tables.rays[table], {shared->getArg(0)}, {shared->getArg(1)})[0]);
    function_ = own;
    return shared;
}

void Translator::rays(const run::Instr& i) {
    // Where attacks on many squares are asked for, as in castling, their code would be half of all. Fewer are better in
    // place: Othello, whose directions occur four times each, loses 3 % with calls.
    constexpr unsigned worth_sharing = 8;
    const std::uint32_t lines = i.w == 1 && tables_.vectors() ? tables_.lines().lines_of(i.c) : 0;
    if (std::popcount(lines) >= worth_lines)
        put(i.d, rays_of_all(word(i.a), word(i.b), lines));
    else if (i.w == 1 && tables_.uses_of_rays(i.c) >= worth_sharing)
        put(i.d, b_.CreateCall(rays_function(i.c), {word(i.a), word(i.b)}));
    else
        put_set(i.d, rays_from(code_.tables.rays[i.c], set(i.a, i.w), set(i.b, i.w)));
}

void Translator::count_rays(const run::Instr& i) {
    const auto number_of = static_cast<std::uint16_t>(i.imm);
    const run::RayTable& rays = code_.tables.rays[number_of];
    const Set through = set(i.b, i.w), target = set(i.c, i.w);
    if (const std::uint32_t lines = i.w == 1 && tables_.vectors() ? tables_.lines().lines_of(number_of) : 0)
        return put(i.d, make_count({.from = starts(word(i.a), lines), .through = through[0], .target = target[0]}));
    llvm::GlobalVariable* const table = tables_.words(rays.rows);
    const Set total = over_members(set(i.a, i.w), {number(0)}, [&](Value* place, const Set& before) {
        Value* const first = b_.CreateMul(place, number(std::uint64_t{rays.count} * i.w));
        Value* sum = before[0];
        for (std::uint32_t d = 0; d < rays.count; ++d) {
            const Set row = row_at(table, b_.CreateAdd(first, number(std::uint64_t{d} * i.w)), i.w);
            sum = b_.CreateAdd(sum, count(both(ray(row, through, d < rays.up), target)));
        }
        return Set{sum};
    });
    put(i.d, total[0]);
}

void Translator::count_image(const run::Instr& i) {
    const Set target = set(i.b, i.w);
    llvm::GlobalVariable* const table = tables_.words(code_.tables.sets[i.c]);
    const Set total = over_members(set(i.a, i.w), {number(0)}, [&](Value* place, const Set& before) {
        const Set row = row_at(table, b_.CreateMul(place, number(i.w)), i.w);
        return Set{b_.CreateAdd(before[0], count(both(row, target)))};
    });
    put(i.d, total[0]);
}

bool Translator::between(const run::Instr& i) {
    if (i.w != 1) return false;
    const auto table = static_cast<std::uint16_t>(i.imm);
    Value *const from = word(i.a), *const through = word(i.b), *const target = word(i.c);
    const RayLines& all = tables_.lines();
    if (const std::uint32_t lines = tables_.vectors() ? all.lines_of(table) : 0; lines != 0 && all.are_paired()) {
        const std::uint32_t back = (lines >> 4 | lines << 4) & 0xFF;
        put(i.d, make_seen({.from = starts(target, back), .through = through, .opposite = all_lines(from, through)}));
    } else {
        put(i.d, b_.CreateCall(between_function(table), {from, through, target}));
    }
    return true;
}

// As the machine does it, without a loop over the places in sight: those before the last target in sight, and the
// obstacle at the end if a target is in sight from there.
Translator::Value* Translator::lines_between(std::uint16_t number_of, Value* from, Value* through, Value* target) {
    const run::RayTable& rays = code_.tables.rays[number_of];
    llvm::GlobalVariable* const table = tables_.words(rays.rows);
    return each_member({from}, [&](Value* place) {
        Value* result = number(0);
        for (std::uint32_t d = 0; d < rays.count; ++d) {
            const bool up = d < rays.up;
            const auto seen_from = [&](Value* at) {
                Value* const first = b_.CreateAdd(b_.CreateMul(at, number(rays.count)), number(d));
                return ray(row_at(table, first, 1), {through}, up)[0];
            };
            Value* const seen = seen_from(place);
            Value* const met = b_.CreateAnd(seen, target);
            Value* before = nullptr; // the last that is met
            if (up) {
                Value* const zeros =
                    b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, b_.CreateOr(met, number(1)), b_.getTrue());
                before = b_.CreateNot(b_.CreateShl(number(~std::uint64_t{0}), b_.CreateXor(zeros, number(63))));
            } else {
                before = b_.CreateNot(b_.CreateXor(met, b_.CreateSub(met, number(1))));
            }
            result = b_.CreateOr(result, b_.CreateAnd(seen, before));
            Value* const obstacle = b_.CreateAnd(seen, b_.CreateNot(through));
            Value* const there = b_.CreateAnd(position({obstacle}), number(63));
            Value* const beyond = b_.CreateAnd(seen_from(there), target);
            result = b_.CreateOr(result, b_.CreateSelect(nonzero(beyond), obstacle, number(0)));
        }
        return Set{result};
    })[0];
}

llvm::Function* Translator::between_function(std::uint16_t table) {
    const std::string name = "between" + std::to_string(table);
    if (llvm::Function* const known = tables_.module().getFunction(name)) return known;
    auto* const word = b_.getInt64Ty();
    auto* const type = llvm::FunctionType::get(word, {word, word, word}, false);
    auto* const shared = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, tables_.module());
    shared->setDoesNotThrow();
    shared->setDoesNotAccessMemory(); // but for constants
    shared->setWillReturn();
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    llvm::Function* const own = std::exchange(function_, shared);
    b_.SetInsertPoint(new_block("entry"));
    b_.CreateRet(lines_between(table, shared->getArg(0), shared->getArg(1), shared->getArg(2)));
    function_ = own;
    return shared;
}

} // namespace zug::codegen
