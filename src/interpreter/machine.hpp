#pragma once
// One position in a frame of words, and the routines of a compiled program that work on it: they find the instances of
// its rules, apply one, and record the history. What a position means beyond that (ends, legality) is the Referee's.
//
// Compiled programs are shared; a machine is used by one thread at a time.

#include "bytecode/compiled_program.hpp"
#include "bytecode/native_routines.hpp"
#include "compiler/compound_moves.hpp"
#include "executor/executor.hpp"
#include "executor/history_index.hpp"

#include <array>
#include <bit>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace zug::run {

// An instance of a rule as found: a member of a move set in the frame, or of a record.
struct Pick {
    const MoveSetCode* found = nullptr;
    std::uint64_t* record = nullptr;
    std::uint32_t bit = 0;
};

class Machine : public Host {
public:
    // `routines`: machine code where there is some; may be null.
    Machine(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines);
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    const Compiled& compiled() const { return *compiled_; }
    const std::shared_ptr<const Compiled>& shared_compiled() const { return compiled_; }
    const std::shared_ptr<RoutineTable>& routine_table() const { return table_; }
    const ir::Program& program() const { return *compiled_->program; }
    const StateLayout& layout() const { return *compiled_->layout; }
    const CompoundMoves* compound() const { return compiled_->compound.get(); }

    // -- the position in the frame

    std::uint64_t* frame() { return frame_; }
    const std::uint64_t* frame() const { return frame_; }
    std::uint64_t& word(Reg reg) { return frame_[reg]; }
    Reg turn_reg() const { return turn_; }
    std::uint32_t state_words() const { return state_words_; }
    std::span<const std::uint64_t> state() const { return {frame_, state_words_}; }
    std::uint32_t turn() const { return static_cast<std::uint32_t>(frame_[turn_]); }
    // The player who moved last.
    std::uint32_t last() const {
        if (program().keeps_last) return static_cast<std::uint32_t>(frame_[layout().last()]);
        const std::uint32_t t = turn();
        return (t == 0 ? program().player_count() : t) - 1;
    }
    bool locals_are_initial() const;

    void enter(const State& state);
    void enter(const std::uint64_t* words); // state_words() of them; leaves the history
    void leave(State& out) const;
    // One copy of the state's words, from which restore() takes them.
    void save() { saved_.assign(frame_, frame_ + state_words_); }
    void restore() { std::copy(saved_.begin(), saved_.end(), frame_); }
    std::span<const std::uint64_t> saved() const { return saved_; }

    // -- routines

    // Machine code that has become ready since is used from now on.
    void use_routines();
    [[gnu::always_inline]] std::int32_t run(Entry entry) {
        if (routines_ != nullptr)
            if (const Routine routine = routines_[entry]) return routine(frame_, &bridge_);
        return compiled_->vm(compiled_->code, entry, frame_, *this);
    }
    double number(const NumberCode& code) {
        run(code.entry);
        const std::uint64_t word = frame_[code.reg];
        return code.real ? std::bit_cast<double>(word) : static_cast<double>(static_cast<std::int64_t>(word));
    }
    void values(const Compiled::Values& values, std::span<double> out);

    // -- instances, before `ensure`

    // Finds the instances of rules for the position, and counts them. They stay in the frame and the records.
    std::uint64_t find(const FindCode& code) { return run(code.entry) == FindCode::nothing ? 0 : found(code); }
    std::uint64_t found(const FindCode& code) const;
    // Each calls f for what was found, until one returns true. Empty sets are skipped; `pick` names any member.
    template <class F>
    bool each_set(const FindCode& code, F&& f); // f(pick, set, words)
    template <class F>
    bool each(const FindCode& code, F&& f); // f(pick)
    // For the members of one of those sets.
    template <class F>
    static bool each_member(const Pick& any, const std::uint64_t* set, std::uint32_t words, F&& f); // f(pick)
    // Instance `number` of those found, from 0.
    Pick pick(const FindCode& code, std::uint64_t number) const;
    // The instance that two words name, as Opcode::Draw writes them.
    static Pick pick(const std::uint64_t* drawn, const std::vector<MoveSetCode>& move_sets, const Records& from);

    const RecordCode& shape_of(const std::uint64_t* record) const {
        return compiled_->records[static_cast<std::uint32_t>(*record)];
    }
    ir::RuleId rule_of(const Pick& p) const { return p.found != nullptr ? p.found->rule : shape_of(p.record).rule; }
    bool is_known_legal(const Pick& p) const {
        return p.found != nullptr ? p.found->known_legal : shape_of(p.record).known_legal;
    }
    StepCode code_of(const Pick& p) const;

    // -- moves as the program was written: of CompoundMoves, the steps that they are made of

