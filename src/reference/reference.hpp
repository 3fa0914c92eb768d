#pragma once
// The reference evaluator: the executable specification of what a program means. It works on canonical slots
// (ir/program.hpp), finds moves by trying parameters one by one, and evaluates expressions with ir::Evaluator. It is
// slow, and the oracle for every other executor. Each function corresponds to a paragraph of grammar/reference.md.
//
// This header is for the evaluator's own files and for the interpreter, which asks it at run time; everyone else uses
// reference/make_reference.hpp.
//
// `between_moves`: the state is not inside a move. There, `earlier` does not count the newest record, which is that of
// the state itself or, after a chance event, of the end of the turn before it. Inside a move all records count.

#include "executor/executor.hpp"
#include "executor/hash.hpp"
#include "ir/evaluate.hpp"
#include "reference/instances.hpp"

#include <compare>
#include <functional>
#include <memory>

namespace zug::run {

using Slots = std::vector<std::uint32_t>;

using KeyWords = std::vector<std::uint64_t>; // the values of a history key
using Pattern = std::span<const std::optional<std::int64_t>>;

// Who moves after a step: the player whose turn it is by default, or as `again` or `next` says.
struct TurnChange {
    enum class Kind : std::uint8_t { Usual, Again, Next };
    Kind kind = Kind::Usual;
    std::int64_t player = 0; // Next

    friend auto operator<=>(const TurnChange&, const TurnChange&) = default;
};

class Reference;

// Evaluates expressions on one state of a game, and answers what they ask of the game.
class Asker final : public ir::GameQuestions {
public:
    explicit Asker(const Reference& game);
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;

    // The slots and the history must outlive their use.
    void read(const Slots& slots, const HistoryNode* history, bool between_moves);
    void set_me(std::int64_t player);
    std::int64_t me() const { return me_; }
    const Slots& slots() const { return *slots_; }
    const HistoryNode* history() const { return history_; }
    bool between_moves() const { return between_moves_; }
    ir::Evaluator& eval() { return eval_; }
    // Whether all the conditions hold, asked in order. A name that one of them binds is bound from then on.
    bool hold(const std::vector<ir::Clause>& clauses);

    bool stuck(std::span<const std::uint32_t> slots) const override;
    std::int64_t earlier(ir::KeyId key, std::span<const std::uint32_t> slots, std::int64_t me) const override;
    bool can(ir::RuleId rule, std::span<const std::optional<std::int64_t>> pattern,
             std::span<const std::uint32_t> slots, std::int64_t me) const override;

private:
    const Reference& game_;
    const Slots* slots_ = nullptr;
    const HistoryNode* history_ = nullptr;
    bool between_moves_ = true;
    std::int64_t me_ = 0;
    ir::Evaluator eval_;
};

// What an effect that can't be carried out does: it ends the move with a fault; or, where only the legality of the move
// is asked, numbers are clamped to their range and any other such effect is skipped.
enum class Failing : std::uint8_t { Faults, Clamps };

class Reference final : public Executor {
public:
    explicit Reference(std::shared_ptr<const ir::Program> program);
    std::unique_ptr<Executor> clone() const override { return std::make_unique<Reference>(program_); }

    const ir::Program& program() const override { return *program_; }
    std::string_view name() const override { return "reference"; }
    ReferenceUse reference_use() const override;
    void initial(State& out) const override;
    void store(const State& state, Slots& slots) const override;
    void load(std::span<const std::uint32_t> slots, State& out) const override;
    std::uint32_t to_move(const State& state) const override;
    NodeKind kind(const State& state) override;
    NodeKind expand(const State& state, MoveList& moves) override;
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override;
    bool is_loud(const State& state, std::span<const StepCode> steps) override;
    bool payoffs(const State& state, std::span<double> out) override;
    void evals(const State& state, std::span<double> out) override;
    Bounds bounds(const State& state) override;
    bool holds(const State& state, ir::ExprId condition) override;
    std::uint64_t hash(const State& state) const override;

    // Whether a step of a decision rule is legal between moves. For programs without a turn plan.
    bool legal(const Slots& slots, const HistoryNode* history, StepCode code) const;

