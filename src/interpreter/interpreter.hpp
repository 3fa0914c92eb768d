#pragma once
// The executor over byte code, and over machine code where routines have it. This header is for its own files only;
// everyone else uses interpreter/make_interpreter.hpp.
//
// A state is copied into the frame of a machine, routines run there, and the state's words are copied out. The parts:
//   Machine        the frame, routines, instances of rules, moves, history
//   Referee        ends, chance, legality, stuck players, in that frame
//   ReferenceLink  what is left to the reference evaluator
//   TurnChains     the search for turns of several steps
//   TurnPlay       counts and plays such turns without that search where it can
//   RandomPlay     playouts
//   LineWalk       lines of play
// A program that can't be compiled at all is played by the reference evaluator instead (make_interpreter).

#include "bytecode/slot_reader.hpp"
#include "interpreter/line_walk.hpp"
#include "interpreter/playout.hpp"
#include "interpreter/referee.hpp"
#include "interpreter/turns.hpp"

#include <memory>
#include <vector>

namespace zug::run {

class Interpreter final : public Executor {
public:
    explicit Interpreter(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines = nullptr,
                         std::shared_ptr<RoutineTable> stepwise = nullptr);
    std::unique_ptr<Executor> clone() const override;

    const ir::Program& program() const override { return referee_.written(); }
    std::string_view name() const override;
    ReferenceUse reference_use() const override;

    void initial(State& out) const override;
    void store(const State& state, std::vector<std::uint32_t>& slots) const override;
    void load(std::span<const std::uint32_t> slots, State& out) const override;
    std::uint32_t to_move(const State& state) const override;
    std::uint64_t hash(const State& state) const override;

    NodeKind kind(const State& state) override;
    NodeKind expand(const State& state, MoveList& moves) override;
    std::uint64_t count(const State& state) override;
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override;
    bool is_loud(const State& state, std::span<const StepCode> steps) override;
    bool payoffs(const State& state, std::span<double> out) override;
    void evals(const State& state, std::span<double> out) override;
    Bounds bounds(const State& state) override;
    bool holds(const State& state, ir::ExprId condition) override;
    PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies) override;
    PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies,
                          std::vector<PlayedMove>& played) override;
    Playouts playouts(const State& start, State& state, Random& random, std::uint32_t plies,
                      UtilitySums* sums) override;

    std::uint32_t line_words() const override;
    const std::uint64_t* words(PositionBuffer& here) const override;
    void begin(std::span<const std::uint64_t> words, PositionBuffer& here) const override;
    Next first(PositionBuffer& here, PositionBuffer& there) override { return walk_.first(here, there); }
    Next next(PositionBuffer& here, PositionBuffer& there) override { return walk_.next(here, there); }
    Next successors(PositionBuffer& here, PositionBuffer& there, Positions& out) override {
        return walk_.successors(here, there, out);
    }
    std::uint64_t count_next(PositionBuffer& here, PositionBuffer& there) override {
        return walk_.count_next(here, there);
    }
    bool walks_by_id() const override { return walk_.walks_by_id(); }
    bool more(const PositionBuffer& here) const override { return walk_.more(here); }
    std::uint64_t move_id(const PositionBuffer& here, const PositionBuffer& there) const override {
        return walk_.move_id(here, there);
    }
    NodeKind list(PositionBuffer& here) override { return walk_.list(here); }
    NodeKind list_loud(PositionBuffer& here) override;
    Next make(PositionBuffer& here, std::size_t i, PositionBuffer& there) override {
        return walk_.make(here, i, there);
    }
    NodeKind kind(PositionBuffer& here) override;
    std::uint64_t count(PositionBuffer& here) override;
    bool payoffs(PositionBuffer& here, std::span<double> out) override;
    void evals(PositionBuffer& here, std::span<double> out) override;
    void read_map(PositionBuffer& here, ir::StateId map, std::span<std::uint32_t> out) const override;
    void read_slots(PositionBuffer& here, std::span<std::uint32_t> out) const override;
    Bounds bounds(PositionBuffer& here) override;

private:
    void pack(const PositionBuffer& here, State& out) const override { walk_.pack(here, out); }
    // Calls f with the words of the position as the layout has them.
    template <class F>
    void with_words(PositionBuffer& here, F&& f) const {
        if (here.has_words) return f(here.words.get() + WalkCode::state_at);
        boost::container::small_vector<std::uint64_t, State::inline_words> words(referee_.state_words());
        referee_.layout().unpack(state(here).words.data(), words.data());
        f(words.data());
    }
    NodeKind list_moves(MoveList& moves);
    // Of a chance node whose instances have been found.
    NodeKind list_outcomes(MoveList& moves);
    std::uint64_t count_outcomes();
    // By chains: the moves of the position in the frame of this referee, which has a turn plan.
    NodeKind list_chains(Referee& by, MoveList& moves);
    // Of a position in which no move was found.
    NodeKind list_others(MoveList& moves);
    std::uint64_t count_moves();
    // Of the position in its frame; 0: the player is stuck, or it is a fault.
    static std::uint64_t count_turns(Referee& by);
    NodeKind kind_of_open();
    bool make_step(const State& state, StepCode code, State& out);
    static bool is_loud_as_compiled(Referee& by, const State& state, std::span<const StepCode> steps);
    static bool is_loud_step_by_step(Referee& by, const State& state, std::span<const StepCode> steps);
    bool payoffs_of(std::int32_t clause, std::span<double> out);
    Bounds bounds_in_frame();

    Referee referee_;
    mutable std::unique_ptr<SlotReader> reader_; // made when it is first asked for
    TurnPlay turns_;
    RandomPlay play_;
    LineWalk walk_;
    std::vector<StepCode> steps_;         // of a chain
    std::unique_ptr<Interpreter> player_; // by Compiled::stepwise, if there is that: plays at random
};

} // namespace zug::run
