#pragma once
// The reference executor: the meaning of a program, written as plainly as we could. It keeps canonical slots, finds
// moves by trying parameters one by one, and evaluates expressions with ir::Evaluator. Slow, and the oracle for all
// others. This header is for its own files only; everyone else uses make_reference (executor/executor.hpp).
//
// Where Earlier is asked of a state as it stands between moves, the newest record is that state's own (or, after a
// chance event, that of the turn end before it) and does not count; asked after a step's effects, all records count.

#include "executor/executor.hpp"
#include "ir/evaluate.hpp"
#include "reference/chain_search.hpp"

#include <array>
#include <functional>
#include <map>

namespace zug::run {

using Slots = std::vector<std::uint32_t>;

// How one rule's instances are searched: after which parameter each clause of `when` can be asked, and which sets a
// parameter must be a member of (clauses `p in S` with S known before p).
struct SearchPlan {
    std::vector<std::vector<std::size_t>> clauses; // by number of parameters bound
    std::vector<std::vector<ir::ExprId>> domains;  // by parameter
    // How many parameters must be bound before an expression of `when` can be evaluated, names bound around it given.
    std::map<ir::ExprId, std::size_t> levels;
};

class Reference;

// Evaluates expressions on one state of a game, and answers what they ask of the game.
class Asker final : public ir::GameQuestions {
public:
    explicit Asker(const Reference& game);
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;

    // `settled`: the state as it stands between moves. The slots and the history must outlive their use.
    void read(const Slots& slots, const HistoryNode* history, bool settled);
    void set_me(std::int64_t player);
    std::int64_t me() const { return me_; }
    const HistoryNode* history() const { return history_; }
    ir::Evaluator& eval() { return eval_; }

    bool stuck(std::span<const std::uint32_t> slots) const override;
    std::int64_t earlier(ir::KeyId key, std::span<const std::uint32_t> slots, std::int64_t me) const override;
    bool can(ir::RuleId rule, std::span<const std::optional<std::int64_t>> pattern,
             std::span<const std::uint32_t> slots, std::int64_t me) const override;

private:
    const Reference& game_;
    const HistoryNode* history_ = nullptr;
    bool settled_ = true;
    std::int64_t me_ = 0;
    ir::Evaluator eval_;
};

using Pattern = std::span<const std::optional<std::int64_t>>;

// What becomes of an effect that fails: it ends the move with a fault, or, where it is only asked whether the move's
// `ensure` would hold, a number is cut to its range and what can't be done at all is left undone.
enum class Failing : std::uint8_t { Faults, IsCut };

class Reference final : public Executor {
public:
    explicit Reference(std::shared_ptr<const ir::Program> program);
    std::unique_ptr<Executor> clone() const override { return std::make_unique<Reference>(program_); }

    const ir::Program& program() const override { return *program_; }
    std::string_view name() const override { return "reference"; }
    void initial(State& out) const override;
    void store(const State& state, Slots& slots) const override;
    void load(std::span<const std::uint32_t> slots, State& out) const override;
    std::uint32_t to_move(const State& state) const override;
    NodeKind kind(const State& state) override;
    NodeKind expand(const State& state, MoveList& moves) override;
    bool successor(const State& state, const MoveList& moves, std::size_t i, State& out) override;
    void payoffs(const State& state, std::span<double> out) override;
    void evals(const State& state, std::span<double> out) override;
    bool holds(const State& state, ir::ExprId condition) override;
    std::uint64_t hash(const State& state) const override;

    // Whether the step, of a decision rule and without a turn plan, is legal in a position between moves.
    bool legal(const Slots& slots, const HistoryNode* history, StepCode code) const;

    // The hash that a position's record has for a key, as seen by player `me`. Who keeps histories of another kind than
    // this executor's own, and asks it about them, gives it theirs.
    using RecordHash = std::function<WordsHash(ir::KeyId key, const Slots& slots, const HistoryNode* history,
                                               bool settled, std::int64_t me)>;
    void set_record_hash(RecordHash hash) { record_hash_ = std::move(hash); }

private:
    friend class Asker;
    friend class ReferenceChains;

