#pragma once
// What every executor of a program offers, and the values that pass through it: states, moves, faults.
//
// A State is a block of words whose layout belongs to the executor that filled it, and a handle to the history where
// the game asks about earlier positions. States copy in a few words; copying never allocates for states up to
// State::inline_words words without history.

#include "base/random.hpp"
#include "ir/program.hpp"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace zug::run {

// The records of earlier turn ends, newest first, shared between the states that have a past in common.
struct HistoryNode {
    // Two words (a 128-bit hash) for each key of the program.
    boost::container::small_vector<std::uint64_t, 2> key_hashes;
    std::uint32_t length = 1;    // records up to here
    std::uint64_t path_hash = 0; // of all records up to here, regardless of their order
    std::shared_ptr<const HistoryNode> before;
    // What `earlier` can tell apart: the records, and which is the newest, since between moves that one doesn't count.
    // It follows from the state except behind a chance event.
    std::uint64_t hash() const;
    ~HistoryNode(); // iterative, so that a long game doesn't exhaust the stack
};

struct State {
    static constexpr std::size_t inline_words = 14;
    boost::container::small_vector<std::uint64_t, inline_words> words;
    std::shared_ptr<const HistoryNode> history;
};

// One step of a move: rule and parameters, as ir::encode_step numbers them. `pass_code` is the pass of `stuck pass`.
using StepCode = std::uint64_t;
inline constexpr StepCode pass_code = UINT64_MAX;

// The legal moves of a state, or the outcomes of a chance node. Reused between states: clear() keeps the memory.
// An entry's id tells it from all others of the same state and is the same whenever that state is expanded again: the
// step code in games without chains, else a hash of the steps.
class MoveList {
public:
    struct Entry {
        std::uint64_t id = 0;
        std::uint32_t first_step = 0;
        std::uint32_t step_count = 0;
    };

    void clear();
    void add(StepCode code);                // a one-step move
    void add(StepCode code, double weight); // a chance outcome, weight > 0
    void add_chain(std::span<const StepCode> steps, std::span<const std::uint64_t> result,
                   std::shared_ptr<const HistoryNode> history);

    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    std::uint64_t id(std::size_t i) const { return entries_[i].id; }
    std::span<const StepCode> steps(std::size_t i) const {
        return {steps_.data() + entries_[i].first_step, entries_[i].step_count};
    }
    bool has_results() const { return !histories_.empty(); }
    void result(std::size_t i, State& out) const;
    // Of a chance node: the probability of an outcome; they sum to one.
    double probability(std::size_t i) const { return weights_[i] / total_weight_; }
    // The index of the entry with this id, if it is there.
    std::optional<std::size_t> find(std::uint64_t id) const;

private:
    std::vector<Entry> entries_;
    std::vector<StepCode> steps_;
    std::vector<double> weights_;
    std::vector<std::uint64_t> results_; // the words of each chain's state, one after the other
    std::vector<std::shared_ptr<const HistoryNode>> histories_;
    double total_weight_ = 0;
};

enum class NodeKind : std::uint8_t { Decision, Chance, Terminal, Fault };

// What the next move of a position leads to.
enum class Next : std::uint8_t {
    None,     // there is no move left
    Open,     // a position where the game goes on
    Terminal, // one where it is over
    Unknown,  // one that has not been looked at, as far as that takes a search for moves
    Fault,
};

struct Ply;       // ply.hpp
struct Positions; // the same

enum class FaultKind : std::uint8_t {
    OutOfRange,   // a value outside the range of the variable it is assigned to
    DoubleAssign, // two assignments to one place in one `then`
    BadWeight,    // a negative weight, or weights that sum to zero
    NoMove,       // no move, no end clause, no stuck pass
    DoubleTurn,   // two turn effects in one move
    AllStuck,     // every player in turn can only pass
    EndlessTurn,  // a chain of steps longer than max_chain
};

inline constexpr std::size_t max_chain = 512;

// A rule that went wrong at run time. `slots` is the canonical form of the position before the move.
struct Fault {
    FaultKind kind = FaultKind::NoMove;
    ir::RuleId rule = none_id<ir::RuleId>;
    std::vector<StepCode> move; // the move or event under way, if any
    std::vector<std::uint32_t> slots;
    std::string what; // the place and value: "pot := 104, its range is 0..100"
    Span span;
};

// The fault of a chain of more than max_chain steps, the last of them by this rule.
Fault endless_turn(const ir::Rule& rule);

struct PlayoutResult {
    std::uint32_t plies = 0; // moves and chance events made
    bool finished = false;   // reached an end; false: the ply limit or a fault
};

