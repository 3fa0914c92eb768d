#include "native/llvm/translator.hpp"

#include "bytecode/operand_kinds.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zug::codegen {

using run::Entry;
using run::Instr;

namespace {

constexpr std::uint64_t longest_lookup = 4096;

constexpr std::uint64_t low_bits(std::uint64_t n) { return (std::uint64_t{1} << n) - 1; } // n < 64

} // namespace

// -- tables

Tables::Tables(llvm::Module& module, const native::Request& request, bool deposits, bool vectors)
    : module_(module), request_(request), ray_uses_(request.code.tables.rays.size(), 0), lines_(request.code),
      deposits_(deposits), vectors_(vectors) {
    for (const auto& [reg, word] : request.code.constants) constants_[reg] = word;
    for (const Instr& i : request.code.instrs)
        if (is_op(i, "Rays")) ++ray_uses_[i.c];
}

llvm::GlobalVariable* Tables::words(std::vector<std::uint64_t> words) {
    const auto [it, fresh] = words_.try_emplace(std::move(words));
    if (!fresh) return it->second;
    auto* array = llvm::ConstantDataArray::get(module_.getContext(), llvm::ArrayRef<std::uint64_t>(it->first));
    it->second =
        new llvm::GlobalVariable(module_, array->getType(), true, llvm::GlobalValue::PrivateLinkage, array, "table");
    it->second->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return it->second;
}

// -- a routine

Translator::Translator(Tables& tables, std::span<const run::RoutineInfo> routines)
    : tables_(tables), routines_(routines), code_(tables.code()), shape_(tables.request(), routines),
      b_(tables.module().getContext()) {}

bool Translator::translate(std::span<const std::string> names) {
    const bool single = routines_.size() == 1;
    llvm::SmallVector<llvm::Type*, 3> parameters{b_.getPtrTy(), b_.getPtrTy()};
    if (!single) parameters.push_back(b_.getInt32Ty());
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), parameters, false);
    function_ =
        llvm::Function::Create(type, single ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage,
                               names[0], tables_.module());
    function_->setDoesNotThrow();
    frame_ = function_->getArg(0);
    host_ = function_->getArg(1);
    function_->addParamAttr(0, llvm::Attribute::NoAlias);
    function_->addParamAttr(0, llvm::Attribute::get(b_.getContext(), llvm::Attribute::Dereferenceable,
                                                    run::frame_words * sizeof(std::uint64_t)));
    function_->addParamAttr(0, llvm::Attribute::getWithAlignment(b_.getContext(), llvm::Align(8)));
    entry_ = new_block("entry");
    for (const auto& block : shape_.blocks()) blocks_[block.begin] = new_block("");
    for (const auto& block : shape_.blocks()) {
        remembered_.clear();
        singles_.clear();
        only_members_.clear();
        seen_.clear();
        all_lines_.clear();
        counted_.clear();
        if (tables_.vectors()) lanes_.emplace(code_, shape_, tables_.constants(), block);
        b_.SetInsertPoint(blocks_.at(block.begin));
        for (Entry at = block.begin; at < block.end; ++at)
            if (!instruction(code_.instrs[at], at)) {
                function_->eraseFromParent();
                return false;
            }
        if (b_.GetInsertBlock()->getTerminator() == nullptr) b_.CreateBr(block_at(block.end));
    }
    add_exit();
    b_.SetInsertPoint(entry_);
    load_words();
    if (single)
        b_.CreateBr(blocks_.at(routines_[0].entry));
    else
        add_entries(names);
    return true;
}

void Translator::load_words() {
    for (const auto& word : shape_.cached()) {
        Value* const value = b_.CreateLoad(b_.getInt64Ty(), address(word.reg));
        b_.CreateStore(value, slot(word.reg));
        remembered_[word.reg] = value;
    }
}

void Translator::write_back() {
    for (const auto& word : shape_.cached())
        if (word.written) b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), slot(word.reg)), address(word.reg));
}

