#pragma once
// LLVM's IR builder with the operations on words and sets that byte code is translated to. It knows nothing of
// registers.
//
// A word is an i64, a truth an i1, a set of w words w values.

#include "ir/types.hpp"
#include "native/llvm/module_tables.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace zug::codegen {

using Value = llvm::Value;
using Set = llvm::SmallVector<Value*, 8>;

class CodeBuilder : public llvm::IRBuilder<> {
public:
    explicit CodeBuilder(ModuleTables& tables) : llvm::IRBuilder<>(tables.module().getContext()), tables_(tables) {}

    // -- functions and blocks
    // The function to which new blocks are added.
    llvm::Function* function() const { return function_; }
    void set_function(llvm::Function* function) { function_ = function; }
    llvm::BasicBlock* new_block(const char* name);
    // A pure function of `parameters` words to a word. `body` computes the result at the first use of the name in the
    // module.
    llvm::Function* shared_function(const std::string& name, unsigned parameters,
                                    llvm::function_ref<Value*(llvm::Function&)> body);

    // -- words
    Value* number(std::uint64_t n) { return getInt64(n); }
    Value* small(std::int64_t n) { return getInt32(static_cast<std::uint32_t>(n)); }
    Value* none() { return number(static_cast<std::uint64_t>(ir::none)); }
    Value* below(Value* v, std::uint64_t limit); // as unsigned numbers
    Value* clamped(Value* v, std::int64_t low, std::int64_t high) {
        const auto limit = [&](std::int64_t n) { return number(static_cast<std::uint64_t>(n)); };
        return CreateBinaryIntrinsic(llvm::Intrinsic::smin, CreateBinaryIntrinsic(llvm::Intrinsic::smax, v, limit(low)),
                                     limit(high));
    }
    Value* nonzero(Value* v) { return CreateICmpNE(v, number(0)); }
    // The n-th member of a word, counted from 0, as a word with that bit alone.
    Value* nth_member(Value* word, Value* n);
    // The same of a set. `bits`: {element}, if it is below 64, else nothing.
    struct Member {
        Value *element, *bits;
    };
    Member nth_member(const Set& set, Value* n);

    // -- sets
    Value* any(const Set& set);
    Value* count(const Set& set);
    Value* lowest_member(const Set& set);  // 64 times its width, if it is empty
    Value* highest_member(const Set& set); // undefined, if it is empty
    Set shifted(const Set& set, std::int32_t distance);
    // The bits in reverse order.
    Value* mirrored(Value* word);
    Set both(const Set& a, const Set& b);
    Set either(const Set& a, const Set& b);
    Set without(const Set& a, const Set& b);
    Set masked(const Set& set, Value* truth); // the set, or nothing
    Set chosen(Value* truth, const Set& yes, const Set& no);
    Set nothing(unsigned width) { return Set(width, number(0)); }
    Set constant_set(std::span<const std::uint64_t> words);

    // -- constant tables
    // `width` words from word `first` on.
    Set row_at(llvm::GlobalVariable* table, Value* first, unsigned width);
    // What a word or a vector of words holds from word `first` on.
    Value* constant_at(llvm::GlobalVariable* table, Value* first, llvm::Type* type);
    // Row number `row`. The last row stands for all rows outside.
    Set table_row(std::vector<std::uint64_t> table, Value* row, unsigned width);
    // Whether an element is in the constant set in registers from `reg` on. `inside`: it is known to be below `bits`.
    Value* is_in_constant(Value* element, std::uint32_t reg, std::uint64_t bits, bool inside);

    // -- branches and loops
    // Runs body(), which stores something, where the truth holds.
    void when(Value* truth, llvm::function_ref<void()> body);
    // Runs body(), which changes the words that it is given, at least once and as long as its result is true.
    void loop(Set& carried, llvm::function_ref<Value*(Set&)> body);
    // Folds the members of a set, in ascending order, into `total`: `with` gets a member and the words so far.
    Set over_members(const Set& members, Set total, llvm::function_ref<Set(Value*, const Set&)> with);

private:
    ModuleTables& tables_;
    llvm::Function* function_ = nullptr;
};

} // namespace zug::codegen