// Games played one after the other.
struct Playouts {
    std::uint32_t plies = 0;    // in all
    std::uint32_t finished = 0; // games that reached an end
    std::uint32_t begun = 0;    // the plies that had been made when the last of them did
};

class Executor {
public:
    virtual ~Executor() = default;
    // Another of the same kind for the same program, for another thread: what can be shared is.
    virtual std::unique_ptr<Executor> clone() const = 0;

    virtual const ir::Program& program() const = 0;
    virtual std::string_view name() const = 0;

    virtual void initial(State& out) const = 0;
    // Between executor states and canonical slots (ir/program.hpp). load() starts a fresh history of that one state.
    virtual void store(const State& state, std::vector<std::uint32_t>& slots) const = 0;
    virtual void load(std::span<const std::uint32_t> slots, State& out) const = 0;

    virtual std::uint32_t to_move(const State& state) const = 0;
    // What kind of node this is; with expand() also its moves or outcomes (empty at a terminal node).
    // kind() may answer Decision where expand() finds the fault NoMove.
    virtual NodeKind kind(const State& state) = 0;
    virtual NodeKind expand(const State& state, MoveList& moves) = 0;
    // The state after entry i of the list that expand(state) gave. False: a fault. `out` may not be `state`.
    [[nodiscard]] virtual bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) = 0;
    // Utilities by player. payoffs: of a terminal state; evals: the file's static evaluation (only if it has one).
    virtual void payoffs(const State& state, std::span<double> out) = 0;
    virtual void evals(const State& state, std::span<double> out) = 0;
    // Any expression of the program without free variables, for tests and tools. `me` as in end clauses.
    virtual bool holds(const State& state, ir::ExprId condition) = 0;

    // Equal states have equal hashes. Where the game asks about earlier positions, the hash covers the history too.
    virtual std::uint64_t hash(const State& state) const = 0;
    // The number of entries that expand would list at a decision or chance node; 0 at a terminal one.
    virtual std::uint64_t count(const State& state);
    // Plays uniformly random moves (chance by its weights) from `state`, in place, to an end or `max_plies`.
    virtual PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies);
    // Goes on so from `state`, and from `start` whenever a game is over, until so many plies or games have been played:
    // the same games as by playout, for less. The last one is left standing.
    virtual Playouts playouts(const State& start, State& state, Random& random, std::uint32_t plies);

    // The same on a line of play, ply by ply. A Ply is filled by begin(), or by first(), next() and make() from the one
    // before it.
    void begin(const State& state, Ply& ply) const;
    const State& state(Ply& ply) const;
    // A position of a line as plain words, line_words() of them, and one that such words give and that has no past.
    // They are the words of its state only where the executor keeps no others.
    virtual std::uint32_t line_words() const;
    virtual const std::uint64_t* words(Ply& ply) const;
    virtual void begin(std::span<const std::uint64_t> words, Ply& ply) const;
    // The position after the first move of `here`, and after each of the others in turn, in the order in which they are
    // listed. None from first(): there are no moves, and here.kind says why. Terminal and Open are sure.
    virtual Next first(Ply& here, Ply& there);
    virtual Next next(Ply& here, Ply& there);
    // All those positions, as first() and next() would make them one by one in `there`. What next() says in the end:
    // None or Fault.
    virtual Next successors(Ply& here, Ply& there, Positions& out);
    // The sum of the counts of all those positions.
    virtual std::uint64_t count_next(Ply& here, Ply& there);
    // Whether this order is that of ascending ids, and more() knows whether next() will find one.
    virtual bool walks_by_id() const { return false; }
    virtual bool more(const Ply& here) const;
    // The moves as a list, and the position after one of them.
    virtual NodeKind list(Ply& ply);
    virtual Next make(Ply& here, std::size_t i, Ply& there);
    // The id of the move that led from `here` to `there`.
    virtual std::uint64_t move_id(const Ply& here, const Ply& there) const;
    virtual NodeKind kind(Ply& ply);
    virtual std::uint64_t count(Ply& ply);
    virtual void payoffs(Ply& ply, std::span<double> out);
    virtual void evals(Ply& ply, std::span<double> out);
    virtual std::uint64_t hash(Ply& ply) const;

    // The last fault, set when an operation above failed; empty until then.
    const std::optional<Fault>& fault() const { return fault_; }
    void clear_fault() { fault_.reset(); }

protected:
    // The words of the ply as a state.
    virtual void pack(const Ply&, State&) const {}
    std::optional<Fault> fault_;
};

} // namespace zug::run