void Translator::leave(std::int32_t result) {
    if (shape_.cached().empty()) {
        b_.CreateRet(small(result));
        return;
    }
    if (exit_ == nullptr) exit_ = new_block("exit");
    leaving_.emplace_back(result, b_.GetInsertBlock());
    b_.CreateBr(exit_);
}

void Translator::add_exit() {
    if (exit_ == nullptr) return;
    b_.SetInsertPoint(exit_);
    llvm::PHINode* const result = b_.CreatePHI(b_.getInt32Ty(), static_cast<unsigned>(leaving_.size()));
    for (const auto& [value, from] : leaving_) result->addIncoming(small(value), from);
    write_back();
    b_.CreateRet(result);
}

void Translator::add_entries(std::span<const std::string> names) {
    function_->setName("several");
    auto* choice = b_.CreateSwitch(function_->getArg(2), blocks_.at(routines_[0].entry));
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy(), b_.getPtrTy()}, false);
    for (std::size_t r = 0; r < routines_.size(); ++r) {
        if (r > 0) choice->addCase(b_.getInt32(static_cast<std::uint32_t>(r)), blocks_.at(routines_[r].entry));
        auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, names[r], tables_.module());
        entry->setDoesNotThrow();
        llvm::IRBuilder<> b(llvm::BasicBlock::Create(b_.getContext(), "", entry));
        auto* call =
            b.CreateCall(function_, {entry->getArg(0), entry->getArg(1), b.getInt32(static_cast<std::uint32_t>(r))});
        call->setTailCall();
        b.CreateRet(call);
    }
}

bool Translator::instruction(const Instr& i, Entry at) {
    if (is_op(i, "Mov")) return mov(i);
    if (is_op(i, "Load")) return load_words(i);
    if (is_op(i, "Store")) return store_words(i);
    if (i.op == run::Opcode::Or_1 && put_union(i, at)) return true;
    const bool looked_up = is_op(i, "Test") && shape_.home(i.b) == Home::Constant;
    return (i.w <= widest_set || looked_up) &&
           (word_instruction(i) || set_instruction(i) || table_instruction(i) || change_instruction(i) ||
            real_instruction(i) || check_instruction(i) || draw_instruction(i, at) || control_instruction(i, at));
}

// Whole states are copied, too: long ones at once.
constexpr unsigned longest_by_words = 24;

bool Translator::is_framed(std::uint32_t reg, std::uint32_t count) const {
    for (std::uint32_t k = 0; k < count; ++k)
        if (shape_.home(reg + k) != Home::Frame && shape_.home(reg + k) != Home::Constant) return false;
    return true;
}

bool Translator::mov(const Instr& i) {
    // All of the state that is used is replaced where another game begins.
    if (i.d == 1 && i.w + 1U == tables_.request().state_words) guess_anew();
    if (i.w <= longest_by_words) {
        put_set(i.d, set(i.a, i.w));
        return true;
    }
    if (!is_framed(i.d, i.w) || !is_framed(i.a, i.w)) return false;
    b_.CreateMemMove(address(i.d), llvm::Align(8), address(i.a), llvm::Align(8), i.w * sizeof(std::uint64_t));
    forget(i.d, i.w);
    return true;
}

Translator::Value* Translator::memory_at(std::uint32_t reg, std::uint32_t number) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), b_.CreateIntToPtr(word(reg), b_.getPtrTy()), number);
}

bool Translator::load_words(const Instr& i) {
    const auto from = static_cast<std::uint32_t>(i.imm);
    if (i.w <= longest_by_words) {
        for (std::uint32_t k = 0; k < i.w; ++k) put(i.d + k, b_.CreateLoad(b_.getInt64Ty(), memory_at(i.a, from + k)));
        return true;
    }
    if (!is_framed(i.d, i.w)) return false;
    b_.CreateMemCpy(address(i.d), llvm::Align(8), memory_at(i.a, from), llvm::Align(8), i.w * sizeof(std::uint64_t));
    forget(i.d, i.w);
    return true;
}