    // reference.cpp
    Slots slots_of(const State& state) const;
    void pack(const Slots& slots, State& out) const;
    std::uint32_t mover(const Slots& slots) const { return slots[program_->slot_count]; }
    std::uint32_t last_mover(const Slots& slots) const;
    void read_settled(Asker& asker, const Slots& slots, const HistoryNode* history) const;
    const ir::EndClause* ending(const Slots& slots, const HistoryNode* history) const;
    bool chance_due(const Slots& slots, const HistoryNode* history) const;
    bool expand_chance(const Slots& slots, const State& state, MoveList& moves);
    void expand_decision(const Slots& slots, const State& state, MoveList& moves);
    bool all_stuck(Slots slots, const HistoryNode* history) const;
    bool play_step(const State& state, const MoveList& moves, std::size_t i, State& out);
    void pass_turn(Slots& slots, bool chance, const TurnChange& turn) const;
    void finish(const Slots& slots, std::uint32_t mover, const State& before, bool record, State& out) const;

    // reference_moves.cpp
    SearchPlan plan_search(const ir::Rule& rule) const;
    // Calls f(parameters) for each instance whose `when` holds, its names bound in `asker`, until one returns true.
    bool any_instance(Asker& asker, ir::RuleId rule, Pattern pattern,
                      const std::function<bool(std::span<const std::int64_t>)>& f) const;
    // The same for legal instances: those whose `ensure` holds after their effects. That effects fail does not make an
    // instance legal or illegal (Failing::IsCut): the fault is found when it is played. `slots` is what the asker
    // reads.
    bool any_legal(Asker& asker, ir::RuleId rule, Pattern pattern, const Slots& slots, bool settled,
                   const std::function<bool(std::span<const std::int64_t>)>& f) const;
    bool ensured(Asker& asker, const ir::Rule& rule) const;
    bool has_move(const Slots& slots, const HistoryNode* history) const;

    // reference_effects.cpp
    // Applies the rule whose names are bound in `asker` to `slots`, which the asker reads from then on.
    std::optional<Fault> apply(Asker& asker, const std::vector<ir::Block>& blocks, Slots& slots, TurnChange& turn,
                               Failing failing = Failing::Faults) const;

    // reference_history.cpp
    WordsHash key_hash(const ir::HistoryKey& key, const Slots& slots, const HistoryNode* history, bool settled,
                       std::int64_t me) const;
    WordsHash record_hash(ir::KeyId key, const Slots& slots, const HistoryNode* history, bool settled,
                          std::int64_t me) const;
    std::shared_ptr<const HistoryNode> recorded(const Slots& slots, std::uint32_t mover,
                                                std::shared_ptr<const HistoryNode> before) const;

    std::shared_ptr<const ir::Program> program_;
    std::vector<SearchPlan> searches_; // by RuleId
    RecordHash record_hash_;           // none: its own
};

// How the reference executor makes the steps of a chain (reference_chains.cpp; see chain_search.hpp).
class ReferenceChains {
public:
    using Run = ChainRun<Slots>;

    ReferenceChains(const Reference& game, const Slots& start, const HistoryNode* history);

    std::vector<Run> moves() { return ChainSearch(*plan_, *this).moves(start_); }
    bool any() { return ChainSearch(*plan_, *this).any(start_); }
    bool can_step(ir::RuleId rule, const Run& from);
    void steps(ir::RuleId rule, const Run& from, std::vector<Run>& out);
    double most(std::uint32_t chain, const Run& run);
    WordsHash by(const Run& run);
    bool finish(Run& run);
    bool failed() const { return fault_.has_value(); }
    const std::optional<Fault>& fault() const { return fault_; }

private:
    void add_sums(ir::RuleId rule, Run& run);
    double number(ir::ExprId expr);
    void fail(Fault fault, const Run& run);

    const Reference& game_;
    const ir::TurnPlan* plan_;
    const Slots& start_;
    const HistoryNode* history_;
    Asker asker_;
    std::optional<Fault> fault_;
};

} // namespace zug::run
