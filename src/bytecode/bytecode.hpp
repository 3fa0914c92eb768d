#pragma once
// Flat byte code over words and bit sets.
//
// A frame is one array of 64-bit words: the state first, then temporaries growing upward, constants from the top of the
// 16-bit register space downward. A register is an offset into it; a set takes as many consecutive words as its width.
// Code is specialised for the player that `me` is: each routine exists once a player.

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

using Reg = std::uint16_t;
inline constexpr std::uint32_t frame_words = 65536;

struct Instr {
    Opcode op{};
    Reg d = 0, a = 0, b = 0, c = 0;
    std::uint16_t w = 1;
    std::int32_t imm = 0;
};
static_assert(sizeof(Instr) == 16);

// Several shifts by constant distances with the set of places that each may land on.
struct ShiftList {
    struct Shift {
        std::int32_t distance; // positive: towards higher bits
        Reg mask;
    };
    std::vector<Shift> shifts;
    bool masked = true; // false: no wrong landing is possible inside any set of sites
    // Of a single shift: how often a flood must double its reach to get from one end of the board to the other.
    std::uint32_t doublings = 0;
};

// From each place of a set the places that lie ahead in several directions, nearest first in order of bits: those of
// the first `up` directions ascend, those of the others descend.
struct RayTable {
    std::uint32_t count = 0, up = 0;
    std::vector<std::uint64_t> rows; // by place, direction, word
};

struct Tables {
    std::vector<std::vector<std::int64_t>> words; // WordTable, Plane, Gather (-1: nowhere), Runs (distances)
    std::vector<std::vector<std::uint64_t>> sets; // SetTable: rows of w words
    std::vector<ShiftList> shifts;
    std::vector<RayTable> rays;
};

// Where a routine begins in Code::instrs. Every routine ends with a Return.
using Entry = std::uint32_t;
inline constexpr Entry no_entry = UINT32_MAX;

// What a translator must know of a routine: which registers are read after it, besides the state's words. All others
// above the state are its own.
struct RoutineInfo {
    Entry entry = no_entry;
    std::vector<std::pair<Reg, std::uint16_t>> results; // register and width
    std::vector<Reg> seldom;                            // of these, those that may as well stay in memory
};

// What Emit puts down: instances of a rule that have these registers in common and differ by the member of a set.
// Words: the number of the shape, with the number of members in the high half; the registers; the set.
struct RecordShape {
    std::uint16_t words = 1; // of the set
    std::vector<Reg> kept;
    std::uint32_t target = 0; // where Draw goes on with a member, the kept registers as they were
};

// What Draw draws from: sets, and where to go on with a member of each. The same for Take, which takes their members in
// order.
struct Drawing {
    // A register that is set on the way there: to a number, or to one that lies so far from the member.
    struct Given {
        Reg reg = 0;
        bool from_member = false;
        std::int64_t number = 0;
        std::uint32_t bits = 64; // it will be below this, if that is at most 64
    };
    struct Part {
        Reg set = 0; // of Take: the place in memory
        std::uint16_t words = 1;
        std::uint32_t bits = 64;  // how many places the set has
        std::uint32_t target = 0; // an instruction
        Reg weight = 0;           // the word that says how many members each of them counts for; 0: one
        std::vector<Given> given;
    };
    std::vector<Part> parts;
    std::uint32_t first = 0; // the number of the first set
    // What was emitted, too, as one of these shapes.
    std::uint32_t first_shape = 0, last_shape = 0;
    bool records() const { return first_shape != last_shape; }
};

// A question that only the executor can answer (see interpreter.cpp).
struct Question {
    enum class Kind : std::uint8_t { Stuck, Earlier, Evaluate };
    Kind kind = Kind::Stuck;
    std::uint32_t key = 0;                       // Earlier
    ir::ExprId expr{};                           // Evaluate: by the reference evaluator
    std::vector<std::pair<ir::VarId, Reg>> vars; // the variables it reads
    std::uint32_t me = 0;
};

class Profile;

struct Bytecode {
    std::vector<Instr> instrs;
    Tables tables;
    std::vector<RecordShape> shapes;
    std::vector<Drawing> drawings;
    std::vector<Question> questions;
    std::vector<std::string> places;                      // what CheckRange names
    std::vector<std::pair<Reg, std::uint64_t>> constants; // frame words that never change
    std::vector<RoutineInfo> routines;                    // by entry
    std::uint16_t main_width = 1;
    Reg turn_reg = 0;           // the state word of the player to move
    Reg turned_reg = 0;         // 0: no turn effect yet in this move, 1: again, 2: next
    Reg temps_end = 0;          // words below are state and temporaries
    Profile* profile = nullptr; // where a counting machine counts
};

} // namespace zug::run
