#pragma once
// From byte code to LLVM's intermediate representation, one function a routine.
//
// Every register word is an i64. State words and results are loads and stores of the frame, the routine's own registers
// are values or stack slots that LLVM promotes, constants are constants. Within a block what was last read or written
// is remembered, so that LLVM has less to clean up. A set of w words is w values.

#include "ir/types.hpp"
#include "native/llvm/lanes.hpp"
#include "native/llvm/ray_lines.hpp"
#include "native/llvm/shape.hpp"
#include "native/request.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <unordered_map>

namespace zug::codegen {

// A module under construction: types, and tables as private constants.
class Tables {
public:
    // `deposits`: the processor has a bit deposit; `vectors`: shifts of vectors, each word by a number of its own.
    Tables(llvm::Module& module, const native::Request& request, bool deposits, bool vectors);
    bool deposits() const { return deposits_; }
    bool vectors() const { return vectors_; }

    const run::Bytecode& code() const { return request_.code; }
    const native::Request& request() const { return request_; }
    llvm::Module& module() { return module_; }
    // An array of words, the same for equal words.
    llvm::GlobalVariable* words(std::vector<std::uint64_t> words);
    llvm::Function* redraw();
    std::uint64_t constant(std::uint32_t reg) const { return constants_.at(reg); }
    const std::unordered_map<std::uint32_t, std::uint64_t>& constants() const { return constants_; }
    const RayLines& lines() const { return lines_; }
    unsigned uses_of_rays(std::uint16_t table) const { return ray_uses_[table]; }

private:
    llvm::Module& module_;
    const native::Request& request_;
    std::map<std::vector<std::uint64_t>, llvm::GlobalVariable*> words_;
    std::unordered_map<std::uint32_t, std::uint64_t> constants_;
    std::vector<unsigned> ray_uses_; // instructions, by table
    RayLines lines_;
    bool deposits_, vectors_;
    llvm::Function* redraw_ = nullptr;
};

class Translator {
public:
    using Value = llvm::Value;
    using Set = llvm::SmallVector<Value*, 8>;

    // Routines that lead to each other become one function, with a small one for each entry.
    Translator(Tables& tables, std::span<const run::RoutineInfo> routines);
    // Adds functions of these names, or nothing if an op or a width is beyond this translator.
    bool translate(std::span<const std::string> names);
    // A number below 2^32 by the generator's words, which change.
    static Value* next_random(llvm::IRBuilder<>& b, Set& generator);

private:
    // -- registers
    Value* word(std::uint32_t reg);
    void put(std::uint32_t reg, Value* value);
    Set set(std::uint32_t reg, unsigned width);
    void put_set(std::uint32_t reg, const Set& set);
    Value* real(std::uint32_t reg);
    void put_real(std::uint32_t reg, Value* value);
    void put_truth(std::uint32_t reg, Value* truth);
    Value* address(std::uint32_t reg); // in the frame
    Value* address(std::uint32_t reg, Value* offset);
    Value* slot(std::uint32_t reg);
    void forget(std::uint32_t reg, std::uint32_t count); // what is remembered of frame words
    void forget_frame();
    bool in_slot(std::uint32_t reg) const { return shape_.home(reg) == Home::Slot || shape_.home(reg) == Home::Cached; }
    // Of cached frame words: from the frame to their slots, and back.
    void load_words();
    void write_back();
    void leave(std::int32_t result);
    void add_exit();

    // -- building blocks
    Value* number(std::uint64_t n) { return b_.getInt64(n); }
    Value* none() { return number(static_cast<std::uint64_t>(ir::none)); }
    Value* below(Value* v, std::uint64_t limit); // as unsigned numbers
    Value* nonzero(Value* v) { return b_.CreateICmpNE(v, number(0)); }
    Value* any(const Set& set);
    Value* count(const Set& set);
    Value* position(const Set& set); // of the least member
    Set shifted(const Set& set, std::int32_t distance);
    Set both(const Set& a, const Set& b);
    Set either(const Set& a, const Set& b);
    Set without(const Set& a, const Set& b);
    Set masked(const Set& set, Value* truth);
    Set chosen(Value* truth, const Set& yes, const Set& no);
    Set single(Value* place, std::uint64_t bits, unsigned width); // {place}, or nothing from `bits` on
    Value* small(std::int64_t n) { return b_.getInt32(static_cast<std::uint32_t>(n)); }
    Set nothing(unsigned width) { return Set(width, number(0)); }
    Set constant_set(std::span<const std::uint64_t> words);
    Value* member(Value* place, std::uint32_t reg, unsigned width, std::uint64_t bits); // as i1
    Value* looked_up(Value* place, std::uint32_t reg, std::uint64_t bits, bool inside);
    // Row number `row` of a constant table with a last row for all that is outside.
    Set table_row(std::vector<std::uint64_t> table, Value* row, unsigned width);
    void phi_loop(Set& carried, llvm::function_ref<Value*(Set&)> body); // while body() says so

