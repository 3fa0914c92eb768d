#include "native/llvm/registers.hpp"

namespace zug::codegen {

namespace {

// Larger constant sets are tested by their bits.
constexpr std::uint64_t longest_lookup = 4096;

constexpr std::uint64_t low_bits(std::uint64_t n) { return (std::uint64_t{1} << n) - 1; } // n < 64

} // namespace

Registers::Registers(CodeBuilder& builder, ModuleTables& tables, const Shape& shape)
    : b_(builder), tables_(tables), shape_(shape) {}

void Registers::begin_function(Value* frame, llvm::BasicBlock* entry) {
    frame_ = frame;
    entry_ = entry;
}

void Registers::begin_block() {
    remembered_.clear();
    singletons_.clear();
    only_members_.clear();
}

bool Registers::in_slot(std::uint32_t reg) const {
    return shape_.home(reg) == Home::Slot || shape_.home(reg) == Home::Cached;
}

llvm::AllocaInst* Registers::new_slot() { return new llvm::AllocaInst(b_.getInt64Ty(), 0, "", entry_); }

Value* Registers::address(std::uint32_t reg) { return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), frame_, reg); }

Value* Registers::address(std::uint32_t reg, Value* offset) {
    return b_.CreateInBoundsGEP(b_.getInt64Ty(), address(reg), offset);
}

Value* Registers::slot(std::uint32_t reg) {
    auto& slot = slots_[reg];
    if (slot == nullptr) slot = new_slot();
    return slot;
}

Value* Registers::word(std::uint32_t reg) {
    switch (shape_.home(reg)) {
    case Home::Constant: return b_.number(tables_.constant(reg));
    case Home::Value: return values_.at(reg);
    case Home::Slot:
    case Home::Cached:
    case Home::Frame: break;
    }
    Value*& known = remembered_[reg];
    if (known != nullptr) return known;
    known = b_.CreateLoad(b_.getInt64Ty(), in_slot(reg) ? slot(reg) : address(reg));
    if (const std::uint32_t limit = shape_.drawn_below(reg); limit > 0)
        know_singleton(known, {b_.CreateLoad(b_.getInt64Ty(), member_slot(reg)),
                               limit >= 64 ? ~std::uint64_t{0} : low_bits(limit)});
    return known;
}

void Registers::put(std::uint32_t reg, Value* value) {
    if (shape_.home(reg) == Home::Value) {
        values_[reg] = value;
        return;
    }
    remembered_[reg] = value;
    b_.CreateStore(value, in_slot(reg) ? slot(reg) : address(reg));
}

Set Registers::set(std::uint32_t reg, unsigned width) {
    Set result;
    for (unsigned k = 0; k < width; ++k) result.push_back(word(reg + k));
    return result;
}

void Registers::put_set(std::uint32_t reg, const Set& set) {
    for (unsigned k = 0; k < set.size(); ++k) put(reg + k, set[k]);
}

Value* Registers::real(std::uint32_t reg) { return b_.CreateBitCast(word(reg), b_.getDoubleTy()); }
void Registers::put_real(std::uint32_t reg, Value* value) { put(reg, b_.CreateBitCast(value, b_.getInt64Ty())); }
void Registers::put_truth(std::uint32_t reg, Value* truth) { put(reg, b_.CreateZExt(truth, b_.getInt64Ty())); }

void Registers::forget(std::uint32_t reg, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) remembered_.erase(reg + k);
}

void Registers::forget_frame() {
    std::erase_if(remembered_, [&](const auto& known) { return shape_.home(known.first) == Home::Frame; });
}

bool Registers::is_framed(std::uint32_t reg, std::uint32_t count) const {
    for (std::uint32_t k = 0; k < count; ++k)
        if (shape_.home(reg + k) != Home::Frame && shape_.home(reg + k) != Home::Constant) return false;
    return true;
}

Value* Registers::memory_at(std::uint32_t reg, std::uint32_t number) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), b_.CreateIntToPtr(word(reg), b_.getPtrTy()), number);
}

void Registers::load_cached() {
    for (const auto& word : shape_.cached()) {
        Value* const value = b_.CreateLoad(b_.getInt64Ty(), address(word.reg));
        b_.CreateStore(value, slot(word.reg));
        remembered_[word.reg] = value;
    }
}

void Registers::store_cached() {
    for (const auto& word : shape_.cached())
        if (word.written) b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), slot(word.reg)), address(word.reg));
}

const Registers::Singleton* Registers::singleton_of(Value* element) const {
    const auto it = singletons_.find(element);
    return it == singletons_.end() ? nullptr : &it->second;
}

Value* Registers::member_slot(std::uint32_t reg) {
    auto& slot = members_[reg];
    if (slot == nullptr) slot = new_slot();
    return slot;
}

