#pragma once
// A game as searchers, matches and the command line see it: states, moves, outcomes, text. Everything here works on any
// game; src/search, src/solve and src/match see executors and compilers only through this header.
//
// A Game is used by one thread at a time; clone() gives another thread its own.

#include "base/digest.hpp"
#include "base/error.hpp"
#include "executor/executor.hpp"
#include "game/evaluator.hpp"
#include "game/facts/eval_scale.hpp"
#include "game/facts/traits.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::game {

using run::MoveList;
using run::NodeKind;
using run::PlayedMove;
using run::PlayoutResult;
using run::Playouts;
using run::State;
using run::StepCode;

// Which executor runs the rules; all give the same results. Fastest starts in the interpreter and switches to machine
// code as soon as there is some. Native waits for the first machine code, BestNative for the optimised code.
enum class ExecutorKind : std::uint8_t { Fastest, Native, BestNative, Interpreter, Reference };

// An optimistic estimate: no play is worth more, where play that never ends is worth 0; and if that is above 0, none
// ends with a utility above 0 in fewer plies.
struct Estimate {
    double utility = 0;
    std::uint32_t plies = 0; // 0 where the utility is not above 0

    friend bool operator==(const Estimate&, const Estimate&) = default;
};

class Game {
public:
    Game(std::shared_ptr<const ir::Program> program, ExecutorKind kind = ExecutorKind::Interpreter);
    explicit Game(std::unique_ptr<run::Executor> executor); // for tests with an executor of their own
    Game clone() const;

    const ir::Program& program() const { return executor_->program(); }
    const Traits& traits() const { return traits_; }
    std::uint32_t players() const { return traits_.players; }
    const std::string& player_name(std::uint32_t player) const { return program().players[player]; }
    // `North and South`.
    std::string team_name(std::uint32_t team) const;
    ExecutorKind executor_kind() const { return kind_; }
    std::string_view executor_name() const { return executor_->name(); }
    // What identifies the rules, for databases (ir/rules_digest.hpp).
    Digest rules_digest() const;

