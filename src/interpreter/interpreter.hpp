#pragma once
// The executor over byte code. This header is for its own files only; everyone else uses make_interpreter.
//
// Works in one frame of its own, by a compiled program that clones share: a state is copied into it, routines run
// there, and the state words are copied out. What has no byte code is asked of the reference evaluator at run time
// (Question); a program that can't be compiled at all is played by the reference executor as a whole.

#include "bytecode/compiled_program.hpp"
#include "bytecode/native_routines.hpp"
#include "executor/executor.hpp"
#include "executor/history_index.hpp"
#include "executor/position_buffer.hpp"
#include "reference/reference.hpp"

#include <bit>
#include <memory>
#include <vector>

namespace zug::run {

class InterpreterChains;

class Interpreter final : public Executor, private Host {
public:
    explicit Interpreter(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines = nullptr);
    ~Interpreter() override;
    std::unique_ptr<Executor> clone() const override { return std::make_unique<Interpreter>(compiled_, table_); }

    const ir::Program& program() const override { return *compiled_->program; }
    std::string_view name() const override;
    void initial(State& out) const override;
    void store(const State& state, std::vector<std::uint32_t>& slots) const override;
    void load(std::span<const std::uint32_t> slots, State& out) const override;
    std::uint32_t to_move(const State& state) const override;
    NodeKind kind(const State& state) override;
    NodeKind expand(const State& state, MoveList& moves) override;
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override;
    void payoffs(const State& state, std::span<double> out) override;
    void evals(const State& state, std::span<double> out) override;
    bool holds(const State& state, ir::ExprId condition) override;
    std::uint64_t hash(const State& state) const override;
    std::uint64_t count(const State& state) override;
    PlayoutResult playout(State& state, Random& random, std::uint32_t max_plies) override;
    Playouts playouts(const State& start, State& state, Random& random, std::uint32_t plies) override;
    Next first(PositionBuffer& here, PositionBuffer& there) override;
    Next next(PositionBuffer& here, PositionBuffer& there) override;
    std::uint32_t line_words() const override;
    const std::uint64_t* words(PositionBuffer& ply) const override;
    void begin(std::span<const std::uint64_t> words, PositionBuffer& ply) const override;
    Next successors(PositionBuffer& here, PositionBuffer& there, Positions& out) override;
    NodeKind list(PositionBuffer& ply) override;
    Next make(PositionBuffer& here, std::size_t i, PositionBuffer& there) override;
    std::uint64_t count_next(PositionBuffer& here, PositionBuffer& there) override;
    bool walks_by_id() const override { return compiled_->walk.by_id && !ensures_; }
    bool more(const PositionBuffer& here) const override;
    std::uint64_t move_id(const PositionBuffer& here, const PositionBuffer& there) const override;
    NodeKind kind(PositionBuffer& ply) override;
    std::uint64_t count(PositionBuffer& ply) override;
    void payoffs(PositionBuffer& ply, std::span<double> out) override;
    void evals(PositionBuffer& ply, std::span<double> out) override;

private:
    friend class InterpreterChains;

    // Host
    void ask(const Question& question, std::uint64_t* frame, Reg into) override;
    void record(std::uint32_t mover) override;
    void settle(bool settled) override { settled_ = settled; }
    void check_failed(CheckFailure check_failed, std::int32_t place, std::int64_t value) override;

    // An instance of a rule as found: a member of a case in the frame, or of a record.
    struct Pick {
        const MoveSetCode* found = nullptr;
        std::uint64_t* record = nullptr;
        std::uint32_t bit = 0;
    };
    enum class Applied : std::uint8_t { Done, NotEnsured, Fault };

