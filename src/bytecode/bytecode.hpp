#pragma once
// A register byte code over 64-bit words and bit sets.
//
// A frame is one array of `frame_words` words: the state first, then temporaries growing upward, and constants growing
// downward from the end. A register is a word's index in the frame; a set occupies as many consecutive words as it is
// wide. Routines are specialised for the player whom `me` denotes, so each exists once for every player.

#include "ir/program.hpp"

#include <cstdint>
#include <vector>

namespace zug::run {

enum class Opcode : std::uint16_t {
#define SET_OP(name, ...) name##_1, name##_M, name##_N,
#define WORD_OP(name, ...) name,
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
};

// An operation, whatever its width: And is the operation of And_1, And_M and And_N.
enum class Operation : std::uint8_t {
#define SET_OP(name, ...) name,
#define WORD_OP(name, ...) name,
#include "bytecode/opcodes.def"
#undef SET_OP
#undef WORD_OP
};

using Reg = std::uint16_t;
inline constexpr std::uint32_t frame_words = 65536;

// 16 bytes. What each field means depends on the opcode (operand_kinds.hpp).
struct Instr {
    Opcode op{};
    Reg d = 0, a = 0, b = 0, c = 0;
    std::uint16_t w = 1; // words of a set
    std::int32_t imm = 0;
};
static_assert(sizeof(Instr) == 16);

// Shifts by constant distances, each with the set of sites that it may land on.
struct ShiftList {
    struct Shift {
        std::int32_t distance; // positive: towards higher bits
        Reg mask;
    };
    std::vector<Shift> shifts;
    bool masked = true; // false: sites shift to sites or into the padding, so that no mask is needed
    // Of a single shift: how many times a flood doubles its reach to span the board.
    std::uint32_t doublings = 0;
};

// The sites ahead of each site in `count` directions. In the first `up` directions the bits ascend with the distance
// from the site, in the others they descend; so the nearest obstacle is the lowest or the highest bit.
struct RayTable {
    std::uint32_t count = 0, up = 0;
    std::vector<std::uint64_t> rows; // by site, direction, word
};

struct Tables {
    std::vector<std::vector<std::int64_t>> words; // WordTable, Plane, Gather (-1: nowhere), Runs (distances)
    std::vector<std::vector<std::uint64_t>> sets; // SetTable: rows of w words
    std::vector<ShiftList> shifts;
    std::vector<RayTable> rays;
};

// The index in Bytecode::instrs at which a routine begins. Every routine ends with a Return.
using Entry = std::uint32_t;
inline constexpr Entry no_entry = UINT32_MAX;

// What is live after a routine besides the words of the state. All other registers above the state are the routine's
// own, so a translator need not write them to the frame.
struct RoutineInfo {
    Entry entry = no_entry;
    std::vector<std::pair<Reg, std::uint16_t>> results; // register and width
    std::vector<Reg> seldom;                            // those of them that are rarely used: best left in memory
};

// The layout of what EmitRecord appends: instances of a rule that have the values of some registers in common and
// differ by a member of a set. A record is a word with the shape's number in its low and the number of members in its
// high half, then the values of the registers, then the set.
struct RecordShape {
    std::uint16_t words = 1; // of the set
    std::vector<Reg> kept;
    std::uint32_t target = 0; // the instruction at which Draw continues, with the kept registers restored
};

// The sets that Draw and TakeFirst choose a member from, and where execution continues with a member of each.
struct Drawing {
    // A register that is assigned on the way there: `number`, or the member plus `number`.
    struct Given {
        Reg reg = 0;
        bool from_member = false;
        std::int64_t number = 0;
        std::uint32_t bits = 64; // a bound of its value, if at most 64
    };
    struct Part {
        Reg set = 0; // TakeFirst: an offset in words into the memory instead
        std::uint16_t words = 1;
        std::uint32_t bits = 64;  // the set's universe: members are below this
        std::uint32_t target = 0; // an instruction
        Reg weight = 0;           // the register with the weight of each member; 0: each weighs 1
        std::vector<Given> given;
    };
    std::vector<Part> parts;
    std::uint32_t first = 0; // the number of the first set; the others follow
    // Records of the shapes [first_shape, last_shape) are chosen from, too.
    std::uint32_t first_shape = 0, last_shape = 0;
    bool records() const { return first_shape != last_shape; }
};

// A question of CallHost, answered by the executor (interpreter/referee.cpp).
struct Question {
    enum class Kind : std::uint8_t { Stuck, Earlier, Can, Evaluate };
    Kind kind = Kind::Stuck;
    std::uint32_t key = 0; // Earlier: the history; Can: the index in CompiledParts::can
    ir::ExprId expr{};     // Evaluate: what the reference evaluator is to evaluate; Can: the same, where a move faults
    // Evaluate: the variables that it reads. Can: the same, and after the first `named` the given parameters.
    std::vector<std::pair<ir::VarId, Reg>> vars{};
    std::uint32_t named = 0;
    std::uint32_t me = 0;
};

class Profile;

struct Bytecode {
    std::vector<Instr> instrs;
    Tables tables;
    std::vector<RecordShape> shapes;
    std::vector<Drawing> drawings;
    std::vector<Question> questions;
    std::vector<std::string> check_names;                 // what failed checks name
    std::vector<std::pair<Reg, std::uint64_t>> constants; // frame words that are initialised once
    std::vector<RoutineInfo> routines;                    // by entry
    std::uint16_t main_width = 1;
    Reg turn_reg = 0;           // the state word of the player to move
    Reg turned_reg = 0;         // the turn effect of this move: 0 none yet, 1 again, 2 next
    Reg temps_end = 0;          // state and temporaries are below this
    Profile* profile = nullptr; // what a counting machine reports to
};

} // namespace zug::run