    // -- lanes (translate_lanes.cpp)
    bool put_union(const run::Instr& i, run::Entry at);
    Value* vector_of(const Lanes::Four& four);
    static std::optional<Lanes::Four> one_step_before(const Lanes::Four& four);
    Value* make_vector(const Lanes::Four& four);
    Value* passed_on(const Lanes::Four& from, const Lanes::Four& floods, Value* pass);
    Value* flood_four(const Lanes::Four& four, Value* start, Value* open);
    Value* rays_of_four(const Lanes::Four& four);
    Value* shifted(Value* lanes, const Lanes::Four& four, std::int32_t times);
    template <class F>
    llvm::Constant* four_words(const Lanes::Four& four, F&& of);

    // -- instructions
    bool instruction(const run::Instr& i, run::Entry at);
    bool set_instruction(const run::Instr& i);
    bool table_instruction(const run::Instr& i);
    bool change_instruction(const run::Instr& i);
    bool word_instruction(const run::Instr& i);
    bool real_instruction(const run::Instr& i);
    bool check_instruction(const run::Instr& i);
    bool control_instruction(const run::Instr& i, run::Entry at);
    void bit(const run::Instr& i);
    void above(const run::Instr& i);
    void runs(const run::Instr& i);
    Value* runs_of_four(Value* set, llvm::ArrayRef<std::int64_t> distances, std::int32_t length);
    void flood(const run::Instr& i, bool from);
    bool flood_line(const run::Instr& i, bool from);
    Set gather(const Set& from, std::span<const std::int64_t> table);
    void gather_at(const run::Instr& i);
    // -- rays (translate_rays.cpp)
    llvm::Constant* for_lines(llvm::function_ref<std::uint64_t(const RayLines::Line&)> of);
    Value* along(Value* lanes, std::int32_t steps);
    Value* ray_lanes(Value* from, Value* through);
    Value* only_lines(Value* lanes, std::uint32_t lines);
    void rays(const run::Instr& i);
    void count_rays(const run::Instr& i);
    void count_image(const run::Instr& i);
    bool between(const run::Instr& i);
    // What a set or a number of this block is made of, to make those of several sorts of pieces at once: the starts of
    // rays, a word a line, and what else there is.
    struct Seen {
        Value* from = nullptr;
        Value* through = nullptr;
        Value* rest = nullptr;     // of a set: other members, or null
        Value* opposite = nullptr; // of a set: what is seen the other way along each line, or null
        Value* target = nullptr;   // of a number
    };
    Value* all_lines(Value* from, Value* through);
    Value* starts(Value* set, std::uint32_t lines);
    Value* make_seen(const Seen& seen);
    Value* rays_of_all(Value* from, Value* through, std::uint32_t lines);
    Value* make_count(const Seen& seen);
    std::optional<Seen> joined(const std::unordered_map<Value*, Seen>& sort, Value* a, Value* b,
                               llvm::Instruction::BinaryOps join);
    bool or_of_rays(const run::Instr& i);
    Value* sum_of_rays(Value* a, Value* b);
    Value* lines_between(std::uint16_t table, Value* from, Value* through, Value* target);
    llvm::Function* between_function(std::uint16_t table);
    Set rays_from(const run::RayTable& rays, const Set& from, const Set& through);
    llvm::Function* rays_function(std::uint16_t table);
    void image(const run::Instr& i);
    Set ray(const Set& row, const Set& through, bool up);
    Set each_member(const Set& members, llvm::function_ref<Set(Value*)> of);
    Set over_members(const Set& members, Set total, llvm::function_ref<Set(Value*, const Set&)> with);
    Set row_at(llvm::GlobalVariable* table, Value* first, unsigned width);
    void plane(const run::Instr& i);
    void plane_put(const run::Instr& i);
    void plane_fill(const run::Instr& i);
    void next_bit(const run::Instr& i, run::Entry at);
    void word_table(const run::Instr& i);
    void add(const run::Instr& i);
    void divide(const run::Instr& i, bool remainder);
    void store_at(const run::Instr& i, bool add);
    void turn_to(const run::Instr& i);
    // What is known of a word besides its value: {word} as a word of bits, if it is below 64, and which can be there.
    struct Single {
        Value* bits = nullptr;
        std::uint64_t possible = ~std::uint64_t{0};
    };
    const Single* single_of(Value* place) const;
    void know_single(Value* place, Single single) { singles_[place] = single; }
    Single moved(const Single& single, std::int64_t distance);
    Value* member_slot(std::uint32_t reg);
    void put_member(std::uint32_t reg, Value* place, Value* bits);
    void fail_if(Value* truth, int kind, std::int32_t place, Value* value);
    Value* call_host(unsigned member, llvm::ArrayRef<Value*> arguments);
    void leave_if(Value* truth, std::int32_t result, run::Entry at);
    void go_if(Value* truth, std::int32_t target, run::Entry at);
    llvm::BasicBlock* block_at(run::Entry at);
    llvm::BasicBlock* new_block(const char* name);