    std::int32_t run(Entry entry) {
        if (routines_ != nullptr)
            if (const Routine routine = routines_[entry]) return routine(frame_.get(), &bridge_);
        return compiled_->vm(compiled_->code, entry, frame_.get(), *this);
    }
    void enter(const State& state);
    void leave(State& out) const;
    std::uint32_t turn() const { return static_cast<std::uint32_t>(frame_[turn_]); }
    std::uint32_t last() const;
    // The end clause that holds, or -1.
    std::int32_t ending();
    // The same given what the routine of `ends` said, and for a player to move who is known to be stuck.
    std::int32_t ending_of(std::int32_t clause);
    std::int32_t ending_if_stuck() { return ends_ask_stuck_ ? run(compiled_->stuck_ends[last()]) : -1; }
    // The end clause that holds or -1, as far as can be told without a search for moves: most that end the game for a
    // player who is stuck are not seen.
    std::int32_t ending_before_moves() { return ending_of(run(compiled_->ends[last()])); }
    bool is_stuck();
    // Runs the routine and counts the instances, before `ensure`.
    std::uint64_t find(const FindCode& code);
    std::uint64_t found(const FindCode& code) const;
    std::uint64_t legal_found(const FindCode& code); // after it
    // What was found: each calls f until one returns true. Sets that are empty are left out; of others, `pick` names
    // any member.
    template <class F>
    bool each_set(const FindCode& code, F&& f); // f(pick, set, words)
    template <class F>
    static bool each_member(Pick pick, const std::uint64_t* set, std::uint32_t words, F&& f); // f(pick)
    template <class F>
    bool each(const FindCode& code, F&& f); // f(pick)
    bool is_known_legal(const Pick& p) const {
        return p.found != nullptr ? p.found->known_legal : shape_of(p.record).known_legal;
    }
    Pick pick(const FindCode& code, std::uint64_t number) const;
    StepCode code_of(const Pick& p) const;
    const RecordCode& shape_of(const std::uint64_t* record) const {
        return compiled_->records[static_cast<std::uint32_t>(*record)];
    }
    ir::RuleId set_params(const Pick& p);
    ir::RuleId set_params(StepCode code);
    Applied apply(ir::RuleId rule); // effects, ensure, in the frame
    void pass_turn(bool chance);
    void end_move(std::uint32_t mover); // passes the turn after a move, and records it
    bool legal(const Pick& p);          // its ensure, on a copy
    double weight(ir::RuleId rule);
    bool list_outcomes(MoveList* moves);
    NodeKind list_moves(MoveList& moves);
    NodeKind list_chains(MoveList& moves);
    void set_fault(ir::RuleId rule, std::span<const StepCode> steps, std::span<const std::uint64_t> before);
    double number(const NumberCode& code);
    bool all_stuck();
    bool any_legal();
    NodeKind stuck_node(MoveList& moves);
    WordsHash key_hash(const Compiled::Key& code);
    std::int64_t earlier(std::uint32_t key, std::uint32_t me);
    void fault(FaultKind kind, ir::RuleId rule, std::string what);
    // The reference executor, and the position `before` as one of its states: for what only it can tell, such as the
    // exact words of a fault.
    Reference& reference();
    WordsHash record_hash(ir::KeyId key, std::span<const std::uint32_t> slots, const HistoryNode* history, bool settled,
                          std::int64_t me);
    State reference_state(std::span<const std::uint64_t> before);
    bool legal_by_reference(StepCode code, std::span<const std::uint64_t> before);
    void fault_of_chains(std::span<const std::uint64_t> before);
    void fault_of_check(ir::RuleId rule, StepCode code, std::span<const std::uint64_t> before);
    void save();
    void restore();

    const TurnOpening* find_opening();
    bool locals_are_initial() const;
    bool is_usable(const TurnOpening& opening) const;
    bool find_pairs(const TurnOpening& opening);
    bool make_step(ir::RuleId rule, std::uint32_t mover, bool first);
    // A first step of a turn, and how many can follow it.
    struct Pair {
        Pick pick;
        StepCode step = 0;
        std::uint64_t further = 0;
    };
    ir::RuleId set_params(const Pair& pair);
    bool may_fail(const TurnOpening& opening) const;
    std::optional<std::uint64_t> count_turns();
    bool end_turn(std::uint32_t mover);

    enum class Step : std::uint8_t { Played, Ended, Failed };
    Step play_random(Random& random, bool go_on);
    Step play_chance(Random& random);
    Step play_on(std::int32_t stopped, Random& random);
    Step play_after_fault(Random& random);
    PlayoutResult play_by_steps(Random& random, std::uint32_t max_plies);
    PlayoutResult play_in_code(Random& random, std::uint32_t max_plies, std::uint32_t games = 1);
    Step pass_when_stuck();
    Step play_checked(Random& random, const FindCode& code, std::uint64_t total);
    Step play_turn(Random& random);
    bool play_pair(Random& random, const TurnOpening& opening);
    Step play_chain(Random& random);

