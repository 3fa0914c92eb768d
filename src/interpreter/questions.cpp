// What the interpreter answers to its own code, its faults, and its history.

#include "executor/hash.hpp"
#include "interpreter/interpreter.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

void Interpreter::ask(const Question& question, std::uint64_t* frame, Reg into) {
    if (question.kind == Question::Kind::Earlier) {
        frame[into] = static_cast<std::uint64_t>(earlier(question.key, question.me));
        return;
    }
    if (question.kind == Question::Kind::Stuck) {
        const bool chance = chances_ && find(compiled_->chances[turn()]) > 0;
        frame[into] = !chance && !any_legal();
        return;
    }
    const ir::Program& core = program();
    const StateLayout& layout = *compiled_->layout;
    std::vector<std::uint32_t> slots;
    layout.store(frame, slots);
    Asker asker(*reference_);
    asker.read(slots, history_.get(), settled_);
    asker.set_me(question.me);
    const auto set_of = [&](ir::TypeId element, const std::uint64_t* words) {
        Bits set(core.types.cardinality(element));
        for (std::uint64_t o = 0; o < set.size(); ++o) {
            const std::uint64_t b = layout.bit(element, core.types.value(element, o));
            if ((words[b / 64] >> (b % 64) & 1) != 0) set.set(o);
        }
        return set;
    };
    for (const auto& [var, reg] : question.vars) {
        const ir::TypeId type = core.vars[var].type;
        ir::Value value;
        if (core.types.kind(type) == ir::TypeKind::Set)
            value.set = set_of(core.types.inner(type), frame + reg);
        else if (core.types.kind(type) == ir::TypeKind::Real)
            value.real = std::bit_cast<double>(frame[reg]);
        else
            value.scalar = layout.from_register(type, static_cast<std::int64_t>(frame[reg]));
        asker.eval().bind(var, std::move(value));
    }
    const ir::TypeId type = core.exprs[question.expr].type;
    const ir::Value value = asker.eval().value(question.expr);
    if (core.types.kind(type) == ir::TypeKind::Set) {
        const auto words = layout.words(core.types.inner(type), value.set);
        std::copy(words.begin(), words.end(), frame + into);
    } else if (core.types.kind(type) == ir::TypeKind::Real) {
        frame[into] = std::bit_cast<std::uint64_t>(value.real);
    } else {
        frame[into] = static_cast<std::uint64_t>(layout.to_register(type, value.scalar));
    }
}

void Interpreter::check_failed(CheckFailure kind, std::int32_t place, std::int64_t value) {
    trouble_ = {kind, place, value};
}

void Interpreter::fault(FaultKind kind, ir::RuleId rule, std::string what) {
    Fault f{.kind = kind, .rule = rule, .move = {}, .slots = {}, .what = std::move(what), .span = {}};
    if (valid(rule)) f.span = program().rules[rule].span;
    compiled_->layout->store(frame_.get(), f.slots);
    fault_ = std::move(f);
}

Reference& Interpreter::reference() {
    if (!reference_) {
        reference_ = std::make_unique<Reference>(compiled_->program);
        reference_->set_record_hash([this](ir::KeyId key, const std::vector<std::uint32_t>& slots,
                                           const HistoryNode* history, bool settled,
                                           std::int64_t me) { return record_hash(key, slots, history, settled, me); });
    }
    return *reference_;
}

// The reference executor is asked in the middle of a routine, and about positions that are not in the frame: its keys
// are worked out in another one.
WordsHash Interpreter::record_hash(ir::KeyId key, std::span<const std::uint32_t> slots, const HistoryNode* history,
                                   bool settled, std::int64_t me) {
    if (!recorder_) recorder_ = std::make_unique<Interpreter>(compiled_, table_);
    Interpreter& in = *recorder_;
    in.compiled_->layout->load(slots, in.frame_.get());
    in.history_ = std::shared_ptr<const HistoryNode>(std::shared_ptr<void>(), history); // it outlives the call
    in.settled_ = settled;
    in.use_routines();
    const WordsHash hash = in.key_hash(compiled_->keys[index(key)][static_cast<std::size_t>(me)]);
    in.history_ = nullptr;
    in.history_index_ = {};
    return hash;
}

