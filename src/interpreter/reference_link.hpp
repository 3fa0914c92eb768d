#pragma once
// What a machine leaves to the reference evaluator at run time: expressions that have no byte code, the legality of
// moves whose effects fail, and the exact description of faults. Counts how often, for Executor::reference_use().

#include "interpreter/machine.hpp"
#include "reference/reference.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace zug::run {

class Referee;

class ReferenceLink {
public:
    // Faults go to `fault`.
    ReferenceLink(Machine& machine, std::optional<Fault>& fault);
    ~ReferenceLink();

    // Evaluates the question's expression on the state in `frame`, the machine's, into its words from `into` on.
    void answer(const Question& question, std::uint64_t* frame, Reg into);
    // Whether the step is legal in the position `before`, some effect of it having failed in the machine.
    bool is_legal(StepCode code, std::span<const std::uint64_t> before);
    // Whether a move that is legal in the position `before` is loud.
    bool is_loud(std::span<const StepCode> steps, std::span<const std::uint64_t> before);
    bool holds(const State& state, std::span<const std::uint32_t> slots, std::int64_t me, ir::ExprId condition);

    // Set the fault of a step, or of some chain of steps, that failed a check in the position `before`: the reference
    // evaluator plays the same there.
    void describe_step(ir::RuleId rule, StepCode code, std::span<const std::uint64_t> before);
    void describe_chains(std::span<const std::uint64_t> before);
    // The fault as far as the machine itself knows it.
    void describe_check(ir::RuleId rule, std::span<const StepCode> steps, std::span<const std::uint64_t> before);

    ReferenceUse use() const;

private:
    Reference& reference();
    State state_of(std::span<const std::uint64_t> words);
    std::vector<std::uint32_t> slots_of(std::span<const std::uint64_t> words) const;
    ir::Value value_of(ir::VarId var, const std::uint64_t* words) const;
    void put(ir::ExprId expr, const ir::Value& value, std::uint64_t* words) const;
    WordsHash record_hash(ir::KeyId key, std::span<const std::uint32_t> slots, const HistoryNode* history,
                          bool between_moves, std::int64_t me);

    Machine& machine_;
    std::optional<Fault>& fault_;
    std::unique_ptr<Reference> reference_; // made when it is first needed
    struct Recorder;
    std::unique_ptr<Recorder> recorder_; // likewise: evaluates history keys for the reference evaluator
    std::vector<std::uint64_t> asked_;   // by question of the byte code
    ReferenceUse use_;                   // without the questions
};

} // namespace zug::run