bool Translator::store_words(const Instr& i) {
    const auto to = static_cast<std::uint32_t>(i.imm);
    if (i.w <= longest_by_words) {
        for (std::uint32_t k = 0; k < i.w; ++k) b_.CreateStore(word(i.a + k), memory_at(i.b, to + k));
        return true;
    }
    if (!is_framed(i.a, i.w)) return false;
    b_.CreateMemCpy(memory_at(i.b, to), llvm::Align(8), address(i.a), llvm::Align(8), i.w * sizeof(std::uint64_t));
    return true;
}

llvm::BasicBlock* Translator::block_at(Entry at) { return blocks_.at(at); }

llvm::BasicBlock* Translator::new_block(const char* name) {
    return llvm::BasicBlock::Create(b_.getContext(), name, function_);
}

// -- registers

Translator::Value* Translator::address(std::uint32_t reg) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), frame_, reg);
}

Translator::Value* Translator::address(std::uint32_t reg, Value* offset) {
    return b_.CreateInBoundsGEP(b_.getInt64Ty(), address(reg), offset);
}

Translator::Value* Translator::slot(std::uint32_t reg) {
    auto& slot = slots_[reg];
    if (slot == nullptr) slot = new llvm::AllocaInst(b_.getInt64Ty(), 0, "", entry_);
    return slot;
}

Translator::Value* Translator::word(std::uint32_t reg) {
    switch (shape_.home(reg)) {
    case Home::Constant: return number(tables_.constant(reg));
    case Home::Value: return values_.at(reg);
    case Home::Slot:
    case Home::Cached:
    case Home::Frame: break;
    }
    Value*& known = remembered_[reg];
    if (known != nullptr) return known;
    known = b_.CreateLoad(b_.getInt64Ty(), in_slot(reg) ? slot(reg) : address(reg));
    if (const std::uint32_t limit = shape_.drawn_below(reg); limit > 0)
        know_single(known, {b_.CreateLoad(b_.getInt64Ty(), member_slot(reg)),
                            limit >= 64 ? ~std::uint64_t{0} : low_bits(limit)});
    return known;
}

void Translator::put(std::uint32_t reg, Value* value) {
    if (shape_.home(reg) == Home::Value) {
        values_[reg] = value;
        return;
    }
    remembered_[reg] = value;
    b_.CreateStore(value, in_slot(reg) ? slot(reg) : address(reg));
}

Translator::Set Translator::set(std::uint32_t reg, unsigned width) {
    Set result;
    for (unsigned k = 0; k < width; ++k) result.push_back(word(reg + k));
    return result;
}

void Translator::put_set(std::uint32_t reg, const Set& set) {
    for (unsigned k = 0; k < set.size(); ++k) put(reg + k, set[k]);
}

Translator::Value* Translator::real(std::uint32_t reg) { return b_.CreateBitCast(word(reg), b_.getDoubleTy()); }
void Translator::put_real(std::uint32_t reg, Value* value) { put(reg, b_.CreateBitCast(value, b_.getInt64Ty())); }
void Translator::put_truth(std::uint32_t reg, Value* truth) { put(reg, b_.CreateZExt(truth, b_.getInt64Ty())); }

void Translator::forget(std::uint32_t reg, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) remembered_.erase(reg + k);
}

void Translator::forget_frame() {
    std::erase_if(remembered_, [&](const auto& known) { return shape_.home(known.first) == Home::Frame; });
}

// -- building blocks

Translator::Value* Translator::below(Value* v, std::uint64_t limit) { return b_.CreateICmpULT(v, number(limit)); }

Translator::Value* Translator::any(const Set& set) {
    Value* all = set[0];
    for (unsigned k = 1; k < set.size(); ++k) all = b_.CreateOr(all, set[k]);
    return nonzero(all);
}

Translator::Value* Translator::count(const Set& set) {
    Value* total = nullptr;
    for (Value* word : set) {
        Value* const here = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, word);
        total = total == nullptr ? here : b_.CreateAdd(total, here);
    }
    return total;
}