    // Every operation begins with max_work; once it is spent, values are the first of their types, and no instance of a
    // rule is found any more. For callers that use an Asker: begin_work() before, out_of_work() after it.
    void begin_work() const {
        work_.left = max_work;
        busy_ = none_id<ir::RuleId>;
        excess_ = Excess::Work;
    }
    void end_work() const { work_.left = 0; }
    bool out_of_work() const { return work_.spent(); }
    // The fault of an operation that took too much: it names the rule that was being tried.
    Fault too_much_work(const Slots& slots) const { return too_much(excess_, *program_, busy_, slots); }

    // The hash that the record of a position has for a key, as seen by player `me`. An executor whose histories hold
    // other hashes than those of this one, and which asks it about them, supplies its own function.
    using RecordHash = std::function<WordsHash(ir::KeyId key, const Slots& slots, const HistoryNode* history,
                                               bool between_moves, std::int64_t me)>;
    void set_record_hash(RecordHash hash) { record_hash_ = std::move(hash); }

private:
    void count_moves(std::size_t moves) const {
        if (moves <= max_moves) return;
        work_.left = 0;
        excess_ = Excess::Moves;
    }

    friend class Asker;
    friend struct InstanceSearch;
    friend class ChainSearch;

    // reference.cpp
    Slots slots_of(const State& state) const;
    void set_state(const Slots& slots, State& out) const;
    std::uint32_t mover(const Slots& slots) const { return slots[program_->slot_count]; }
    std::uint32_t last_mover(const Slots& slots) const;
    void read_between_moves(Asker& asker, const Slots& slots, const HistoryNode* history) const;
    const ir::EndClause* ending(const Slots& slots, const HistoryNode* history) const;
    bool chance_due(const Slots& slots, const HistoryNode* history) const;
    NodeKind node_kind(const State& state) const;
    void expand_chance(const Slots& slots, const State& state, MoveList& moves);
    void expand_decision(const Slots& slots, const State& state, MoveList& moves);
    bool all_stuck(Slots slots, const HistoryNode* history) const;
    bool play_step(const State& state, const MoveList& moves, std::size_t i, State& out);
    void pass_turn(Slots& slots, bool chance, const TurnChange& turn) const;
    void finish(const Slots& slots, std::uint32_t mover, const State& before, bool record, State& out) const;

    // moves.cpp
    // Calls f(parameters) for each instance whose `when` holds, in the order of step codes and with its names bound in
    // `asker`, until f returns true. A value in `pattern` fixes that parameter.
    using OnInstance = std::function<bool(std::span<const std::int64_t>)>;
    bool any_instance(Asker& asker, ir::RuleId rule, Pattern pattern, const OnInstance& f) const;
    // The same for legal instances: those whose `ensure` holds after their effects. An effect that fails makes an
    // instance neither legal nor illegal (Failing::Clamps); the fault is found when it is played.
    bool any_legal(Asker& asker, ir::RuleId rule, Pattern pattern, const OnInstance& f) const;
    bool has_move(const Slots& slots, const HistoryNode* history) const;

    // effects.cpp
    // Applies the rule whose names are bound in `asker` to `slots`, which the asker reads from then on.
    std::optional<Fault> apply(Asker& asker, const std::vector<ir::Block>& blocks, Slots& slots, TurnChange& turn,
                               Failing failing = Failing::Faults) const;

    // history.cpp
    KeyWords key_words(const ir::HistoryKey& key, const Slots& slots, const HistoryNode* history, bool between_moves,
                       std::int64_t me) const;
    WordsHash record_hash(ir::KeyId key, const Slots& slots, const HistoryNode* history, bool between_moves,
                          std::int64_t me) const;
    std::shared_ptr<const HistoryNode> recorded(const Slots& slots, std::uint32_t mover,
                                                std::shared_ptr<const HistoryNode> before) const;

    std::shared_ptr<const ir::Program> program_;
    std::vector<ConditionOrder> orders_; // by RuleId
    mutable ir::Work work_;
    mutable ir::RuleId busy_ = none_id<ir::RuleId>; // the rule that was tried when the work was spent
    mutable Excess excess_ = Excess::Work;
    RecordHash record_hash_; // none: its own
};

} // namespace zug::run
