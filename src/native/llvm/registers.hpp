#pragma once
// The registers of a routine as LLVM values.
//
// State words and results are loads and stores of the frame, the routine's own registers are values or stack slots that
// LLVM promotes, constants are constants (Home in shape.hpp). Within a block the last value read from or written to a
// register is remembered, which leaves LLVM less to clean up.

#include "native/llvm/code_builder.hpp"
#include "native/llvm/shape.hpp"

#include <unordered_map>

namespace zug::codegen {

class Registers {
public:
    Registers(CodeBuilder& builder, ModuleTables& tables, const Shape& shape);
    // `entry`: the block in which stack slots are allocated.
    void begin_function(Value* frame, llvm::BasicBlock* entry);
    void begin_block(); // forgets all that is known of values

    // -- reading and writing
    Value* word(std::uint32_t reg);
    void put(std::uint32_t reg, Value* value);
    Set set(std::uint32_t reg, unsigned width);
    void put_set(std::uint32_t reg, const Set& set);
    Value* real(std::uint32_t reg);
    void put_real(std::uint32_t reg, Value* value);
    void put_truth(std::uint32_t reg, Value* truth);

    // -- memory
    Value* frame() const { return frame_; }
    Value* address(std::uint32_t reg); // in the frame
    Value* address(std::uint32_t reg, Value* offset);
    bool is_framed(std::uint32_t reg, std::uint32_t count) const; // these registers are in the frame, or constants
    // Word number `number` of the memory whose address a register holds.
    Value* memory_at(std::uint32_t reg, std::uint32_t number);
    llvm::AllocaInst* new_slot();
    // To be called when frame words may have changed behind the remembered values.
    void forget(std::uint32_t reg, std::uint32_t count);
    void forget_frame();
    // What is remembered of slots and frame words, to be restored where a second branch from the same block begins.
    using Remembered = std::unordered_map<std::uint32_t, Value*>;
    const Remembered& remembered() const { return remembered_; }
    void restore(const Remembered& remembered) { remembered_ = remembered; }
    // Copies of frame words kept in slots (Home::Cached): from the frame, and back.
    void load_cached();
    void store_cached();

    // -- single members
    // {element} as a word, if the element is below 64, where that is known without computing it.
    struct Singleton {
        Value* bits = nullptr;
        std::uint64_t possible = ~std::uint64_t{0}; // bits that it may have
    };
    const Singleton* singleton_of(Value* element) const;
    void know_singleton(Value* element, Singleton singleton) { singletons_[element] = singleton; }
    // That of the element `distance` further. If it leaves the word, its bit does, too.
    Singleton moved(const Singleton& singleton, std::int64_t distance);
    // Writes an element that was drawn, and {element} if it is below 64.
    void put_member(std::uint32_t reg, Value* element, Value* bits);
    // {element}, or nothing if it is not below `bits`.
    Set singleton(Value* element, std::uint64_t bits, unsigned width);
    // A set is known to be {member}, or nothing if `valid` is given and false.
    void know_only_member(const Set& set, Value* member, Value* valid = nullptr);
    Value* only_member(Value* set) const; // of a word that has one; null: unknown

    // -- members
    // Whether an element is in the set in registers from `reg` on; false if it is not below `bits`.
    Value* member(Value* element, std::uint32_t reg, unsigned width, std::uint64_t bits);
    // The union of of(member) over the members of a set; of() makes sets of as many words.
    Set union_over(const Set& members, llvm::function_ref<Set(Value*)> of);
    // The sum of of(member), a number.
    Value* sum_over(const Set& members, llvm::function_ref<Value*(Value*)> of);

private:
    Value* slot(std::uint32_t reg);
    Value* member_slot(std::uint32_t reg);
    bool in_slot(std::uint32_t reg) const;

    CodeBuilder& b_;
    ModuleTables& tables_;
    const Shape& shape_;
    Value* frame_ = nullptr;
    llvm::BasicBlock* entry_ = nullptr;
    std::unordered_map<std::uint32_t, llvm::AllocaInst*> slots_;
    std::unordered_map<std::uint32_t, llvm::AllocaInst*> members_; // {element}, of each register with a drawn element
    std::unordered_map<std::uint32_t, Value*> values_;             // registers that are used in one block only
    // Of the block at hand:
    Remembered remembered_;
    std::unordered_map<Value*, Singleton> singletons_;
    struct OnlyMember {
        Set set;
        Value* member = nullptr;
        Value* valid = nullptr;
    };
    const OnlyMember* known_only_member(const Set& set) const;
    std::unordered_map<Value*, OnlyMember> only_members_; // by their first word
};

} // namespace zug::codegen
