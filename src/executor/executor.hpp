#pragma once
// What every executor of a program offers, and what passes through it: states, moves, faults.

#include "base/random.hpp"
#include "executor/move_list.hpp"
#include "executor/state.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::run {

enum class NodeKind : std::uint8_t { Decision, Chance, Terminal, Fault };

// What the next move of a position leads to.
enum class Next : std::uint8_t {
    None,     // there is no move left
    Open,     // a position where the game continues
    Terminal, // a position where it is over
    Unknown,  // either: to tell them apart would take a search for moves, which has not been done
    Fault,
};

struct PositionBuffer; // position_buffer.hpp
struct Positions;      // the same

enum class FaultKind : std::uint8_t {
    OutOfRange,   // a value outside the range of the variable it is assigned to
    DoubleAssign, // two assignments to one entry of a map in one `then`
    BadWeight,    // a weight that is negative or not a finite number, or weights that sum to zero
    BadPayoff,    // a payoff that is not a number, or beyond max_payoff
    NoMove,       // no move, no end clause, no stuck pass
    DoubleTurn,   // two turn effects in one move
    AllStuck,     // every player in turn can only pass
    EndlessTurn,  // a chain of steps longer than max_chain
    TooMuchWork,  // more than max_work, or more than max_moves
};

inline constexpr std::size_t max_chain = 512;
// What one operation of an executor may take in steps of the reference evaluator (ir/work.hpp), and the number of moves
// that a position may have. Of the games of rules/ Amazons takes most: 8 million steps, for 2,176 moves.
inline constexpr std::uint64_t max_work = 48'000'000;
inline constexpr std::size_t max_moves = std::size_t{1} << 20;

// A rule that went wrong at run time.
struct Fault {
    FaultKind kind = FaultKind::NoMove;
    ir::RuleId rule = none_id<ir::RuleId>;
    std::vector<StepCode> move;       // the move or event under way, if any
    std::vector<std::uint32_t> slots; // the position before the move, in canonical form (ir/program.hpp)
    std::string what;                 // what was assigned, and where: "pot := 104, its range is 0..100"
    Span span;
};

// The fault of a chain of more than max_chain steps, the last of them by this rule.
Fault endless_turn(const ir::Rule& rule);

// Whether a weight is negative or not a finite number, and how that is said of it; of 0, that all are.
inline bool is_bad(double weight) { return !(weight >= 0 && weight <= std::numeric_limits<double>::max()); }
std::string_view what_is_wrong(double weight);

// Payoffs lie between -max_payoff and this.
inline constexpr double max_payoff = static_cast<double>(ir::int_max);
bool all_payable(std::span<const double> payoffs);
// The fault of an end whose payoffs are not all_payable().
Fault bad_payoff(std::span<const double> payoffs, std::vector<std::uint32_t> slots);

// The fault of an operation that takes more than max_work, or of a position with more than max_moves moves. `rule`: the
// one that was tried; none: something else.
enum class Excess : std::uint8_t { Work, Moves, Chains };
Fault too_much(Excess excess, const ir::Program& program, ir::RuleId rule, std::vector<std::uint32_t> slots);

struct PlayoutResult {
    std::uint32_t plies = 0; // moves and chance events made
    bool finished = false;   // reached an end; false: the ply limit or a fault
};

// A move or chance event of a recorded playout, and the player whose turn it was.
struct PlayedMove {
    std::uint64_t id = 0; // as in a MoveList
    std::uint32_t player = 0;
    bool chance = false;
};

// Games played in sequence.
struct Playouts {
    std::uint32_t plies = 0;    // of all games
    std::uint32_t finished = 0; // games that reached an end
    std::uint32_t begun = 0;    // plies made up to the end of the last of these, where the game under way began
};

// What the players of games that have ended got, added up, and their squares; by player.
struct UtilitySums {
    explicit UtilitySums(std::size_t players) : sum(players), squares(players) {}
    void add(std::span<const double> utilities, double games = 1);

    std::vector<double> sum, squares;
};

// Bounds of what a single player may still reach. By itself it says nothing.
struct Bounds {
    double moves = 0; // no play from there ends with a utility above 0 in fewer plies
    double payoff = std::numeric_limits<double>::infinity(); // no play is worth more
};

