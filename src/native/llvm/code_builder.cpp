#include "native/llvm/code_builder.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <utility>

namespace zug::codegen {

llvm::BasicBlock* CodeBuilder::new_block(const char* name) {
    return llvm::BasicBlock::Create(getContext(), name, function_);
}

llvm::Function* CodeBuilder::shared_function(const std::string& name, unsigned parameters,
                                             llvm::function_ref<Value*(llvm::Function&)> body) {
    if (llvm::Function* const known = tables_.module().getFunction(name)) return known;
    const llvm::SmallVector<llvm::Type*, 3> words(parameters, getInt64Ty());
    auto* const type = llvm::FunctionType::get(getInt64Ty(), words, false);
    auto* const shared = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, tables_.module());
    shared->setDoesNotThrow();
    shared->setDoesNotAccessMemory(); // apart from constants
    shared->setWillReturn();
    const llvm::IRBuilderBase::InsertPointGuard guard(*this);
    llvm::Function* const own = std::exchange(function_, shared);
    SetInsertPoint(new_block("entry"));
    CreateRet(body(*shared));
    function_ = own;
    return shared;
}

// -- words

Value* CodeBuilder::below(Value* v, std::uint64_t limit) { return CreateICmpULT(v, number(limit)); }

Value* CodeBuilder::nth_member(Value* word, Value* n) {
    if (tables_.features().deposits)
        return CreateIntrinsic(llvm::Intrinsic::x86_bmi_pdep_64, {}, {CreateShl(number(1), n), word});
    Set carried{word, n};
    loop(carried, [&](Set& c) {
        Value* const more = nonzero(c[1]);
        c[0] = CreateSelect(more, CreateAnd(c[0], CreateSub(c[0], number(1))), c[0]);
        c[1] = CreateSelect(more, CreateSub(c[1], number(1)), c[1]);
        return more;
    });
    return CreateAnd(carried[0], CreateNeg(carried[0]));
}

// Finds the word that it is in, and its rank there.
CodeBuilder::Member CodeBuilder::nth_member(const Set& set, Value* n) {
    Value* word_there = set[0];
    Value* rank = n;
    Value* first = number(0);
    Value* passed = number(0);
    for (unsigned k = 1; k < set.size(); ++k) {
        passed = CreateAdd(passed, count({set[k - 1]}));
        Value* const beyond = CreateICmpUGE(n, passed);
        word_there = CreateSelect(beyond, set[k], word_there);
        rank = CreateSelect(beyond, CreateSub(n, passed), rank);
        first = CreateSelect(beyond, number(std::uint64_t{k} * 64), first);
    }
    Value* const bit = nth_member(word_there, rank);
    Value* const element = CreateAdd(first, lowest_member({bit}));
    return {element, CreateSelect(CreateICmpEQ(first, number(0)), bit, number(0))};
}

// -- sets

Value* CodeBuilder::any(const Set& set) {
    Value* all = set[0];
    for (unsigned k = 1; k < set.size(); ++k) all = CreateOr(all, set[k]);
    return nonzero(all);
}

Value* CodeBuilder::count(const Set& set) {
    Value* total = nullptr;
    for (Value* word : set) {
        Value* const here = CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, word);
        total = total == nullptr ? here : CreateAdd(total, here);
    }
    return total;
}

Value* CodeBuilder::lowest_member(const Set& set) {
    Value* result = nullptr;
    for (unsigned k = static_cast<unsigned>(set.size()); k-- > 0;) {
        Value* const zeros = CreateBinaryIntrinsic(llvm::Intrinsic::cttz, set[k], getFalse());
        Value* const here = CreateAdd(zeros, number(k * 64));
        result = result == nullptr ? here : CreateSelect(nonzero(set[k]), here, result);
    }
    return result;
}

Value* CodeBuilder::highest_member(const Set& set) {
    Value* result = nullptr;
    for (unsigned k = 0; k < set.size(); ++k) {
        Value* const zeros = CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, set[k], getFalse());
        Value* const here = CreateSub(number(k * 64 + 63), zeros);
        result = result == nullptr ? here : CreateSelect(nonzero(set[k]), here, result);
    }
    return result;
}

Set CodeBuilder::both(const Set& a, const Set& b) {
    Set result;
    for (unsigned k = 0; k < a.size(); ++k) result.push_back(CreateAnd(a[k], b[k]));
    return result;
}

Set CodeBuilder::either(const Set& a, const Set& b) {
    Set result;
    for (unsigned k = 0; k < a.size(); ++k) result.push_back(CreateOr(a[k], b[k]));
    return result;
}

Set CodeBuilder::without(const Set& a, const Set& b) {
    Set result;
    for (unsigned k = 0; k < a.size(); ++k) result.push_back(CreateAnd(a[k], CreateNot(b[k])));
    return result;
}

Set CodeBuilder::masked(const Set& set, Value* truth) {
    return chosen(truth, set, nothing(static_cast<unsigned>(set.size())));
}

Set CodeBuilder::chosen(Value* truth, const Set& yes, const Set& no) {
    Set result;
    for (unsigned k = 0; k < yes.size(); ++k) result.push_back(CreateSelect(truth, yes[k], no[k]));
    return result;
}

Set CodeBuilder::shifted(const Set& set, std::int32_t distance) {
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
        result.push_back(CreateIntrinsic(distance >= 0 ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr, {getInt64Ty()},
                                         {high, low, number(bits)}));
    }
    return result;
}