    void add_entries(std::span<const std::string> names);
    bool mov(const run::Instr& i);
    bool draw_instruction(const run::Instr& i, run::Entry at);
    void emit_record(const run::Instr& i);
    void draw(const run::Instr& i, run::Entry at);
    void drawn_from(const run::Instr& i, const run::Drawing& drawing, std::size_t part, Value* number);
    void go_on(const run::Instr& i, const run::Drawing& drawing, std::size_t part, Value* place, Value* bit);
    void drawn_from_all(const run::Instr& i, const run::Drawing& drawing, llvm::ArrayRef<Value*> members,
                        Value* number);
    void give(const run::Drawing& drawing, llvm::ArrayRef<Value*> beyond, Value* place, Value* bits);
    Value* chosen_number(llvm::ArrayRef<std::int64_t> numbers, llvm::ArrayRef<Value*> beyond);
    void draw_record(const run::Instr& i, Value* number, llvm::BasicBlock* nowhere);
    Value* guessed(Value* limit);
    Value* guess_slot(llvm::AllocaInst*& slot);
    void guess_anew();
    void go_to_record(Value* target, const run::Drawing& drawing, llvm::BasicBlock* nowhere);
    void take(const run::Instr& i, run::Entry at);
    llvm::SwitchInst* first_with_members(std::uint32_t memory, const run::Drawing& drawing, llvm::BasicBlock* none);
    void take_record(const run::Instr& i, llvm::BasicBlock* nowhere);
    // A word of memory, by the register with the address and the number of the word.
    Value* memory_at(std::uint32_t reg, std::uint32_t number);
    bool load_words(const run::Instr& i);
    bool store_words(const run::Instr& i);
    bool is_framed(std::uint32_t reg, std::uint32_t count) const;
    Value* random_below(std::uint32_t generator, Value* limit);
    Value* nth_member(Value* word, Value* n); // as a word with that bit
    Value* records_word(unsigned member);     // the address of a member of run::Records
    void count_down(const run::Instr& i, run::Entry at);

    Tables& tables_;
    std::span<const run::RoutineInfo> routines_;
    const run::Bytecode& code_;
    Shape shape_;
    llvm::IRBuilder<> b_;
    llvm::Function* function_ = nullptr;
    Value* frame_ = nullptr;
    Value* host_ = nullptr;
    llvm::BasicBlock* entry_ = nullptr; // slots are made here
    llvm::BasicBlock* exit_ = nullptr;  // where cached words are written back
    std::vector<std::pair<std::int32_t, llvm::BasicBlock*>> leaving_;
    std::unordered_map<run::Entry, llvm::BasicBlock*> blocks_;
    std::unordered_map<std::uint32_t, llvm::AllocaInst*> slots_;
    std::unordered_map<std::uint32_t, Value*> values_;     // own registers of one block
    std::unordered_map<std::uint32_t, Value*> remembered_; // what a slot or frame word holds, in this block
    std::unordered_map<Value*, Single> singles_;
    std::unordered_map<Value*, Value*> only_members_;              // by a set of one word that has just this one
    std::unordered_map<std::uint32_t, llvm::AllocaInst*> members_; // a word of bits beside each register that is drawn
    std::optional<Lanes> lanes_;                                   // of this block
    std::map<Lanes::Four, Value*> vectors_;
    std::unordered_map<Value*, Seen> seen_, counted_;       // sets and numbers of this block
    std::map<std::pair<Value*, Value*>, Value*> all_lines_; // rays from one set through another
    llvm::AllocaInst* expected_ = nullptr;                  // how many moves the next draw is likely to be from
    llvm::AllocaInst* most_ = nullptr;                      // what there were at most, as far as a guess was wrong
};

// Wider sets are left to the interpreter: their code would be long.
inline constexpr unsigned widest_set = 16;

} // namespace zug::codegen
