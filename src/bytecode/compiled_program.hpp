#pragma once
// A whole program as byte code: its routines, and what the interpreter has to know to call them.

#include "bytecode/debug_info.hpp"
#include "bytecode/state_layout.hpp"
#include "bytecode/turn_opening.hpp"
#include "bytecode/vm.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace zug::run {

// Instances of one rule as a bit set: a bit for each assignment of the rule's parameters.
struct MoveSetCode {
    ir::RuleId rule{};
    Reg set = 0;
    std::uint16_t words = 1;
    std::vector<std::uint64_t> codes;              // by bit: the step code of the instance (executor/executor.hpp)
    std::vector<bool> real;                        // by bit: false for padding
    std::vector<std::vector<std::int64_t>> params; // by parameter, by bit: the argument as a register word
    bool known_legal = false;                      // `ensure` is proved to hold after each of them
    // In random play, of events whose parameters are drawn one after another: for each member that is drawn after that
    // of the set, the register with its bit, and by bit, what it adds to the step code.
    struct Later {
        Reg bit = 0;
        std::vector<std::uint64_t> codes;
    };
    std::vector<Later> later = {};
};

// The instances that records of one shape (RecordShape) stand for. A step code is a sum of codes: one for the member of
// the set, and one for each kept register.
struct RecordCode {
    ir::RuleId rule{};
    std::uint16_t words = 1;
    std::vector<std::uint64_t> codes;              // by bit: of the member
    std::vector<std::vector<std::int64_t>> params; // by parameter, by bit: register words; empty: a kept register
    struct Kept {
        std::int64_t low = 0;
        std::vector<std::uint64_t> codes; // by register word minus `low`
    };
    std::vector<Kept> kept; // in the record's order
    bool known_legal = false;
};

// Finds the instances of the move rules, or of the chance rules, for one player.
struct FindCode {
    Entry entry = no_entry;
    std::vector<MoveSetCode> move_sets; // the sets that the routine fills
    std::vector<std::pair<Reg, std::uint16_t>>
        sets;                                  // their registers and widths alone, for a fast scan: most are empty
    bool emits = false;                        // further instances are records
    static constexpr std::int32_t nothing = 1; // a result: there are no instances, and the sets are not filled
};

// Counts a player's legal moves. Those known to be legal are counted; the others are found, so that each can be tried.
struct CountCode {
    FindCode needs_check;
    Reg total = 0; // the number of moves known to be legal, after the entry of needs_check has run
};

// Computes one number, an integer or a real.
struct NumberCode {
    Entry entry = no_entry;
    Reg reg = 0;
    bool real = false;
};

struct RuleCode {
    std::vector<Reg> params;        // the registers from which apply and weight read the arguments
    std::vector<Entry> apply;       // by player; results: 0 done, 1 `ensure` fails
    std::vector<Entry> trial;       // the same, run only to learn whether a move is legal: it checks for fewer faults
    std::vector<NumberCode> weight; // by player; empty: all weigh 1
    std::vector<NumberCode> loud;   // by player; empty: no move of the rule is loud, or there is no code for it
    bool ensures = false;           // the rule has an `ensure`, its own or of deferred conditions
    bool checks = false;            // a check may fail, so the state before must be kept
};

// Whether a player has a legal move of a rule with an `ensure`: finds those that meet all other conditions, and tries
// each. The routines are used by `can` alone, which may be asked while another routine of the rule runs.
struct CanCode {
    ir::RuleId rule{};
    std::vector<Reg> given; // from which `find` reads the parameters that are given, in order
    FindCode find;
    Entry trial = no_entry; // results: 0 legal, 1 `ensure` fails
};

// Random play as one routine: it finds the moves, draws one, applies it, passes the turn and repeats.
struct PlayCode {
    // By player to move; if the program keeps who moved last, by player to move * players + player who moved last.
    // Empty: there is no such routine. With a turn plan, entries may assume that local variables have their initial
    // values. Results other than `faulted`: the end clause that holds while the player to move is not stuck, or one of
    // those below.
    std::vector<Entry> entries;
    static constexpr std::int32_t out_of_plies = -1;
    static constexpr std::int32_t no_move = -2;
    static constexpr std::int32_t chance_due = -3; // by sets or weights that the routine does not draw from itself
    static constexpr std::int32_t search_due = -4; // with a turn plan: the moves are not the instances of one rule
    Reg random = 0;                                // the generator's four words
    Reg left = 0;                                  // plies that may still be made
    // True: after the end of a game the routine begins another from the state in `start`. False: it returns.
    bool restarts = false;
    Reg games = 0; // how many more games may begin
    // Words that count down the games after which another has begun, by the player who moved last and the end clause,
    // for all clauses of each. None: what the players get depends on more than these two.
    Reg tally = 0;
    std::uint32_t tallies = 0;
    Reg begun = 0; // the value of `left` when the current game began
    Reg start = 0;
    Reg drawn = 0;                      // two words for the current move: the number of its move set, and the bit
    Reg before = 0;                     // the state before the current move, if its rule has an `ensure` or may fail
    std::vector<MoveSetCode> move_sets; // by number
};