Translator::Value* Translator::position(const Set& set) {
    Value* result = nullptr;
    for (unsigned k = static_cast<unsigned>(set.size()); k-- > 0;) {
        Value* const zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, set[k], b_.getFalse());
        Value* const here = b_.CreateAdd(zeros, number(k * 64));
        result = result == nullptr ? here : b_.CreateSelect(nonzero(set[k]), here, result);
    }
    return result;
}

Translator::Set Translator::both(const Set& a, const Set& b) {
    Set result;
    for (unsigned k = 0; k < a.size(); ++k) result.push_back(b_.CreateAnd(a[k], b[k]));
    return result;
}

Translator::Set Translator::either(const Set& a, const Set& b) {
    Set result;
    for (unsigned k = 0; k < a.size(); ++k) result.push_back(b_.CreateOr(a[k], b[k]));
    return result;
}

Translator::Set Translator::without(const Set& a, const Set& b) {
    Set result;
    for (unsigned k = 0; k < a.size(); ++k) result.push_back(b_.CreateAnd(a[k], b_.CreateNot(b[k])));
    return result;
}

Translator::Set Translator::masked(const Set& set, Value* truth) {
    return chosen(truth, set, nothing(static_cast<unsigned>(set.size())));
}

Translator::Set Translator::chosen(Value* truth, const Set& yes, const Set& no) {
    Set result;
    for (unsigned k = 0; k < yes.size(); ++k) result.push_back(b_.CreateSelect(truth, yes[k], no[k]));
    return result;
}

Translator::Set Translator::shifted(const Set& set, std::int32_t distance) {
    const auto n = static_cast<unsigned>(distance < 0 ? -distance : distance);
    const unsigned skip = n / 64, bits = n % 64, width = static_cast<unsigned>(set.size());
    const auto at = [&](unsigned k) { return k < width ? set[k] : number(0); }; // wraps below 0 on purpose
    Set result;
    for (unsigned k = 0; k < width; ++k) {
        if (bits == 0) {
            result.push_back(distance >= 0 ? at(k - skip) : at(k + skip));
            continue;
        }
        Value* const high = distance >= 0 ? at(k - skip) : at(k + skip + 1);
        Value* const low = distance >= 0 ? at(k - skip - 1) : at(k + skip);
        result.push_back(b_.CreateIntrinsic(distance >= 0 ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr,
                                            {b_.getInt64Ty()}, {high, low, number(bits)}));
    }
    return result;
}

const Translator::Single* Translator::single_of(Value* place) const {
    const auto it = singles_.find(place);
    return it == singles_.end() ? nullptr : &it->second;
}

Translator::Value* Translator::member_slot(std::uint32_t reg) {
    auto& slot = members_[reg];
    if (slot == nullptr) slot = new llvm::AllocaInst(b_.getInt64Ty(), 0, "", entry_);
    return slot;
}

// A place that was drawn, and a word with its bit if it is below 64.
void Translator::put_member(std::uint32_t reg, Value* place, Value* bits) {
    put(reg, place);
    if (shape_.drawn_below(reg) > 0) b_.CreateStore(bits, member_slot(reg));
}

// Of the place so far from another. Where that leads out of the word, the bit falls out, too.
Translator::Single Translator::moved(const Single& single, std::int64_t distance) {
    if (distance <= -64 || distance >= 64) return {number(0), 0};
    const auto by = static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
    if (distance < 0) return {b_.CreateLShr(single.bits, number(by)), single.possible >> by};
    return {b_.CreateShl(single.bits, number(by)), single.possible << by};
}

Translator::Set Translator::single(Value* place, std::uint64_t bits, unsigned width) {
    if (const Single* const known = single_of(place); known != nullptr && width == 1) {
        const std::uint64_t inside = bits >= 64 ? ~std::uint64_t{0} : low_bits(bits);
        return {(known->possible & ~inside) == 0 ? known->bits : b_.CreateAnd(known->bits, number(inside))};
    }
    Value* const valid = below(place, bits);
    Value* const bit = b_.CreateShl(number(1), b_.CreateAnd(place, number(63)));
    if (width == 1) return {b_.CreateSelect(valid, bit, number(0))};
    Value* const at = b_.CreateSelect(valid, b_.CreateLShr(place, number(6)), number(width));
    Set result;
    for (unsigned k = 0; k < width; ++k)
        result.push_back(b_.CreateSelect(b_.CreateICmpEQ(at, number(k)), bit, number(0)));
    return result;
}