// What an executor leaves to the reference evaluator, and how often it did so since it was made or cloned. That the two
// agree on such a thing is no evidence that either is right.
struct ReferenceUse {
    struct Question {
        ir::ExprId expr{};
        Span span;
        std::uint64_t asked = 0;
    };
    bool whole = false;              // the reference evaluator runs the whole program
    std::vector<Question> questions; // expressions without byte code, asked at run time; one entry an instruction
    std::uint64_t legality = 0;      // `ensure` of moves whose effects fail
    std::uint64_t faults = 0;        // moves made again to describe their fault
    std::uint64_t conditions = 0;    // holds(), and is_loud() without byte code
};

// One program, executed. An executor is used by one thread at a time; clone() gives others theirs. Operations that may
// fail say how; they then set fault(). The rest can't fail on states that the executor itself, or load(), has made.
class Executor {
public:
    virtual ~Executor() = default;
    // Another executor of the same kind for the same program. What never changes is shared.
    virtual std::unique_ptr<Executor> clone() const = 0;

    virtual const ir::Program& program() const = 0;
    // "reference", "interpreter" or "native": what runs the program at the moment.
    virtual std::string_view name() const = 0;
    // Counted where it happens, which is far from any hot path; the answer allocates.
    virtual ReferenceUse reference_use() const { return {}; }

    // -- states

    virtual void initial(State& out) const = 0;
    // Between executor states and canonical slots (ir/program.hpp). load() begins a history with that one state.
    virtual void store(const State& state, std::vector<std::uint32_t>& slots) const = 0;
    virtual void load(std::span<const std::uint32_t> slots, State& out) const = 0;
    virtual std::uint32_t to_move(const State& state) const = 0;
    // Equal states have equal hashes. Where the game asks about earlier positions, the hash covers the history too.
    // Hashes of different executors are unrelated.
    virtual std::uint64_t hash(const State& state) const = 0;

    // -- moves