    // interpreter_walk.cpp
    void pack(const PositionBuffer& ply, State& out) const override;
    void enter(PositionBuffer& ply);
    bool walks() const;
    void make_words(PositionBuffer& ply) const;
    void need_words(PositionBuffer& ply) const;
    void judge(PositionBuffer& ply, std::int32_t clause) const;
    void use_routines();
    Next step(Entry entry, PositionBuffer& here, PositionBuffer& there);
    Next lay_out(PositionBuffer& here, PositionBuffer& there, Positions& out);
    bool lists_sets() const;
    void pick_from_sets(PositionBuffer& here, const PositionBuffer& after_first) const;
    Next step_back(std::int32_t result, PositionBuffer& here, PositionBuffer& there);
    Next step_failed(PositionBuffer& here, PositionBuffer& there);
    Next stuck(PositionBuffer& here, PositionBuffer& there);
    Pick pick_of(const std::uint64_t* drawn, const std::vector<MoveSetCode>& move_sets, const Records& from) const;
    std::uint64_t count_moves();
    void give(const Compiled::Values& values, std::span<double> out);

    std::shared_ptr<const Compiled> compiled_;
    std::shared_ptr<RoutineTable> table_; // null: byte code only
    const Routine* routines_ = nullptr;   // by entry, once there are some
    HostBridge bridge_;
    std::unique_ptr<std::uint64_t[]> frame_;
    std::unique_ptr<Reference> reference_;      // made when it is first needed
    std::unique_ptr<Interpreter> recorder_;     // likewise: works out keys for the reference executor
    std::unique_ptr<InterpreterChains> chains_; // of a game with a turn plan
    Reg turn_ = 0;
    std::uint32_t state_words_ = 0;
    bool chances_ = false, ensures_ = false, ends_ask_stuck_ = false;
    std::vector<std::uint64_t> saved_, tried_, refused_, key_words_;
    std::shared_ptr<const HistoryNode> history_;
    HistoryIndex history_index_;
    bool settled_ = true; // the state in the frame stands between moves
    struct {
        CheckFailure kind{};
        std::int32_t place = 0;
        std::int64_t value = 0;
    } trouble_;
    struct Param {
        std::uint64_t count = 1;
        std::vector<std::int64_t> words; // register word by ordinal
    };
    std::vector<std::vector<Param>> params_; // by RuleId
    struct Outcome {
        StepCode code;
        double weight;
    };
    std::vector<Outcome> outcomes_;
    PositionBuffer after_first_; // list() of a ply makes one of its moves
    std::vector<Pair> pairs_;
};

template <class F>
bool Interpreter::each_set(const FindCode& code, F&& f) {
    for (std::size_t k = 0; k < code.sets.size(); ++k) {
        const auto& [set, words] = code.sets[k];
        std::uint64_t any = 0;
        for (std::uint32_t w = 0; w < words; ++w) any |= frame_[set + w];
        if (any != 0 && f(Pick{&code.move_sets[k], nullptr, 0}, frame_.get() + set, words)) return true;
    }
    if (!code.emits) return false;
    for (std::uint64_t* record = records.words.get(); record != records.next;) {
        const RecordCode& shape = shape_of(record);
        if (f(Pick{nullptr, record, 0}, record + 1 + shape.kept.size(), shape.words)) return true;
        record += 1 + shape.kept.size() + shape.words;
    }
    return false;
}

template <class F>
bool Interpreter::each_member(Pick pick, const std::uint64_t* set, std::uint32_t words, F&& f) {
    for (std::uint32_t k = 0; k < words; ++k)
        for (std::uint64_t word = set[k]; word != 0; word &= word - 1) {
            pick.bit = k * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
            if (f(pick)) return true;
        }
    return false;
}

template <class F>
bool Interpreter::each(const FindCode& code, F&& f) {
    return each_set(code, [&](const Pick& p, const std::uint64_t* set, std::uint32_t words) {
        return each_member(p, set, words, f);
    });
}

} // namespace zug::run