// Generates the successors of a position one by one, in the memory of a line of play (executor/position_buffer.hpp),
// and evaluates the end clauses of each. Moves come in the order in which the executor lists them.
struct WalkCode {
    // By player to move. `first` finds the moves and stores them where `next` takes them from; both then make a move.
    // Empty: there are no such routines. Results other than `faulted`: the end clause that holds while the player then
    // to move is not stuck, or one of those below.
    std::vector<Entry> first, next;
    static constexpr std::int32_t open = -1; // no end clause holds
    static constexpr std::int32_t none = -2; // no move was left
    Reg here = 0, there = 0;                 // the addresses of the position and of its successor
    Reg passes = 0;                          // how many successors with result `open` to skip before returning one
    Reg onward = 0;                          // by how many bytes each skipped successor advances `there`
    // If the register `counts` is not 0, the moves of skipped successors are added to `total`, and a successor without
    // a move is returned.
    Reg counts = 0, total = 0;
    bool can_count = false;             // false: `counts` is not supported
    Reg drawn = 0;                      // two words for the current move: the number of its move set, and the bit
    std::vector<MoveSetCode> move_sets; // by number
    // A position in memory: the two words `drawn` of the move that led to it, the state's words, the moves left.
    static constexpr std::int32_t state_at = 2;
    std::uint32_t words = 0;                   // of a position
    std::vector<std::uint32_t> ends;           // by player to move: the end of the moves left that are kept as sets
    std::vector<std::uint32_t> sets;           // by number of the move set: its offset in the position
    std::vector<std::uint32_t> first_move_set; // by player to move
    // By player to move, by move set of CompiledParts::loud, by bit: the number of the move set that has the same move
    // here, and its bit. Empty: for some move there is none, or more than one.
    std::vector<std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>> loud;
    bool emits = false; // further moves are records
    bool by_id = false; // moves come in the order of their codes
};

// All slots of a variable of the state hold at least `least`, and at most `greatest`.
struct SumLimits {
    ir::StateId state{};
    std::int64_t least = 0, greatest = 0;

    // Of the canonical slots of the variable.
    bool hold(const ir::Program& program, std::span<const std::uint32_t> slots) const;
};

// What a program was compiled to. It holds no pointers to anything else, so it can be kept in a file
// (base/archive.hpp).
struct CompiledParts {
    Bytecode code;
    std::vector<FindCode> moves, chances; // by player to move
    std::vector<CountCode> counts;        // by player to move, without a turn plan
    std::vector<FindCode> loud; // the same of the loud moves; empty: there are none, or there is no code for it
    std::vector<CanCode> can;   // by Question::key
    PlayCode play;
    WalkCode walk;
    std::vector<RuleCode> rules;     // by RuleId
    std::vector<RecordCode> records; // by shape
    // With a turn plan:
    std::vector<std::vector<FindCode>> steps;               // by RuleId, by player: the instances of one move rule
    std::vector<std::vector<NumberCode>> most;              // by chain, by player; empty: none
    std::vector<std::vector<std::vector<NumberCode>>> sums; // by chain, by RuleId, by player; empty: none
    std::vector<Entry> plan_then;                           // by player
    bool plan_checks = false;                               // a check in plan_then may fail
    // The words that plan_then sets to constants, and others to which it adds constants, if that is all it does: states
    // that differ in more than the first differ after it. None: it may do more.
    struct PlanEnd {
        std::vector<std::pair<Reg, std::uint32_t>> sets, adds;
    };
    std::optional<PlanEnd> plan_end;
    std::vector<TurnOpening> openings;
    struct Key {
        Entry entry = no_entry;
        std::vector<std::pair<Reg, std::uint32_t>> parts; // words to hash
        bool of_state_alone = true;                       // independent of the history
    };
    std::vector<Key> plan_by; // by player; empty: none
    // By player who moved last: routines whose result is the first end clause that holds, or -1; `ends` if the player
    // to move is not stuck, `stuck_ends` if they are. Clauses before first_stuck_end hold in both cases or in neither.
    std::vector<Entry> ends, stuck_ends;
    std::int32_t first_stuck_end = INT32_MAX;
    struct Values {
        Entry entry = no_entry;
        std::vector<Reg> regs; // real; by player, where it is not said otherwise
        bool fixed = false;    // constants, which are in `regs` without running the routine
    };
    std::vector<std::vector<Values>> payoffs;          // by clause, by player who moved last
    std::vector<Values> evals;                         // by player who moved last
    std::vector<Values> bounds;                        // the same: of the moves and of the payoff
    std::vector<std::vector<Key>> keys;                // by KeyId, by player
    std::vector<std::uint64_t> initial;                // state words
    std::vector<std::pair<Reg, std::uint32_t>> locals; // words that are reset to their initial values after each turn
    bool of_compound_moves = false;                    // made of CompoundMoves::program
    // Where a variable is outside these there are no moves, and Compiled::beyond says what they are.
    std::vector<SumLimits> limits;
};

struct CompoundMoves; // compiler/compound_moves.hpp

// Immutable once it is made, so that threads can share it.
struct Compiled : CompiledParts {
    std::shared_ptr<const ir::Program> program;    // that was compiled
    std::shared_ptr<const CompoundMoves> compound; // null: it is the program as it was written
    // The program as it was written, whose random play draws the steps of a turn one by one, where that costs less than
    // to find compound moves; null: it does not.
    std::shared_ptr<const Compiled> stepwise;
    // The same, for positions outside `limits` and moves that are no compound moves; null: there are none.
    std::shared_ptr<const Compiled> beyond;
    std::unique_ptr<StateLayout> layout;
    VirtualMachine vm = nullptr;
};

// Whether parts that were read from a file can be those of this program: they have as many of everything as it has.
bool fits(const CompiledParts& parts, const ir::Program& program);
// The same from parts that this version of the compiler has made of the program before.
std::unique_ptr<Compiled> compiled_of(std::shared_ptr<const ir::Program> program, CompiledParts parts);

} // namespace zug::run
