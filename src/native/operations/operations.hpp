#pragma once
// Translators of the operations of byte code, by what they are about. Each translate() adds the code of an instruction,
// or gives false and adds nothing if the operation is not one of its own, or not supported at this width.

#include "bytecode/operand_kinds.hpp"
#include "native/llvm/lanes.hpp"
#include "native/llvm/routine.hpp"

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace zug::codegen {

class OperationTranslator {
protected:
    explicit OperationTranslator(Routine& routine)
        : routine_(routine), tables_(routine.tables()), code_(routine.code()), b_(routine.builder()),
          regs_(routine.registers()) {}

    static std::uint64_t bits_of(const run::Instr& i) { return static_cast<std::uint64_t>(i.imm); }

    Routine& routine_;
    ModuleTables& tables_;
    const run::Bytecode& code_;
    CodeBuilder& b_;
    Registers& regs_;
};

// Sets wider than most_words_as_values, as memory. They take no longer to compile the wider they are.
class WideSetOps : OperationTranslator {
public:
    explicit WideSetOps(Routine& routine) : OperationTranslator(routine) {}
    static bool is_wide(const run::Instr& i) { return i.w > most_words_as_values; }
    bool translate(const run::Instr& i);

    // Truths of the sets of `width` words in registers from a and b on.
    Value* any(run::Reg a, unsigned width);
    Value* any_of_both(run::Reg a, run::Reg b, unsigned width);
    Value* any_without(run::Reg a, run::Reg b, unsigned width);
    void join(run::Reg to, run::Reg a, unsigned width);
    void put_on(run::Reg to, Value* element, std::uint64_t bits, unsigned width);
    // The first word that has members, or the last word, and its first member, which only that of a word with members
    // is.
    struct First {
        Value *address, *word, *member;
    };
    First first(run::Reg a, unsigned width);

private:
    using EachWords = llvm::function_ref<Value*(Value* first, unsigned lanes)>;
    using FoldWords = llvm::function_ref<Value*(Value* first, unsigned lanes, Value* before)>;
    Value* fold(unsigned width, FoldWords with);
    Value* any_word(unsigned width, EachWords of);
    void each(run::Reg to, unsigned width, EachWords of);
    Value* words(run::Reg reg, Value* first, unsigned lanes);
    Value* words_in(Value* memory, Value* first, unsigned lanes);
    void change_word(run::Reg to, Value* element, std::uint64_t bits, unsigned width,
                     llvm::function_ref<Value*(Value* word, Value* bit)> change);
    bool combine(const run::Instr& i);
    bool measure(const run::Instr& i);
    bool change(const run::Instr& i);
    void planes_put(const run::Instr& i);
    void planes_fill(const run::Instr& i);
    void copy_masked(run::Reg to, Value* from, Value* truth, unsigned width);
    void set_table(const run::Instr& i);
    void set_at(const run::Instr& i);
    void put_set_at(const run::Instr& i);
    Value* first_or_none(run::Reg a, unsigned width);
};

// Rays: by rows of tables, one direction after the other, or along all lines at once (RayLines). What the unions and
// sums of a block are made of is remembered, so that rays of several kinds of pieces are cast together.
class RayOps : OperationTranslator {
public:
    explicit RayOps(Routine& routine) : OperationTranslator(routine) {}
    void begin_block();
    bool translate(const run::Instr& i);
    // An Or of one word, if one of its operands is made of rays.
    bool join_union(const run::Instr& i);
    // The sum of two numbers, if one of them counts rays; else null.
    Value* join_sum(Value* a, Value* b);

private:
    // What a set or a number is made of: the starts of rays along all lines, and what else there is.
    struct Cast {
        Value* from = nullptr; // a word for each line
        Value* through = nullptr;
        Value* rest = nullptr;     // other members, or another number; or null
        Value* opposite = nullptr; // of a set: only what is in this, a word for each opposite line; or null
        Value* target = nullptr;   // of a number: what is counted
    };
    void rays(const run::Instr& i);
    void count_rays(const run::Instr& i);
    bool between(const run::Instr& i);

    llvm::Constant* for_lines(llvm::function_ref<std::uint64_t(const RayLines::Line&)> of);
    Value* along(Value* lanes, std::int32_t steps);
    Value* ray_lanes(Value* from, Value* through);
    Value* only_lines(Value* lanes, std::uint32_t lines);
    Value* all_lines(Value* from, Value* through);
    Value* starts(Value* set, std::uint32_t lines);
    Value* make_union(const Cast& cast);
    Value* make_count(const Cast& cast);
    Value* rays_of_all(Value* from, Value* through, std::uint32_t lines);
    std::optional<Cast> joined(const std::unordered_map<Value*, Cast>& known, Value* a, Value* b,
                               llvm::Instruction::BinaryOps join);

    Set ray(const Set& row, const Set& through, bool up);
    Set fan(const run::RayTable& rays, Value* site, const Set& through, bool up);
    llvm::SmallVector<Set, 8> rays_of_site(const run::RayTable& rays, Value* site, const Set& through);
    Set rays_from(const run::RayTable& rays, const Set& from, const Set& through);
    llvm::Function* rays_function(std::uint16_t table);
    Value* lines_between(std::uint16_t table, Value* from, Value* through, Value* target);
    llvm::Function* between_function(std::uint16_t table);

    // Of the block at hand:
    std::unordered_map<Value*, Cast> unions_, counts_;
    std::map<std::pair<Value*, Value*>, Value*> all_lines_; // rays from one set through another
};

// Unions of sets that are computed in the same way, four at a time in the words of a vector (Lanes).
class LaneOps : OperationTranslator {
public:
    explicit LaneOps(Routine& routine) : OperationTranslator(routine) {}
    void begin_block(const Shape::Block& block);
    bool translate(const run::Instr& i, run::Entry at);

private:
    Value* vector_of(const Lanes::Four& four);
    static std::optional<Lanes::Four> one_step_before(const Lanes::Four& four);
    Value* make_vector(const Lanes::Four& four);
    Value* passed_on(const Lanes::Four& from, const Lanes::Four& floods, Value* pass);
    Value* flood_four(const Lanes::Four& four, Value* start, Value* open);
    Value* rays_of_four(const Lanes::Four& four);
    Value* shift_four(Value* lanes, const Lanes::Four& four, std::int32_t times);
    template <class F>
    llvm::Constant* four_words(const Lanes::Four& four, F&& of);

    std::optional<Lanes> lanes_; // of the block at hand
    std::map<Lanes::Four, Value*> vectors_;
};

// Sets by tables and along lines: runs, floods, images.
class TableOps : OperationTranslator {
public:
    explicit TableOps(Routine& routine) : OperationTranslator(routine) {}
    void begin_block(const Shape::Block& block);
    bool translate(const run::Instr& i);

private:
    bool is_read_by_words(const run::Instr& i) const;
    void words_above(const run::Instr& i);
    void runs(const run::Instr& i);
    Value* runs_of_four(Value* set, llvm::ArrayRef<std::int64_t> distances, std::int32_t length);
    void flood(const run::Instr& i, bool from);
    bool flood_line(const run::Instr& i, bool from);
    Set by_distance(const Set& from, const std::map<std::int64_t, std::vector<std::uint64_t>>& landing);
    Set gather(const Set& from, std::span<const std::int64_t> table);
    void gather_at(const run::Instr& i);
    void image(const run::Instr& i);
    void count_image(const run::Instr& i);
    void set_table(const run::Instr& i);
    void set_at(const run::Instr& i);

    std::map<run::Reg, unsigned> rows_compared_; // how often, by WordsAbove in the block at hand
};

// Sets word by word, their single members, and changes of the state's maps.
class SetOps : OperationTranslator {
public:
    SetOps(Routine& routine, RayOps& rays) : OperationTranslator(routine), rays_(rays) {}
    bool translate(const run::Instr& i);
    // Mov, Load and Store, of any width.
    bool copy(const run::Instr& i);

private:
    bool change(const run::Instr& i);
    void bit(const run::Instr& i);
    void equal(const run::Instr& i);
    void test(const run::Instr& i);
    void only_member(const run::Instr& i);
    void store_at(const run::Instr& i, bool add);
    void put_set_at(const run::Instr& i);
    void plane_get(const run::Instr& i);
    void plane_put(const run::Instr& i);
    void plane_fill(const run::Instr& i);
    bool move(const run::Instr& i);
    bool load(const run::Instr& i);
    bool store(const run::Instr& i);

    RayOps& rays_;
};

// Integers, truths and reals.
class WordOps : OperationTranslator {
public:
    WordOps(Routine& routine, RayOps& rays) : OperationTranslator(routine), rays_(rays) {}
    bool translate(const run::Instr& i);

private:
    bool real(const run::Instr& i);
    void add(const run::Instr& i);
    void divide(const run::Instr& i, bool remainder);
    void word_table(const run::Instr& i);
    void word_at(const run::Instr& i);

    RayOps& rays_;
};

// Checks that end the routine when they fail.
class CheckOps : OperationTranslator {
public:
    CheckOps(Routine& routine, WideSetOps& wide) : OperationTranslator(routine), wide_(wide) {}
    bool translate(const run::Instr& i);
    // `value` adds the code of what is reported, for the case that the truth holds.
    void fail_if(Value* truth, run::Host::CheckFailure failure, std::int32_t name, llvm::function_ref<Value*()> value);

private:
    void fail_if(Value* truth, run::Host::CheckFailure failure, std::int32_t name, Value* value) {
        fail_if(truth, failure, name, [&] { return value; });
    }
    void check_and_set_all(const run::Instr& i);
    void check_and_set(const run::Instr& i);
    void set_turn(const run::Instr& i);

    WideSetOps& wide_;
};

// Maps of small numbers: rows of bytes.
class ByteOps : OperationTranslator {
public:
    ByteOps(Routine& routine, CheckOps& checks) : OperationTranslator(routine), checks_(checks) {}
    bool translate(const run::Instr& i);

private:
    static bool is_word(const run::Instr& i) { return i.imm <= 8; }
    // `shift`: the number of the byte's first bit.
    Value* shift_of(Value* entry);
    Value* byte_of(Value* word, Value* shift);
    void byte_at(const run::Instr& i);
    void change(const run::Instr& i, llvm::function_ref<Value*(Value* word, Value* shift)> value);
    void by_parts(const run::Instr& i, llvm::function_ref<void(unsigned first, unsigned words)> body);
    // Bits for the bytes that are greater than the bound, of at most eight words.
    Value* above(std::uint32_t reg, unsigned words, Value* bound);
    Value* above_in_word(Value* word, Value* bound);
    Value* above_in_vector(std::uint32_t reg, unsigned words, Value* bound);
    void bytes_above(const run::Instr& i);
    void check_bytes(const run::Instr& i);

    CheckOps& checks_;
};

// Jumps, returns and calls of the host.
class ControlOps : OperationTranslator {
public:
    ControlOps(Routine& routine, WideSetOps& wide) : OperationTranslator(routine), wide_(wide) {}
    bool translate(const run::Instr& i, run::Entry at);

private:
    void leave_if(Value* truth, std::int32_t result, run::Entry at);
    void go_if(Value* truth, std::int32_t target, run::Entry at);
    void grow_or_jump(const run::Instr& i, run::Entry at);
    void dispatch(const run::Instr& i);
    void count_down(const run::Instr& i, run::Entry at);
    void pop_bit(const run::Instr& i, run::Entry at);
    void pop_bit_of_wide(const run::Instr& i, run::Entry at);
    Value* any(const run::Instr& i);
    bool call(const run::Instr& i);

    WideSetOps& wide_;
};

// Records (run::RecordShape), and choosing among them.
class RecordOps : OperationTranslator {
public:
    explicit RecordOps(Routine& routine) : OperationTranslator(routine) {}
    bool translate(const run::Instr& i);
    // The end of Draw: continues with member `number` of all records.
    void draw(const run::Instr& i, Value* number, llvm::BasicBlock* nowhere);
    // The end of TakeFirst: continues with the first member, or at `nowhere` if there is none.
    void take_first(const run::Instr& i, llvm::BasicBlock* nowhere);

private:
    void emit(const run::Instr& i);
    void clear();
    struct Record {
        Value* address = nullptr;
        Value* offset = nullptr; // the same from the first record on, in words
    };
    void take_narrow(const run::Instr& i, llvm::BasicBlock* nowhere);
    // `look`: where the next record is looked at.
    void take_of_shape(const run::Instr& i, const run::RecordShape& shape, const Record& record,
                       llvm::BasicBlock* look);
    void draw_of_shape(const run::Instr& i, const run::RecordShape& shape, const Record& record, Value* number);
    // Continues with a member of a record's set.
    void continue_with(const run::Instr& i, const run::RecordShape& shape, const Record& record,
                       const CodeBuilder::Member& member);
    Value* length_of(Value* header, const run::Drawing& drawing);
    Value* word_at(const Record& record, std::size_t n) {
        return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), record.address, n);
    }
    void continue_at(Value* target, const run::Drawing& drawing, llvm::BasicBlock* nowhere);
};

