#include "interpreter/reference_link.hpp"

#include "interpreter/referee.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

// The reference evaluator is asked in the middle of a routine, and about positions that are not in the frame, so that
// the keys it needs are evaluated in another one.
struct ReferenceLink::Recorder {
    explicit Recorder(const Machine& machine)
        : referee(machine.shared_compiled(), machine.routine_table(), nullptr, fault) {}
    std::optional<Fault> fault;
    Referee referee;
};

ReferenceLink::ReferenceLink(Machine& machine, std::optional<Fault>& fault)
    : machine_(machine), fault_(fault), asked_(machine.compiled().code.questions.size()) {}

ReferenceLink::~ReferenceLink() = default;

Reference& ReferenceLink::reference() {
    if (!reference_) {
        reference_ = std::make_unique<Reference>(machine_.compiled().program);
        reference_->set_record_hash(
            [this](ir::KeyId key, const Slots& slots, const HistoryNode* history, bool between_moves, std::int64_t me) {
                return record_hash(key, slots, history, between_moves, me);
            });
    }
    return *reference_;
}

WordsHash ReferenceLink::record_hash(ir::KeyId key, std::span<const std::uint32_t> slots, const HistoryNode* history,
                                     bool between_moves, std::int64_t me) {
    if (!recorder_) recorder_ = std::make_unique<Recorder>(machine_);
    Machine& in = recorder_->referee;
    in.layout().load(slots, in.frame());
    in.set_history(std::shared_ptr<const HistoryNode>(std::shared_ptr<void>(), history)); // it outlives the call
    in.set_between_moves(between_moves);
    in.use_routines();
    const WordsHash hash = in.key_hash(in.compiled().keys[index(key)][static_cast<std::size_t>(me)]);
    in.forget_history();
    return hash;
}

std::vector<std::uint32_t> ReferenceLink::slots_of(std::span<const std::uint64_t> words) const {
    std::vector<std::uint32_t> slots;
    machine_.layout().store(words.data(), slots);
    return slots;
}

State ReferenceLink::state_of(std::span<const std::uint64_t> words) {
    State state;
    reference().load(slots_of(words), state);
    state.history = machine_.history();
    return state;
}

// -- questions

void ReferenceLink::answer(const Question& question, std::uint64_t* frame, Reg into) {
    ++asked_[static_cast<std::size_t>(&question - machine_.compiled().code.questions.data())];
    const std::vector<std::uint32_t> slots = slots_of({frame, machine_.state_words()});
    Reference& reference = this->reference();
    // One question that takes too much is enough: what follows from a wrong answer is not worked out.
    if (fault_ && fault_->kind == FaultKind::TooMuchWork)
        reference.end_work();
    else
        reference.begin_work();
    Asker asker(reference);
    asker.read(slots, machine_.history().get(), machine_.between_moves());
    asker.set_me(question.me);
    for (const auto& [var, reg] : std::span(question.vars).first(question.named))
        asker.eval().bind(var, value_of(var, frame + reg));
    put(question.expr, asker.eval().value(question.expr), frame + into);
    if (reference.out_of_work()) fault_ = reference.too_much_work(slots);
}

// The value of a variable that the frame holds in these words.
ir::Value ReferenceLink::value_of(ir::VarId var, const std::uint64_t* words) const {
    const ir::Program& program = machine_.program();
    const StateLayout& layout = machine_.layout();
    const ir::TypeId type = program.vars[var].type;
    ir::Value value;
    if (program.types.kind(type) == ir::TypeKind::Set) {
        const ir::TypeId element = program.types.inner(type);
        value.set = Bits(program.types.cardinality(element));
        for (std::uint64_t o = 0; o < value.set.size(); ++o) {
            const std::uint64_t b = layout.bit(element, program.types.value(element, o));
            if ((words[b / 64] >> (b % 64) & 1) != 0) value.set.set(o);
        }
    } else if (program.types.kind(type) == ir::TypeKind::Real) {
        value.real = std::bit_cast<double>(*words);
    } else {
        value.scalar = layout.from_register(type, static_cast<std::int64_t>(*words));
    }
    return value;
}