    // Rules: see run::Executor for the contracts.
    State initial() const;
    std::uint32_t to_move(const State& state) const { return executor_->to_move(state); }
    NodeKind kind(const State& state) { return executor_->kind(state); }
    NodeKind expand(const State& state, MoveList& moves) { return executor_->expand(state, moves); }
    [[nodiscard]] bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) {
        return executor_->successor(state, moves, i, out);
    }
    [[nodiscard]] bool payoffs(const State& state, std::span<double> out) { return executor_->payoffs(state, out); }
    std::uint64_t hash(const State& state) const { return executor_->hash(state); }
    std::uint64_t count(const State& state) { return executor_->count(state); }
    PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies) {
        return executor_->playout(state, random, max_plies);
    }
    PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies, std::vector<PlayedMove>& played) {
        return executor_->playout(state, random, max_plies, played);
    }
    Playouts playouts(const State& start, State& state, Random& random, std::uint32_t plies,
                      run::UtilitySums* sums = nullptr) {
        return executor_->playouts(start, state, random, plies, sums);
    }
    // A heuristic utility for each player, strictly between min_utility and max_utility: from the evaluator in use,
    // else from the file's eval, or 0 (the middle of the range if 0 is not inside) where it has none.
    void evaluate(const State& state, std::span<double> out);
    void evaluate(run::PositionBuffer& ply, std::span<double> out);
    // The file's eval of each player's team, less the mean of the others', which evaluate() puts on the scale of
    // utilities (utility_of_lead.hpp). The file must have one.
    void lead(const State& state, std::span<double> out);
    // How evaluate() does so from now on, in this game and in clones made of it later.
    void use(const EvalScale& scale) { eval_scale_ = scale; }
    const EvalScale& eval_scale() const { return eval_scale_; }
    // Replaces the file's eval, as Traits::has_eval then tells, here and in clones made later; null: by nothing.
    void use(std::unique_ptr<Evaluator> evaluator);
    // An evaluator that whoever has the choice may use.
    void offer(std::unique_ptr<Evaluator> evaluator) { offered_ = std::move(evaluator); }
    bool has_offer() const { return offered_ != nullptr; }
    void use_offered() { use(offered_->clone()); }
    // What this game evaluates by, for another form of it.
    void evaluate_as(const Game& other);
    // Whether positions are evaluated by the file's own eval.
    bool uses_file_eval() const { return traits_.has_eval && !evaluator_; }
    // What a single player can still reach from a position where the game goes on: by the range of utilities, and by
    // the file's `bound`, which is taken at its word.
    Estimate estimate(const State& state) {
        return estimate_of(traits_.has_bound ? executor_->bounds(state) : run::Bounds{});
    }
    Estimate estimate(run::PositionBuffer& ply) {
        return estimate_of(traits_.has_bound ? executor_->bounds(ply) : run::Bounds{});
    }

    // The fault that made an operation fail, and a report of it for users: rule, position, move.
    bool faulted() const { return executor_->fault().has_value(); }
    std::string fault_text() const;
    void clear_fault() { executor_->clear_fault(); }

    // Text. A move's text tells it from all other legal moves of the state.
    std::string move_text(const State& state, const MoveList& moves, std::size_t i);
    // The texts of the whole list at once; cheaper than one by one.
    std::vector<std::string> move_texts(const State& state, const MoveList& moves);
    // The index in `moves` that the text names: its exact text; the text in another case, without the rule's name, or
    // with its steps in another order, if only one move is meant; or `#3` for the third of the list. Else what is
    // wrong, with the most similar moves.
    tl::expected<std::size_t, Error> parse_move(const State& state, const MoveList& moves, std::string_view text);
    // Plays a line of moves (and chance outcomes) separated by blanks, commas or semicolons. A move whose text has
    // blanks may stand as it is; where several moves fit, the longest text is meant. `ids` gets the moves' ids. `read`
    // reads the words that are no such text, as parse_move does.
    using ReadMove = std::function<tl::expected<std::size_t, Error>(const State&, const MoveList&, std::string_view)>;
    tl::expected<State, Error> play_line(const State& from, std::string_view line,
                                         std::vector<std::uint64_t>* ids = nullptr, const ReadMove& read = {});
    // `at=3/1X1/3 score=A:12 turn=O`: fields that differ from the start, and the boards; see position.hpp. The history
    // is not part of it. parse_position gives a state with the same slots.
    std::string position_text(const State& state);
    tl::expected<State, Error> parse_position(std::string_view text);
    // The board with coordinates, then the other variables and who is to move; several lines. `colour`: ANSI codes.
    // `hidden`: by StateId, what is left out; empty: nothing.
    std::string draw(const State& state, bool colour, const std::vector<bool>& hidden = {});

    run::Executor& executor() { return *executor_; }

private:
    Game() = default;
    template <class Position>
    void lead_at(Position&& position, std::span<double> out);
    template <class Position>
    void evaluate_position(Position&& position, std::span<double> out);
    void ask_evaluator(run::PositionBuffer& ply, std::span<double> out);
    void ask_evaluator(const State& state, std::span<double> out);
    Estimate estimate_of(const run::Bounds& bounds) const;
    std::vector<std::uint32_t> slots(const State& state) const;
    std::string position_text_of(std::span<const std::uint32_t> slots) const;

    std::unique_ptr<run::Executor> executor_;
    std::shared_ptr<const ir::Program> program_;
    Traits traits_;
    EvalScale eval_scale_;
    std::unique_ptr<Evaluator> evaluator_;           // empty: the file's eval, if Traits::has_eval holds
    std::unique_ptr<Evaluator> offered_;             // may be empty
    std::shared_ptr<run::PositionBuffer> evaluated_; // a state that evaluator_ is asked about
    ExecutorKind kind_ = ExecutorKind::Reference;
};

} // namespace zug::game