void Registers::put_member(std::uint32_t reg, Value* element, Value* bits) {
    put(reg, element);
    if (shape_.drawn_below(reg) > 0) b_.CreateStore(bits, member_slot(reg));
}

// If the element is not below 64 afterwards, the bit is shifted out of the word.
Registers::Singleton Registers::moved(const Singleton& single, std::int64_t distance) {
    if (distance <= -64 || distance >= 64) return {b_.number(0), 0};
    const auto by = static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
    if (distance < 0) return {b_.CreateLShr(single.bits, b_.number(by)), single.possible >> by};
    return {b_.CreateShl(single.bits, b_.number(by)), single.possible << by};
}

Set Registers::singleton(Value* element, std::uint64_t bits, unsigned width) {
    if (const Singleton* const known = singleton_of(element); known != nullptr && width == 1) {
        const std::uint64_t inside = bits >= 64 ? ~std::uint64_t{0} : low_bits(bits);
        return {(known->possible & ~inside) == 0 ? known->bits : b_.CreateAnd(known->bits, b_.number(inside))};
    }
    Value* const valid = b_.below(element, bits);
    Value* const bit = b_.CreateShl(b_.number(1), b_.CreateAnd(element, b_.number(63)));
    if (width == 1) return {b_.CreateSelect(valid, bit, b_.number(0))};
    Value* const at = b_.CreateSelect(valid, b_.CreateLShr(element, b_.number(6)), b_.number(width));
    Set result;
    for (unsigned k = 0; k < width; ++k)
        result.push_back(b_.CreateSelect(b_.CreateICmpEQ(at, b_.number(k)), bit, b_.number(0)));
    return result;
}

void Registers::know_only_member(const Set& set, Value* member, Value* valid) {
    only_members_[set[0]] = {.set = set, .member = member, .valid = valid};
}

const Registers::OnlyMember* Registers::known_only_member(const Set& set) const {
    const auto it = only_members_.find(set[0]);
    return it == only_members_.end() || it->second.set != set ? nullptr : &it->second;
}

Value* Registers::only_member(Value* set) const {
    const OnlyMember* const known = known_only_member({set});
    return known == nullptr || known->valid != nullptr ? nullptr : known->member;
}

Value* Registers::member(Value* element, std::uint32_t reg, unsigned width, std::uint64_t bits) {
    if (shape_.home(reg) == Home::Constant && width > 1 && bits <= longest_lookup)
        return b_.is_in_constant(element, reg, bits, false);
    if (width == 1 && singleton_of(element) != nullptr)
        return b_.any(b_.both(singleton(element, bits, 1), set(reg, 1)));
    Value* const valid = b_.below(element, bits);
    Value* word_there = nullptr;
    if (width == 1) {
        word_there = word(reg);
    } else if (const Home home = shape_.home(reg); home == Home::Constant || home == Home::Frame) {
        Value* const offset = b_.CreateSelect(valid, b_.CreateLShr(element, b_.number(6)), b_.number(0));
        word_there = b_.CreateLoad(b_.getInt64Ty(), address(reg, offset));
    } else {
        Value* const at = b_.CreateLShr(element, b_.number(6));
        const Set words = set(reg, width);
        word_there = words[width - 1];
        for (unsigned k = width - 1; k-- > 0;)
            word_there = b_.CreateSelect(b_.CreateICmpEQ(at, b_.number(k)), words[k], word_there);
    }
    Value* const bit = b_.CreateLShr(word_there, b_.CreateAnd(element, b_.number(63)));
    return b_.CreateAnd(valid, b_.CreateTrunc(bit, b_.getInt1Ty()));
}

// Of a set that is known to be {member} or nothing no loop is needed.
Set Registers::union_over(const Set& members, llvm::function_ref<Set(Value*)> of) {
    if (const OnlyMember* const only = known_only_member(members)) {
        if (only->valid == nullptr) return of(only->member);
        return b_.masked(of(b_.CreateSelect(only->valid, only->member, b_.number(0))), only->valid);
    }
    return b_.over_members(members, b_.nothing(static_cast<unsigned>(members.size())),
                           [&](Value* element, const Set& before) { return b_.either(before, of(element)); });
}

Value* Registers::sum_over(const Set& members, llvm::function_ref<Value*(Value*)> of) {
    if (const OnlyMember* const only = known_only_member(members)) {
        if (only->valid == nullptr) return of(only->member);
        Value* const sum = of(b_.CreateSelect(only->valid, only->member, b_.number(0)));
        return b_.CreateSelect(only->valid, sum, b_.number(0));
    }
    return b_.over_members(members, {b_.number(0)}, [&](Value* element, const Set& before) {
        return Set{b_.CreateAdd(before[0], of(element))};
    })[0];
}

} // namespace zug::codegen
