#include "interpreter/machine.hpp"

#include "base/copy_words.hpp"
#include "base/nth_bit.hpp"
#include "bytecode/vm_draw_ops.hpp"
#include "executor/hash.hpp"

#include <algorithm>

namespace zug::run {

Machine::Machine(std::shared_ptr<const Compiled> compiled, std::shared_ptr<RoutineTable> routines)
    : compiled_(std::move(compiled)), table_(std::move(routines)), bridge_(*this, compiled_->code),
      frame_lines_(std::make_unique<FrameLine[]>(frame_words / 8)), frame_(frame_lines_[0].words.data()),
      turn_(compiled_->layout->turn()), state_words_(compiled_->layout->state_words()) {
    for (const auto& [reg, word] : compiled_->code.constants) frame_[reg] = word;
    read_params(*compiled_->program);
}

void Machine::read_params(const ir::Program& program) {
    for (const ir::Rule& rule : program.rules) {
        chances_ = chances_ || rule.chance;
        auto& params = params_.emplace_back();
        for (ir::VarId v : rule.params) {
            const ir::TypeId type = program.vars[v].type;
            Param p;
            p.count = program.types.cardinality(type);
            for (std::uint64_t o = 0; o < p.count; ++o)
                p.words.push_back(layout().to_register(type, program.types.value(type, o)));
            params.push_back(std::move(p));
        }
    }
}

// -- the position in the frame

bool Machine::locals_are_initial() const {
    return std::ranges::all_of(compiled_->locals, [&](const auto& local) {
        const auto [reg, words] = local;
        return std::equal(frame_ + reg, frame_ + reg + words, compiled_->initial.begin() + reg);
    });
}

void Machine::enter(const State& state) {
    use_routines();
    layout().unpack(state.words.data(), frame_);
    if (history_ != state.history) history_ = state.history;
    between_moves_ = true;
}

void Machine::enter(const std::uint64_t* words) {
    use_routines();
    zug::copy_words(words, state_words_, frame_);
    between_moves_ = true;
}

void Machine::leave(State& out) const {
    out.words.resize(layout().stored_words());
    layout().pack(frame_, out.words.data());
    if (out.history != history_) out.history = history_;
}

// -- routines

void Machine::use_routines() {
    if (table_ == nullptr) return;
    if (routines_ == nullptr) table_->on_call();
    routines_ = table_->routines();
}

void Machine::values(const Compiled::Values& values, std::span<double> out) {
    if (!values.fixed) run(values.entry);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = std::bit_cast<double>(frame_[values.regs[p]]);
}

// -- instances

std::uint64_t Machine::found(const FindCode& code) const {
    std::uint64_t total = 0;
    for (const auto& [set, words] : code.sets)
        for (std::uint32_t k = 0; k < words; ++k) total += static_cast<unsigned>(std::popcount(frame_[set + k]));
    return code.emits ? total + records.total : total;
}

Pick Machine::pick(const FindCode& code, std::uint64_t number) const {
    for (std::size_t n = 0; n < code.sets.size(); ++n)
        for (std::uint32_t k = 0; k < code.sets[n].second; ++k) {
            const std::uint64_t word = frame_[code.sets[n].first + k];
            const auto here = static_cast<unsigned>(std::popcount(word));
            if (number < here)
                return {&code.move_sets[n], nullptr, k * 64 + nth_bit(word, static_cast<std::uint32_t>(number))};
            number -= here;
        }
    const RecordMember member = record_member(records, compiled_->code.shapes, static_cast<std::uint32_t>(number));
    return {nullptr, member.record, member.bit};
}

Pick Machine::pick(const std::uint64_t* drawn, const std::vector<MoveSetCode>& move_sets, const Records& from) {
    Pick pick{nullptr, nullptr, static_cast<std::uint32_t>(drawn[1])};
    if (drawn[0] < from_record)
        pick.found = &move_sets[drawn[0]];
    else
        pick.record = from.words.get() + (drawn[0] - from_record);
    return pick;
}

StepCode Machine::code_of(const Pick& p) const {
    if (p.found != nullptr) return p.found->codes[p.bit];
    const RecordCode& shape = shape_of(p.record);
    StepCode code = shape.codes[p.bit];
    for (std::size_t k = 0; k < shape.kept.size(); ++k)
        code += shape.kept[k].codes[p.record[1 + k] - static_cast<std::uint64_t>(shape.kept[k].low)];
    return code;
}

// -- moves as the program was written

void Machine::add_to(MoveList& moves, StepCode code) const {
    if (is_compound(code))
        moves.add(compound()->steps_of(code));
    else
        moves.add(code);
}

std::uint64_t Machine::id_of(StepCode code) const {
    return is_compound(code) ? chain_id(compound()->steps_of(code)) : code;
}

StepCode Machine::code_of(std::span<const StepCode> steps) const {
    return compound() == nullptr || (steps.size() == 1 && steps.front() == pass_code) ? steps.front()
                                                                                      : compound()->code_of(steps);
}

void Machine::tell(Fault& fault) const {
    if (compound() == nullptr || !valid(fault.rule)) return;
    const auto& steps = compound()->steps[index(fault.rule)];
    fault.rule = steps.empty() ? none_id<ir::RuleId> : steps.front().rule;
    if (fault.move.size() != 1 || !is_compound(fault.move[0])) return;
    const std::span<const StepCode> codes = compound()->steps_of(fault.move[0]);
    fault.move.assign(codes.begin(), codes.end());
}

// -- making a move

ir::RuleId Machine::set_params(StepCode code) {
    const auto& rules = program().rules;
    std::size_t r = 0;
    while (r + 1 < rules.size() && rules[static_cast<ir::RuleId>(r + 1)].first_code <= code) ++r;
    const auto id = static_cast<ir::RuleId>(r);
    std::uint64_t rest = code - rules[id].first_code;
    // Last parameter first; the first one takes what is left, so that a rule with one needs no division.
    for (std::size_t i = params_[r].size(); i-- > 0;) {
        const Param& p = params_[r][i];
        const std::uint64_t above = i == 0 ? 0 : rest / p.count;
        frame_[compiled_->rules[r].params[i]] = static_cast<std::uint64_t>(p.words[rest - above * p.count]);
        rest = above;
    }
    return id;
}

Machine::Applied Machine::apply(ir::RuleId rule) {
    frame_[compiled_->code.turned_reg] = 0;
    const std::int32_t result = run(compiled_->rules[index(rule)].apply[turn()]);
    between_moves_ = true;
    if (result == faulted) return Applied::Fault;
    return result == 1 ? Applied::NotEnsured : Applied::Done;
}

// Effects may have said where the turn goes (turned_reg: 1 again, 2 next).
void Machine::pass_turn(bool chance) {
    const std::uint64_t turned = frame_[compiled_->code.turned_reg];
    if (turned == 1 || (chance && turned == 0)) return;
    if (turned == 0) {
        const std::uint64_t next = frame_[turn_] + 1;
        frame_[turn_] = next == program().player_count() ? 0 : next;
    }
    for (const auto& [reg, words] : compiled_->locals)
        std::copy_n(compiled_->initial.begin() + reg, words, frame_ + reg);
}

void Machine::end_move(std::uint32_t mover) {
    if (program().keeps_last) frame_[layout().last()] = mover;
    pass_turn(false);
    record(mover);
}

void Machine::pass() {
    frame_[compiled_->code.turned_reg] = 0;
    end_move(turn());
}

// -- history

WordsHash Machine::key_hash(const Compiled::Key& code) {
    run(code.entry);
    if (code.parts.size() == 1) return words_hash({frame_ + code.parts[0].first, code.parts[0].second});
    key_words_.clear();
    for (const auto& [reg, count] : code.parts) key_words_.insert(key_words_.end(), frame_ + reg, frame_ + reg + count);
    return words_hash(key_words_);
}

void Machine::record(std::uint32_t mover) {
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

std::int64_t Machine::earlier(std::uint32_t key, std::uint32_t me) {
    const Compiled::Key& code = compiled_->keys[key][me];
    if (!between_moves_ || !history_) return history_index_.count(history_, key, key_hash(code));
    // Between moves the newest record is the state's own and does not count.
    const bool own = !chances_ && code.of_state_alone && me == last();
    const WordsHash hash =
        own ? WordsHash{history_->key_hashes[key * 2], history_->key_hashes[key * 2 + 1]} : key_hash(code);
    return history_index_.count(history_->before, key, hash);
}

void Machine::forget_history() {
    history_ = nullptr;
    history_index_ = {};
}

} // namespace zug::run