State Interpreter::reference_state(std::span<const std::uint64_t> before) {
    std::vector<std::uint32_t> slots;
    compiled_->layout->store(before.data(), slots);
    State state;
    reference().load(slots, state);
    state.history = history_;
    return state;
}

// The exact words of a fault are the reference executor's: it plays the same move on the same position.
void Interpreter::fault_of_check(ir::RuleId rule, StepCode code, std::span<const std::uint64_t> before) {
    const State state = reference_state(before);
    State out;
    MoveList moves;
    moves.add(code);
    if (reference().successor(state, moves, 0, out))
        set_fault(rule, {&code, 1}, before);
    else
        fault_ = reference().fault();
}

// The same for chains: it looks for those of that position.
void Interpreter::fault_of_chains(std::span<const std::uint64_t> before) {
    MoveList moves;
    if (reference().expand(reference_state(before), moves) == NodeKind::Fault) fault_ = reference().fault();
}

// What would have happened but for the effect that failed, only the reference executor can tell.
bool Interpreter::legal_by_reference(StepCode code, std::span<const std::uint64_t> before) {
    std::vector<std::uint32_t> slots;
    compiled_->layout->store(before.data(), slots);
    return reference().legal(slots, history_.get(), code);
}

void Interpreter::set_fault(ir::RuleId rule, std::span<const StepCode> steps, std::span<const std::uint64_t> before) {
    const FaultKind kinds[] = {FaultKind::OutOfRange, FaultKind::DoubleAssign, FaultKind::DoubleTurn};
    Fault f{.kind = kinds[static_cast<std::size_t>(trouble_.kind)],
            .rule = rule,
            .move = {steps.begin(), steps.end()},
            .slots = {},
            .what = {},
            .span = {}};
    compiled_->layout->store(before.data(), f.slots);
    if (valid(rule)) f.span = program().rules[rule].span;
    const auto& places = compiled_->code.places;
    if (static_cast<std::size_t>(trouble_.place) < places.size())
        f.what = "`" + places[static_cast<std::size_t>(trouble_.place)] + "`";
    fault_ = std::move(f);
}

// -- history

WordsHash Interpreter::key_hash(const Compiled::Key& code) {
    run(code.entry);
    key_words_.clear();
    for (const auto& [reg, count] : code.parts)
        key_words_.insert(key_words_.end(), frame_.get() + reg, frame_.get() + reg + count);
    return words_hash(key_words_);
}

void Interpreter::record(std::uint32_t mover) {
    if (program().keys.empty()) return;
    auto node = std::make_shared<HistoryNode>();
    std::uint64_t own = 0;
    for (std::size_t k = 0; k < program().keys.size(); ++k) {
        const auto hash = key_hash(compiled_->keys[k][mover]);
        node->key_hashes.insert(node->key_hashes.end(), hash.begin(), hash.end());
        own = combine_hashes(own ^ hash[0], hash[1]);
    }
    node->path_hash = own + (history_ ? history_->path_hash : 0);
    node->length = history_ ? history_->length + 1 : 1;
    node->before = std::move(history_);
    history_ = std::move(node);
}

std::int64_t Interpreter::earlier(std::uint32_t key, std::uint32_t me) {
    const Compiled::Key& code = compiled_->keys[key][me];
    if (!settled_ || !history_) return history_index_.count(history_, key, key_hash(code));
    // Between moves the newest record is the state's own and does not count.
    const bool own = !chances_ && code.of_state_alone && me == last();
    const WordsHash hash =
        own ? WordsHash{history_->key_hashes[key * 2], history_->key_hashes[key * 2 + 1]} : key_hash(code);
    return history_index_.count(history_->before, key, hash);
}

} // namespace zug::run