Translator::Set Translator::constant_set(std::span<const std::uint64_t> words) {
    Set result;
    for (const std::uint64_t word : words) result.push_back(number(word));
    return result;
}

Translator::Value* Translator::member(Value* place, std::uint32_t reg, unsigned width, std::uint64_t bits) {
    if (shape_.home(reg) == Home::Constant && width > 1 && bits <= longest_lookup)
        return looked_up(place, reg, bits, false);
    if (width == 1 && single_of(place) != nullptr) return any(both(single(place, bits, 1), set(reg, 1)));
    Value* const valid = below(place, bits);
    Value* word_there = nullptr;
    if (width == 1) {
        word_there = word(reg);
    } else if (const Home home = shape_.home(reg); home == Home::Constant || home == Home::Frame) {
        Value* const offset = b_.CreateSelect(valid, b_.CreateLShr(place, number(6)), number(0));
        word_there = b_.CreateLoad(b_.getInt64Ty(), address(reg, offset));
    } else {
        Value* const at = b_.CreateLShr(place, number(6));
        const Set words = set(reg, width);
        word_there = words[width - 1];
        for (unsigned k = width - 1; k-- > 0;)
            word_there = b_.CreateSelect(b_.CreateICmpEQ(at, number(k)), words[k], word_there);
    }
    Value* const bit = b_.CreateLShr(word_there, b_.CreateAnd(place, number(63)));
    return b_.CreateAnd(valid, b_.CreateTrunc(bit, b_.getInt1Ty()));
}

// Whether a place is in a constant set, by a table of bytes: half the instructions that bits would take.
// `inside`: the place is known to be below `bits`.
Translator::Value* Translator::looked_up(Value* place, std::uint32_t reg, std::uint64_t bits, bool inside) {
    std::vector<std::uint64_t> bytes(bits / 8 + 1, 0); // one more: outside
    for (std::uint64_t k = 0; k < bits; ++k)
        if ((tables_.constant(reg + static_cast<std::uint32_t>(k / 64)) >> (k % 64) & 1) != 0)
            bytes[k / 8] |= std::uint64_t{1} << (k % 8 * 8);
    Value* const row = inside ? place : b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, place, number(bits));
    Value* const at = b_.CreateInBoundsGEP(b_.getInt8Ty(), tables_.words(std::move(bytes)), row);
    auto* const load = b_.CreateLoad(b_.getInt8Ty(), at);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    return b_.CreateICmpNE(load, b_.getInt8(0));
}

Translator::Set Translator::table_row(std::vector<std::uint64_t> table, Value* row, unsigned width) {
    const std::uint64_t outside = table.size() / width - 1;
    Value* const inside = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, row, number(outside));
    llvm::GlobalVariable* const array = tables_.words(std::move(table));
    return row_at(array, b_.CreateMul(inside, number(width)), width);
}

// A loop over a set that its rounds change: at least one round.
void Translator::phi_loop(Set& carried, llvm::function_ref<Value*(Set&)> body) {
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    llvm::BasicBlock* const loop = new_block("loop");
    llvm::BasicBlock* const after = new_block("after");
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (Value*& word : carried) {
        auto* phi = b_.CreatePHI(b_.getInt64Ty(), 2);
        phi->addIncoming(word, before);
        phis.push_back(phi);
        word = phi;
    }
    Value* const more = body(carried);
    for (unsigned k = 0; k < carried.size(); ++k) phis[k]->addIncoming(carried[k], b_.GetInsertBlock());
    b_.CreateCondBr(more, loop, after);
    b_.SetInsertPoint(after);
}

} // namespace zug::codegen