// Choosing a member of sets, at random or in order.
class DrawOps : OperationTranslator {
public:
    DrawOps(Routine& routine, RecordOps& records) : OperationTranslator(routine), records_(records) {}
    bool translate(const run::Instr& i, run::Entry at);
    // The whole state is replaced: the next draw is the first of a game.
    void begin_game();

private:
    void draw(const run::Instr& i, run::Entry at);
    void drawn_from(const run::Instr& i, const run::Drawing& drawing, std::size_t part, Value* number);
    void drawn_from_all(const run::Instr& i, const run::Drawing& drawing, llvm::ArrayRef<Value*> members,
                        Value* number);
    void continue_with(const run::Instr& i, const run::Drawing& drawing, std::size_t part, Value* element, Value* bit);
    void give(const run::Drawing& drawing, llvm::ArrayRef<Value*> beyond, Value* element, Value* bits);
    Value* chosen_number(llvm::ArrayRef<std::int64_t> numbers, llvm::ArrayRef<Value*> beyond);
    void take_first(const run::Instr& i, run::Entry at);
    llvm::SwitchInst* first_with_members(std::uint32_t memory, const run::Drawing& drawing, llvm::BasicBlock* none);

    Value* random_below(std::uint32_t generator, Value* limit);
    llvm::Function* redraw_function();
    Value* predicted(Value* limit);
    Value* prediction_slot(llvm::AllocaInst*& slot);

    RecordOps& records_;
    llvm::AllocaInst* expected_ = nullptr; // the predicted number of moves at the next draw
    llvm::AllocaInst* most_ = nullptr;     // the largest number of moves that was not predicted
};

} // namespace zug::codegen