// Pairs of bits, of twos, of fours, and so on change sides.
Value* CodeBuilder::mirrored(Value* word) {
    for (unsigned n = 1; n < 64; n *= 2) {
        const std::uint64_t low = ~std::uint64_t{0} / ((std::uint64_t{1} << n) + 1); // every second group of n bits
        Value* const up = CreateShl(CreateAnd(word, number(low)), number(n));
        word = CreateOr(up, CreateAnd(CreateLShr(word, number(n)), number(low)));
    }
    return word;
}

Set CodeBuilder::constant_set(std::span<const std::uint64_t> words) {
    Set result;
    for (const std::uint64_t word : words) result.push_back(number(word));
    return result;
}

// -- constant tables

Set CodeBuilder::row_at(llvm::GlobalVariable* table, Value* first, unsigned width) {
    Set result;
    for (unsigned k = 0; k < width; ++k)
        result.push_back(constant_at(table, k == 0 ? first : CreateAdd(first, number(k)), getInt64Ty()));
    return result;
}

Value* CodeBuilder::constant_at(llvm::GlobalVariable* table, Value* first, llvm::Type* type) {
    auto* const load = CreateAlignedLoad(type, CreateInBoundsGEP(getInt64Ty(), table, first), llvm::Align(8));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(getContext(), {}));
    return load;
}

Set CodeBuilder::table_row(std::vector<std::uint64_t> table, Value* row, unsigned width) {
    const std::uint64_t outside = table.size() / width - 1;
    Value* const inside = CreateBinaryIntrinsic(llvm::Intrinsic::umin, row, number(outside));
    llvm::GlobalVariable* const array = tables_.words(std::move(table));
    return row_at(array, CreateMul(inside, number(width)), width);
}

// By a table of bytes, which takes half the instructions that a table of bits would.
Value* CodeBuilder::is_in_constant(Value* element, std::uint32_t reg, std::uint64_t bits, bool inside) {
    std::vector<std::uint64_t> bytes(bits / 8 + 1, 0); // one more: outside
    for (std::uint64_t k = 0; k < bits; ++k)
        if ((tables_.constant(reg + static_cast<std::uint32_t>(k / 64)) >> (k % 64) & 1) != 0)
            bytes[k / 8] |= std::uint64_t{1} << (k % 8 * 8);
    Value* const row = inside ? element : CreateBinaryIntrinsic(llvm::Intrinsic::umin, element, number(bits));
    Value* const at = CreateInBoundsGEP(getInt8Ty(), tables_.words(std::move(bytes)), row);
    auto* const load = CreateLoad(getInt8Ty(), at);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(getContext(), {}));
    return CreateICmpNE(load, getInt8(0));
}

// -- branches and loops

void CodeBuilder::when(Value* truth, llvm::function_ref<void()> body) {
    llvm::BasicBlock* const inside = new_block("store");
    llvm::BasicBlock* const after = new_block("");
    CreateCondBr(truth, inside, after);
    SetInsertPoint(inside);
    body();
    CreateBr(after);
    SetInsertPoint(after);
}

void CodeBuilder::loop(Set& carried, llvm::function_ref<Value*(Set&)> body) {
    llvm::BasicBlock* const before = GetInsertBlock();
    llvm::BasicBlock* const round = new_block("loop");
    llvm::BasicBlock* const after = new_block("after");
    CreateBr(round);
    SetInsertPoint(round);
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (Value*& word : carried) {
        auto* phi = CreatePHI(getInt64Ty(), 2);
        phi->addIncoming(word, before);
        phis.push_back(phi);
        word = phi;
    }
    Value* const more = body(carried);
    for (unsigned k = 0; k < carried.size(); ++k) phis[k]->addIncoming(carried[k], GetInsertBlock());
    CreateCondBr(more, round, after);
    SetInsertPoint(after);
}

Set CodeBuilder::over_members(const Set& members, Set total, llvm::function_ref<Set(Value*, const Set&)> with) {
    for (unsigned k = 0; k < members.size(); ++k) {
        llvm::BasicBlock* const before = GetInsertBlock();
        llvm::BasicBlock* const round = new_block("members");
        llvm::BasicBlock* const after = new_block("");
        CreateCondBr(nonzero(members[k]), round, after);
        SetInsertPoint(round);
        llvm::PHINode* const left = CreatePHI(getInt64Ty(), 2);
        left->addIncoming(members[k], before);
        llvm::SmallVector<llvm::PHINode*, 8> phis;
        Set here;
        for (Value* word : total) {
            phis.push_back(CreatePHI(getInt64Ty(), 2));
            phis.back()->addIncoming(word, before);
            here.push_back(phis.back());
        }
        Value* const zeros = CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, getTrue());
        here = with(CreateAdd(zeros, number(k * 64)), here);
        Value* const rest = CreateAnd(left, CreateSub(left, number(1)));
        llvm::BasicBlock* const end = GetInsertBlock();
        left->addIncoming(rest, end);
        for (unsigned w = 0; w < phis.size(); ++w) phis[w]->addIncoming(here[w], end);
        CreateCondBr(nonzero(rest), round, after);
        SetInsertPoint(after);
        for (unsigned w = 0; w < total.size(); ++w) {
            llvm::PHINode* const phi = CreatePHI(getInt64Ty(), 2);
            phi->addIncoming(total[w], before);
            phi->addIncoming(here[w], end);
            total[w] = phi;
        }
    }
    return total;
}

} // namespace zug::codegen
