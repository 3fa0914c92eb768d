// Unions by vectors of four words.

#include "native/operations/operations.hpp"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <cstdlib>

namespace zug::codegen {

void LaneOps::begin_block(const Shape::Block& block) {
    if (tables_.features().vectors) lanes_.emplace(code_, routine_.shape(), tables_.constants(), block);
}

bool LaneOps::translate(const run::Instr& i, run::Entry at) {
    const Lanes::Union* const found = lanes_ ? lanes_->union_at(at) : nullptr;
    if (found == nullptr) return false;
    vectors_.clear();
    Value* all = nullptr;
    for (const Lanes::Four& four : found->fours) {
        Value* const lanes = vector_of(four);
        if (lanes == nullptr) return false;
        all = all == nullptr ? lanes : b_.CreateOr(all, lanes);
    }
    all = b_.CreateUnaryIntrinsic(llvm::Intrinsic::vector_reduce_or, all);
    for (const std::uint32_t reg : found->others) all = b_.CreateOr(all, regs_.word(reg));
    regs_.put(i.d, all);
    return true;
}

template <class F>
llvm::Constant* LaneOps::four_words(const Lanes::Four& four, F&& of) {
    llvm::SmallVector<std::uint64_t, 4> words;
    for (const Lane* lane : four) words.push_back(static_cast<std::uint64_t>(of(*lane)));
    return llvm::ConstantDataVector::get(b_.getContext(), words);
}

Value* LaneOps::shift_four(Value* lanes, const Lanes::Four& four, std::int32_t times) {
    const bool up = four[0]->distance > 0;
    llvm::Constant* const by =
        four_words(four, [&](const Lane& lane) { return (up ? lane.distance : -lane.distance) * times; });
    return up ? b_.CreateShl(lanes, by) : b_.CreateLShr(lanes, by);
}

namespace {

// The sites on which a step by the distance may land.
std::uint64_t landing(std::uint64_t mask, std::int32_t distance) {
    const std::uint64_t all = ~std::uint64_t{0};
    return mask & (distance > 0 ? all << distance : all >> -distance);
}
std::uint64_t landing(const Lane& flood) { return landing(flood.mask, flood.distance); }
// The sites from which a step of the flood lands on one of these.
std::uint64_t leaving(const Lane& flood) {
    return flood.distance > 0 ? landing(flood) >> flood.distance : landing(flood) << -flood.distance;
}

} // namespace

// If each of four floods starts with a step in its own direction from a subset of what it passes: these subsets.
std::optional<Lanes::Four> LaneOps::one_step_before(const Lanes::Four& four) {
    Lanes::Four result{};
    for (std::size_t k = 0; k < 4; ++k) {
        const Lane &flood = *four[k], &start = *flood.in[0];
        if (start.kind != Lane::Kind::And || start.in.size() != 1) return std::nullopt;
        const Lane& step = *start.in[0];
        if (step.kind != Lane::Kind::Shift || step.distance != flood.distance) return std::nullopt;
        if (landing(start.mask, step.distance) != landing(flood)) return std::nullopt;
        const Lane& from = *step.in[0];
        const auto is_passed = [&](const Lane* part) { return part->form == flood.in[1]->form; };
        if (from.kind != Lane::Kind::And || flood.in[1]->kind != Lane::Kind::Word ||
            std::ranges::none_of(from.in, is_passed))
            return std::nullopt;
        result[k] = &from;
    }
    return result;
}

// The members of four such subsets from which a flood continues. `pass`: the sites from which it may.
Value* LaneOps::passed_on(const Lanes::Four& from, const Lanes::Four& floods, Value* pass) {
    for (std::size_t k = 0; k < from[0]->in.size(); ++k) {
        if (from[0]->in[k]->form == floods[0]->in[1]->form) continue;
        Lanes::Four inputs{};
        std::ranges::transform(from, inputs.begin(), [&](const Lane* lane) { return lane->in[k]; });
        Value* const part = vector_of(inputs);
        if (part == nullptr) return nullptr;
        pass = b_.CreateAnd(pass, part);
    }
    bool within = true;
    for (std::size_t k = 0; k < 4; ++k) {
        const std::uint64_t there = landing(*floods[k]) & leaving(*floods[k]);
        within = within && (from[k]->mask & there) == there;
    }
    return within ? pass : b_.CreateAnd(pass, four_words(from, [](const Lane& lane) { return lane.mask; }));
}

// Four floods at once, each as TableOps::flood_line does it. Only sites from which a step lands on the board take part,
// so that no step lands elsewhere.
Value* LaneOps::flood_four(const Lanes::Four& four, Value* start, Value* open) {
    std::int32_t steps = 0, farthest = 0;
    for (const Lane* lane : four) {
        steps = std::max(steps, lane->steps);
        farthest = std::max(farthest, std::abs(lane->distance));
    }
    const std::optional<Lanes::Four> before = one_step_before(four);
    const std::vector<FillRound> rounds = fill_rounds(before ? steps - 2 : steps - 1);
    if (!rounds.empty() && farthest * rounds.back().length >= 64) return nullptr;
    Value* pass = b_.CreateAnd(open, four_words(four, [](const Lane& l) { return landing(l) & leaving(l); }));
    Value* all =
        before ? passed_on(*before, four, pass) : b_.CreateAnd(b_.CreateAnd(start, open), four_words(four, leaving));
    if (all == nullptr) return nullptr;
    for (const FillRound& round : rounds) {
        if (round.doubled) pass = b_.CreateAnd(pass, shift_four(pass, four, round.length / 2));
        all = b_.CreateOr(all, b_.CreateAnd(pass, shift_four(all, four, round.length)));
    }
    Value* const beyond = shift_four(all, four, 1);
    return before ? beyond : b_.CreateOr(start, beyond);
}

// Null: shifts by these distances would leave the word, or a start of a ray is unknown.
Value* LaneOps::vector_of(const Lanes::Four& four) {
    const auto known = vectors_.find(four);
    if (known != vectors_.end()) return known->second;
    Value* const made = make_vector(four);
    vectors_.emplace(four, made);
    return made;
}

Value* LaneOps::make_vector(const Lanes::Four& four) {
    const Lane& first = *four[0];
    llvm::SmallVector<Value*, 4> in;
    if (first.kind != Lane::Kind::Ray)
        for (std::size_t k = 0; k < first.in.size(); ++k) {
            Lanes::Four inputs{};
            std::ranges::transform(four, inputs.begin(), [&](const Lane* lane) { return lane->in[k]; });
            in.push_back(vector_of(inputs));
            if (in.back() == nullptr) return nullptr;
        }
    const auto masked = [&](Value* lanes) {
        return b_.CreateAnd(lanes, four_words(four, [](const Lane& lane) { return lane.mask; }));
    };
    switch (first.kind) {
    case Lane::Kind::Word: return b_.CreateVectorSplat(4, regs_.word(first.reg));
    case Lane::Kind::And: {
        if (in.empty()) return nullptr;
        Value* all = in[0];
        for (std::size_t k = 1; k < in.size(); ++k) all = b_.CreateAnd(all, in[k]);
        return masked(all);
    }
    case Lane::Kind::Shift: return shift_four(in[0], four, 1);
    case Lane::Kind::Flood: return flood_four(four, in[0], in[1]);
    case Lane::Kind::Held: {
        Value* const nothing = llvm::Constant::getNullValue(in[0]->getType());
        return b_.CreateSelect(b_.CreateICmpNE(in[0], nothing), in[1], nothing);
    }
    case Lane::Kind::Ray: return rays_of_four(four);
    }
    return nullptr;
}

// The four tables are interleaved into one, so that a row of it is a vector.
Value* LaneOps::rays_of_four(const Lanes::Four& four) {
    Value* const from = regs_.only_member(regs_.word(four[0]->reg));
    if (from == nullptr) return nullptr;
    std::vector<std::uint64_t> rows;
    for (std::size_t site = 0; site < four[0]->rays->rows.size(); ++site)
        for (const Lane* lane : four) rows.push_back(lane->rays->rows[site]);
    auto* const type = llvm::FixedVectorType::get(b_.getInt64Ty(), 4);
    Value* const at =
        b_.CreateInBoundsGEP(b_.getInt64Ty(), tables_.words(std::move(rows)), b_.CreateMul(from, b_.number(4)));
    Value* const row = b_.CreateAlignedLoad(type, at, llvm::Align(8));
    Value* const through = b_.CreateVectorSplat(4, regs_.word(four[0]->through));
    Value* const met = b_.CreateAnd(row, b_.CreateNot(through));
    const auto splat = [&](std::uint64_t n) { return b_.CreateVectorSplat(4, b_.number(n)); };
    // As RayOps::ray does.
    if (four[0]->distance > 0) return b_.CreateAnd(row, b_.CreateXor(met, b_.CreateSub(met, splat(1))));
    Value* const some = b_.CreateOr(met, splat(1));
    Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, some, b_.getTrue());
    return b_.CreateAnd(row, b_.CreateShl(splat(~std::uint64_t{0}), b_.CreateXor(zeros, splat(63))));
}

} // namespace zug::codegen