    const ir::Program& written() const { return compound() != nullptr ? *compound()->written : program(); }
    // What those are told of a code of an instance: it, or its steps, and what identifies it in a list.
    bool is_compound(StepCode code) const { return compound() != nullptr && compound()->is_compound(code); }
    void add_to(MoveList& moves, StepCode code) const;
    void add_to(MoveList& moves, const Pick& p) const { add_to(moves, code_of(p)); }
    std::uint64_t id_of(StepCode code) const;
    // The code of a move given by its steps.
    StepCode code_of(std::span<const StepCode> steps) const;
    // A fault that names rules and codes of the compiled program, as one of the program as it was written.
    void tell(Fault& fault) const;

    // -- making a move

    // Puts the parameters where the rule's routines read them.
    ir::RuleId set_params(const Pick& p);
    ir::RuleId set_params(StepCode code);
    // Of an instance found before another search, which may have overwritten the records.
    ir::RuleId set_params(const Pick& p, StepCode code) {
        return p.found != nullptr ? set_params(p) : set_params(code);
    }
    enum class Applied : std::uint8_t { Done, NotEnsured, Fault };
    // The effects and then `ensure`, in the frame.
    Applied apply(ir::RuleId rule);
    void pass_turn(bool chance);
    // Passes the turn after a move, and records it. With no turn effect: pass().
    void end_move(std::uint32_t mover);
    void pass();
    // What the last check that failed reports.
    struct FailedCheck {
        CheckFailure kind{};
        std::int32_t site = 0; // index into the names of what is assigned
        std::int64_t value = 0;
    };
    const FailedCheck& failed_check() const { return failed_check_; }

    // -- history

    const std::shared_ptr<const HistoryNode>& history() const { return history_; }
    void set_history(std::shared_ptr<const HistoryNode> history) { history_ = std::move(history); }
    void forget_history();
    // Whether the position in the frame stands between moves, where the newest record is its own.
    bool between_moves() const { return between_moves_; }
    void set_between_moves(bool between) override { between_moves_ = between; }
    void record(std::uint32_t mover) override;
    std::int64_t earlier(std::uint32_t key, std::uint32_t me);
    WordsHash key_hash(const Compiled::Key& code);

private:
    void check_failed(CheckFailure kind, std::int32_t site, std::int64_t value) final {
        failed_check_ = {kind, site, value};
    }
    void read_params(const ir::Program& program);

    std::shared_ptr<const Compiled> compiled_;
    std::shared_ptr<RoutineTable> table_; // null: byte code only
    const Routine* routines_ = nullptr;   // by entry, once there are some
    HostBridge bridge_;
    // At the start of a cache line, so that no game is slower for where the heap has put it.
    struct alignas(64) FrameLine {
        std::array<std::uint64_t, 8> words;
    };
    std::unique_ptr<FrameLine[]> frame_lines_;
    std::uint64_t* frame_;
    Reg turn_ = 0;
    std::uint32_t state_words_ = 0;
    bool chances_ = false; // the program has chance rules
    std::vector<std::uint64_t> saved_, key_words_;
    std::shared_ptr<const HistoryNode> history_;
    HistoryIndex history_index_;
    bool between_moves_ = true;
    FailedCheck failed_check_;
    struct Param {
        std::uint64_t count = 1;
        std::vector<std::int64_t> words; // register word by ordinal
    };
    std::vector<std::vector<Param>> params_; // by RuleId
};

inline ir::RuleId Machine::set_params(const Pick& p) {
    const ir::RuleId id = rule_of(p);
    const auto& params = p.found != nullptr ? p.found->params : shape_of(p.record).params;
    const std::vector<Reg>& into = compiled_->rules[index(id)].params;
    const std::uint64_t* kept = p.record == nullptr ? nullptr : p.record + 1;
    for (std::size_t i = 0; i < into.size(); ++i)
        frame_[into[i]] = params[i].empty() ? *kept++ : static_cast<std::uint64_t>(params[i][p.bit]);
    return id;
}

template <class F>
bool Machine::each_set(const FindCode& code, F&& f) {
    for (std::size_t k = 0; k < code.sets.size(); ++k) {
        const auto& [set, words] = code.sets[k];
        std::uint64_t any = 0;
        for (std::uint32_t w = 0; w < words; ++w) any |= frame_[set + w];
        if (any != 0 && f(Pick{&code.move_sets[k], nullptr, 0}, frame_ + set, words)) return true;
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
bool Machine::each_member(const Pick& any, const std::uint64_t* set, std::uint32_t words, F&& f) {
    for (std::uint32_t k = 0; k < words; ++k)
        for (std::uint64_t word = set[k]; word != 0; word &= word - 1)
            if (f(Pick{any.found, any.record, k * 64 + static_cast<std::uint32_t>(std::countr_zero(word))}))
                return true;
    return false;
}

template <class F>
bool Machine::each(const FindCode& code, F&& f) {
    return each_set(code, [&](const Pick& p, const std::uint64_t* set, std::uint32_t words) {
        return each_member(p, set, words, f);
    });
}

} // namespace zug::run