    // What kind of node the state is. Where only expand() can find a fault, it is what the node would be without.
    virtual NodeKind kind(const State& state) = 0;
    // The same, and the moves or outcomes; none at a terminal node or a fault.
    virtual NodeKind expand(const State& state, MoveList& moves) = 0;
    // The number of entries that expand() would list; 0 at a terminal node or a fault.
    virtual std::uint64_t count(const State& state);
    // The state after entry i of the list that expand(state) gave. False: a fault. `out` must not be `state`.
    [[nodiscard]] virtual bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) = 0;

    // Whether a legal move of a state between moves, given by its steps, is one that the program calls loud
    // (ir::Program::loud). Slow. For executors of programs that call none so: false.
    virtual bool is_loud(const State&, std::span<const StepCode>) { return false; }

    // -- values

    // Utilities by player, of a terminal state; 0 for all of any other. `out` has an element for each player. False: a
    // fault; then they are 0.
    [[nodiscard]] virtual bool payoffs(const State& state, std::span<double> out) = 0;
    // The rule file's static evaluation, by player; not always finite. Only for programs that have one.
    virtual void evals(const State& state, std::span<double> out) = 0;
    // What the rule file's `bound` says of a state where the game goes on; not always finite. Only for programs that
    // have one.
    virtual Bounds bounds(const State&) { return {}; }
    // Any truth of the program without free variables, for tests and tools; `me` as in end clauses. Slow.
    virtual bool holds(const State& state, ir::ExprId condition) = 0;

    // -- random play

    // Makes uniformly random moves (and chance events by their weights) from `state`, in place, up to an end, a fault
    // or `max_plies`. Equal generators give equal games on executors that run byte code.
    virtual PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies);
    // The same, and appends what is played to `played`. Slower, since a record is made ply by ply. Equal generators
    // give the game that playout() gives, except in games whose turns are chains of steps.
    virtual PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies,
                                  std::vector<PlayedMove>& played);
    // Plays as the first does from `state`, and again from `start` whenever a game ends, until `plies` plies or as many
    // games have been played. The games are those that playout() would play, for less overhead. `state` becomes the
    // state of the game under way. `sums`, if not null, gets the utilities of the games that end.
    virtual Playouts playouts(const State& start, State& state, Random& random, std::uint32_t plies, UtilitySums* sums);

    // -- lines of play: the same position by position, in memory that is reused (position_buffer.hpp)
    //
    // `here` is a position that begin() or a move has put into its buffer, `there` the buffer that receives the
    // position after a move of it, whatever it held before. The two must be different. A move is made by first(), then
    // next(), or by list(), then make(); first() and list() start over. What remains to be done is kept in `here`,
    // which must not be begun again or be the `there` of another call meanwhile.

    void begin(const State& state, PositionBuffer& here) const;
    // The position as a state, good until the buffer changes.
    const State& state(PositionBuffer& here) const;

    // A position as plain words, without its past: line_words() of them, which are the same for all positions of a
    // program. Good until the buffer changes. begin() takes such words back; where the game asks about earlier
    // positions, the history begins there. The words are those of the State only where the executor has no others.
    virtual std::uint32_t line_words() const;
    virtual const std::uint64_t* words(PositionBuffer& here) const;
    virtual void begin(std::span<const std::uint64_t> words, PositionBuffer& here) const;

    // Makes the first move of `here`, or outcome at a chance node. None: there are no moves, and here.kind says why.
    // Up to here.skips positions that are Open may be passed over, which are subtracted from it; so may next().
    virtual Next first(PositionBuffer& here, PositionBuffer& there);
    // Makes the move after the one that first() or next() made last. All moves come once, in the order of expand().
    virtual Next next(PositionBuffer& here, PositionBuffer& there);
    // Makes all moves, as first() and next() would, and appends the positions after them to `out`, which is emptied
    // first. `there` is scratch. Returns what next() would return last: None, or Fault, with those before the fault.
    virtual Next successors(PositionBuffer& here, PositionBuffer& there, Positions& out);
    // The sum of count() over those positions; wrong where a fault occurs, which fault() then tells. `there` is
    // scratch.
    virtual std::uint64_t count_next(PositionBuffer& here, PositionBuffer& there);
    // Whether moves come in ascending order of ids and more() is exact.
    virtual bool walks_by_id() const { return false; }
    // Whether next() will find another move, as far as can be told without making it.
    virtual bool more(const PositionBuffer& here) const;
    // The id of the move that led from `here` to `there`, of those that were made last.
    virtual std::uint64_t move_id(const PositionBuffer& here, const PositionBuffer& there) const;

    // Lists the moves in here.moves, as expand() does.
    virtual NodeKind list(PositionBuffer& here);
    // Lists in here.moves only those of the legal moves that are loud, with the ids that they have in the whole list,
    // in an order that is the same each time; the outcomes of a chance node all. Returns what kind() says, which may be
    // a decision without any loud move, or Fault. Where rules have no chains of steps, this costs much less than the
    // whole list, since moves that are not loud are neither made nor tested.
    virtual NodeKind list_loud(PositionBuffer& here);
    // Makes move i of the last list. None is never returned.
    virtual Next make(PositionBuffer& here, std::size_t i, PositionBuffer& there);

    // The entries of a map with one index, which is a site, to scalars: their ordinals by site, as in canonical slots.
    // `out` has an element for each site. Cost: some nanoseconds an entry that is not 0.
    virtual void read_map(PositionBuffer& here, ir::StateId map, std::span<std::uint32_t> out) const;

    // All canonical slots, as store() gives them; `out` has ir::Program::total_slots() elements. Cost: as above.
    virtual void read_slots(PositionBuffer& here, std::span<std::uint32_t> out) const;

    // What is said above of states.
    virtual NodeKind kind(PositionBuffer& here);
    virtual std::uint64_t count(PositionBuffer& here);
    [[nodiscard]] virtual bool payoffs(PositionBuffer& here, std::span<double> out);
    virtual void evals(PositionBuffer& here, std::span<double> out);
    virtual Bounds bounds(PositionBuffer& here);
    virtual std::uint64_t hash(PositionBuffer& here) const;

    // The last fault, set when an operation above failed; empty until then.
    const std::optional<Fault>& fault() const { return fault_; }
    void clear_fault() { fault_.reset(); }

protected:
    // The executor's own words of the position as a state.
    virtual void pack(const PositionBuffer&, State&) const {}
    std::optional<Fault> fault_;
};

} // namespace zug::run
