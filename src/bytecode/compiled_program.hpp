#pragma once
// A whole program as byte code: the routines that the interpreter calls.

#include "bytecode/debug_info.hpp"
#include "bytecode/state_layout.hpp"
#include "bytecode/turn_opening.hpp"
#include "bytecode/vm.hpp"

#include <memory>
#include <string>
#include <vector>

namespace zug::run {

// A set of instances of one rule.
struct MoveSetCode {
    ir::RuleId rule{};
    Reg set = 0;
    std::uint16_t words = 1;
    std::vector<std::uint64_t> codes;              // step code by bit
    std::vector<bool> real;                        // by bit: there is such a move
    std::vector<std::vector<std::int64_t>> params; // by parameter: register words by bit
    bool known_legal = false;                      // their `ensure` is known to hold
};

// What the records of one shape say: step codes are a sum of what the member adds and what each kept register adds.
struct RecordCode {
    ir::RuleId rule{};
    std::uint16_t words = 1;
    std::vector<std::uint64_t> codes;              // by bit
    std::vector<std::vector<std::int64_t>> params; // by parameter: register words by bit; empty: kept
    struct Kept {
        std::int64_t low = 0;
        std::vector<std::uint64_t> codes; // by register word, less `low`
    };
    std::vector<Kept> kept; // in the record's order
    bool known_legal = false;
};

// What finds the instances of the move rules, or of the chance rules, for one player.
struct FindCode {
    Entry entry = no_entry;
    std::vector<MoveSetCode> move_sets;              // filled sets after running it; other instances are emitted
    std::vector<std::pair<Reg, std::uint16_t>> sets; // where these are, close together: most are empty
    bool emits = false;                              // records
    static constexpr std::int32_t nothing = 1;       // a result: there are none, and the sets are not filled
};

// Counts the legal moves of a player: those that need no `ensure`, and finds the others, which are to be tried.
struct CountCode {
    FindCode needs_check;
    Reg total = 0; // after running its entry: of the others
};

// Works out one number, an integer or a real.
struct NumberCode {
    Entry entry = no_entry;
    Reg reg = 0;
    bool real = false;
};

struct RuleCode {
    std::vector<Reg> params;        // where apply and weight read the parameters
    std::vector<Entry> apply;       // by player: 0 done, 1 `ensure` fails
    std::vector<Entry> trial;       // the same to ask whether the move is legal: fewer faults
    std::vector<NumberCode> weight; // by player; empty: all weigh 1
    bool ensures = false;
    bool checks = false; // some check may fail: keep the state before
};

// Random play as one routine: it finds the moves, draws one, makes it, passes the turn and goes on.
struct PlayCode {
    // By player to move, or, where the program keeps it, by player to move * players + player who moved last. Empty:
    // there is no such routine. With a turn plan they may take local variables to have their initial values. Results
    // other than `troubled`: an end clause that holds while the player to move is not stuck, or one of those below.
    std::vector<Entry> entries;
    static constexpr std::int32_t out_of_plies = -1;
    static constexpr std::int32_t no_move = -2;
    static constexpr std::int32_t chance_due = -3;
    static constexpr std::int32_t search_due = -4; // of a turn plan: the moves are not the instances of a rule
    Reg random = 0;                                // the generator's words
    Reg left = 0;                                  // plies that may still be made
    // Where it holds, a game that has ended is followed by the next from the state in `start`. Otherwise the routine
    // ends with each game.
    bool restarts = false;
    Reg games = 0; // that may follow the one under way
    Reg begun = 0; // what `left` was when the one under way began
    Reg start = 0;
    Reg drawn = 0;                      // the move under way: the number of its case, and the bit
    Reg before = 0;                     // the state before it, where it has an `ensure` or may fail
    std::vector<MoveSetCode> move_sets; // by number
};

// The positions after the moves of a position, made one by one in the memory of a line (ply.hpp), each with the end
// clauses judged. Moves come in the order of the lists.
struct WalkCode {
    // By player to move. `first` finds the moves and puts them down where `next` takes them from; both make a move.
    // Empty: there are no such routines. Results other than `troubled`: the end clause that holds while the player then
    // to move is not stuck, or one of those below.
    std::vector<Entry> first, next;
    static constexpr std::int32_t open = -1; // no end clause holds
    static constexpr std::int32_t none = -2; // there was no move left to make
    Reg here = 0, there = 0;                 // the addresses of the position and of the one to make
    Reg passes = 0;                          // so many positions that are open are passed over before one is given
    Reg onward = 0;                          // how far, in bytes, each that is passed over moves `there`
    // Of the positions passed over, if `counts` is not 0, the moves are added to `total`; one without a move is given.
    Reg counts = 0, total = 0;
    bool can_count = false;             // else they are always given
    Reg drawn = 0;                      // the move under way: the number of its case, and the bit
    std::vector<MoveSetCode> move_sets; // by number
    // A position in memory: those two words of the move that led to it, the state's words, the moves left.
    static constexpr std::int32_t state_at = 2;
    std::uint32_t words = 0;
    std::vector<std::uint32_t> ends;           // by player to move: of the moves left that are sets
    std::vector<std::uint32_t> sets;           // where these are, by number of the case
    std::vector<std::uint32_t> first_move_set; // by player to move
    bool emits = false;                        // records
    bool by_id = false;                        // moves come in order of their codes
};

// What a program was compiled to, and nothing that points elsewhere: it can be kept in a file (base/archive.hpp).
struct CompiledParts {
    Bytecode code;
    std::vector<FindCode> moves, chances; // by player to move
    std::vector<CountCode> counts;        // by player to move, without a turn plan
    PlayCode play;
    WalkCode walk;
    std::vector<RuleCode> rules;     // by RuleId
    std::vector<RecordCode> records; // by shape
    // With a turn plan:
    std::vector<std::vector<FindCode>> steps;               // by RuleId, by player: the instances of one move rule
    std::vector<std::vector<NumberCode>> most;              // by chain, by player; empty: none
    std::vector<std::vector<std::vector<NumberCode>>> sums; // by chain, by RuleId, by player; empty: none
    std::vector<Entry> plan_then;                           // by player
    bool plan_checks = false;                               // some check in it may fail
    std::vector<TurnOpening> openings;
    struct Key {
        Entry entry = no_entry;
        std::vector<std::pair<Reg, std::uint32_t>> parts; // words to hash
        bool of_state_alone = true;                       // not of the history
    };
    std::vector<Key> plan_by; // by player; empty: none
    // By player who moved last: the end clause that holds, or -1, while the player to move is not stuck, and when they
    // are. Both are the same before clause first_stuck_end.
    std::vector<Entry> ends, stuck_ends;
    std::int32_t first_stuck_end = INT32_MAX;
    struct Values {
        Entry entry = no_entry;
        std::vector<Reg> regs; // by player, real
        bool fixed = false;    // the same in every state: they are there without running it
    };
    std::vector<std::vector<Values>> payoffs;          // by clause, by player who moved last
    std::vector<Values> evals;                         // by player who moved last
    std::vector<std::vector<Key>> keys;                // by KeyId, by player
    std::vector<std::uint64_t> initial;                // state words
    std::vector<std::pair<Reg, std::uint32_t>> locals; // words that a passing turn resets to their initial values
};

// Never changed once it is made, so that threads can share it.
struct Compiled : CompiledParts {
    std::shared_ptr<const ir::Program> program;
    std::unique_ptr<StateLayout> layout;
    VirtualMachine vm = nullptr;
};

// The same from parts that this version has compiled the program to before.
std::unique_ptr<Compiled> compiled_of(std::shared_ptr<const ir::Program> program, CompiledParts parts);

} // namespace zug::run