// The other way round, for the value of an expression.
void ReferenceLink::put(ir::ExprId expr, const ir::Value& value, std::uint64_t* words) const {
    const ir::Program& program = machine_.program();
    const StateLayout& layout = machine_.layout();
    const ir::TypeId type = program.exprs[expr].type;
    if (program.types.kind(type) == ir::TypeKind::Set)
        std::ranges::copy(layout.words(program.types.inner(type), value.set), words);
    else if (program.types.kind(type) == ir::TypeKind::Real)
        *words = std::bit_cast<std::uint64_t>(value.real);
    else
        *words = static_cast<std::uint64_t>(layout.to_register(type, value.scalar));
}

bool ReferenceLink::holds(const State& state, std::span<const std::uint32_t> slots, std::int64_t me,
                          ir::ExprId condition) {
    ++use_.conditions;
    const Slots copy(slots.begin(), slots.end());
    reference().begin_work();
    Asker asker(reference());
    asker.read(copy, state.history.get(), true);
    asker.set_me(me);
    const bool holds = asker.eval().truth(condition);
    if (reference().out_of_work()) fault_ = reference().too_much_work(copy);
    return holds;
}

bool ReferenceLink::is_legal(StepCode code, std::span<const std::uint64_t> before) {
    ++use_.legality;
    return reference().legal(slots_of(before), machine_.history().get(), code);
}

bool ReferenceLink::is_loud(std::span<const StepCode> steps, std::span<const std::uint64_t> before) {
    ++use_.conditions;
    return reference().is_loud(state_of(before), steps);
}

// -- faults

void ReferenceLink::describe_step(ir::RuleId rule, StepCode code, std::span<const std::uint64_t> before) {
    ++use_.faults;
    const State state = state_of(before);
    State out;
    MoveList moves;
    moves.add(code);
    if (reference().successor(state, moves, 0, out))
        describe_check(rule, {&code, 1}, before);
    else
        fault_ = reference().fault();
    if (fault_) machine_.tell(*fault_);
}

void ReferenceLink::describe_chains(std::span<const std::uint64_t> before) {
    ++use_.faults;
    MoveList moves;
    if (reference().expand(state_of(before), moves) == NodeKind::Fault) fault_ = reference().fault();
}

void ReferenceLink::describe_check(ir::RuleId rule, std::span<const StepCode> steps,
                                   std::span<const std::uint64_t> before) {
    constexpr FaultKind kinds[] = {FaultKind::OutOfRange, FaultKind::DoubleAssign, FaultKind::DoubleTurn};
    const Machine::FailedCheck& check = machine_.failed_check();
    Fault f{.kind = kinds[static_cast<std::size_t>(check.kind)],
            .rule = rule,
            .move = {steps.begin(), steps.end()},
            .slots = slots_of(before),
            .what = {},
            .span = {}};
    if (valid(rule)) f.span = machine_.program().rules[rule].span;
    const auto& names = machine_.compiled().code.check_names;
    const auto site = static_cast<std::size_t>(check.site);
    if (site < names.size()) f.what = "`" + names[site] + "`";
    fault_ = std::move(f);
}

ReferenceUse ReferenceLink::use() const {
    ReferenceUse use = use_;
    const auto& questions = machine_.compiled().code.questions;
    for (std::size_t q = 0; q < questions.size(); ++q) {
        if (questions[q].kind != Question::Kind::Evaluate) continue; // the others are answered here
        const Span span = machine_.program().exprs[questions[q].expr].span;
        use.questions.push_back({.expr = questions[q].expr, .span = span, .asked = asked_[q]});
    }
    return use;
}

} // namespace zug::run
