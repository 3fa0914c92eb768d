// Assignments to whole maps, which effects on single entries of the same block override: an assignment by its value, a
// sum by what the entry held before the block plus the sum.

#include "compiler/moves/effects.hpp"

#include "base/narrow.hpp"
#include "bytecode/byte_rows.hpp"

#include <algorithm>

namespace zug::run {

using ir::EffectKind;

// Whether the effect, or some effect in a loop, belongs to the phase at hand.
bool Effects::is_due(const ir::Effect& e) const {
    const auto some = [&](const std::vector<ir::EffectId>& list) {
        return std::ranges::any_of(list, [&](ir::EffectId id) { return is_due(lowering_.program().effects[id]); });
    };
    switch (e.kind) {
    case EffectKind::For:
    case EffectKind::If:
    case EffectKind::Let: return some(e.yes) || some(e.no);
    case EffectKind::Add: return phase_ == (wholes_[index(e.state)] != 0 ? Phase::Sums : Phase::Entries);
    case EffectKind::AssignAll: return phase_ == Phase::Wholes;
    default: return phase_ == Phase::Entries;
    }
}

// Before the first change of a block.
void Effects::prepare_wholes() {
    done_.assign(wholes_.size(), 0);
    kept_.assign(wholes_.size(), 0);
    assigned_.assign(wholes_.size(), 0);
    for (std::size_t s = 0; s < wholes_.size(); ++s) {
        if (wholes_[s] == 0) continue;
        const auto set_to = [&](Reg& reg, NodeRef value) {
            reg = graph_.fresh(1);
            graph_.effect(Family::Mov, 1, reg, {value, no_node, no_node});
        };
        if (wholes_[s] > 1) set_to(done_[s], lowering_.empty(1));
        if (unsure_[s]) set_to(assigned_[s], fitting(static_cast<ir::StateId>(s)));
    }
}

// After the sums, before the assignments to whole maps.
void Effects::keep_sums() {
    for (std::size_t s = 0; s < wholes_.size(); ++s) {
        if (wholes_[s] == 0 || !added_[s]) continue;
        const VariableLayout& at = lowering_.layout().variable(static_cast<ir::StateId>(s));
        const auto words = narrow<std::uint16_t>(at.words);
        kept_[s] = graph_.fresh(words);
        graph_.effect(Family::Mov, words, kept_[s], {graph_.read(at.reg, words), no_node, no_node});
    }
}

// After them. Where no such assignment is reached, the entries hold these values already.
void Effects::put_back_sums() {
    for (std::size_t s = 0; s < wholes_.size(); ++s) {
        if (kept_[s] == 0) continue;
        const VariableLayout& at = lowering_.layout().variable(static_cast<ir::StateId>(s));
        const auto set_words =
            narrow<std::uint16_t>((lowering_.layout().entry_count(static_cast<ir::StateId>(s)) + 63) / 64);
        const auto open = graph_.open_loop(Reduce::Effects, graph_.read(summed_[s], set_words), 1, no_node);
        const NodeRef kept = graph_.fixed(kept_[s], narrow<std::uint16_t>(at.words));
        put_at(at, open.var, lowering_.number_at(at, kept, open.var, 0));
        graph_.close_loop(open, no_node);
    }
}

// The words of a map, if all its entries hold the same known word. The slots of padding keep their zeros, so that equal
// states have equal words. Empty: the word is not known, or there are too many of them.
std::vector<std::uint64_t> Effects::filled(ir::StateId id, NodeRef value) const {
    constexpr std::uint32_t most_words = 64;
    const VariableLayout& at = lowering_.layout().variable(id);
    const bool bytes = at.storage == Storage::Bytes;
    if ((!bytes && at.storage != Storage::Words) || !graph_.is_constant(value) || at.words > most_words) return {};
    const std::int64_t word = graph_.constant_word(value);
    std::vector<std::uint64_t> words(at.words, 0);
    const std::vector<std::uint64_t> real = lowering_.real_entries(id);
    for (std::size_t e = 0; e < real.size() * 64; ++e) {
        if ((real[e / 64] >> (e % 64) & 1) == 0) continue;
        if (bytes)
            set_byte(words.data(), e, word);
        else
            words[e] = static_cast<std::uint64_t>(word);
    }
    return words;
}

void Effects::assign_all(const Pending& p) {
    const ValueGraph::From here(graph_, p.effect->span);
    const ir::StateId id = p.effect->state;
    const ir::StateVariable& variable = lowering_.program().states[id];
    const VariableLayout& at = lowering_.layout().variable(id);
    const ir::TypeId given = lowering_.program().exprs[p.effect->value].type;
    NodeRef value = p.value, ordinal = p.ordinal;
    if (p.condition != no_node && graph_.is_constant(p.condition)) return; // a loop that is changes of planes does it
    if (p.condition != no_node) graph_.open_branch(p.condition);
    if (done_[index(id)] != 0)
        graph_.effect(Family::CheckAndSet, 1, done_[index(id)],
                      {graph_.word(0), graph_.fixed(narrow<Reg>(name_number(id)), 1), no_node}, 1);
    if (unsure_[index(id)]) {
        graph_.effect(Family::Mov, 1, assigned_[index(id)], {value, no_node, no_node});
        value = graph_.select(is_in_range(id, value), value, fitting(id));
        if (ordinal != no_node) ordinal = lowering_.ordinal(variable.value, value);
    } else {
        check_range(id, value, given);
    }
    if (at.storage == Storage::Planes) {
        const NodeRef all = graph_.set(lowering_.real_entries(id));
        graph_.effect(Family::PlaneFill, at.set_words, at.reg, {all, ordinal, no_node},
                      static_cast<std::int32_t>(at.planes));
    } else if (const std::vector<std::uint64_t> words = filled(id, value); !words.empty()) {
        graph_.effect(Family::Mov, narrow<std::uint16_t>(words.size()), at.reg, {graph_.set(words), no_node, no_node});
    } else {
        const auto open = graph_.open_loop(Reduce::Effects, graph_.set(lowering_.real_entries(id)), 1, no_node);
        put_at(at, open.var, value);
        graph_.close_loop(open, no_node);
    }
    if (p.condition != no_node) graph_.close_branch();
}

// After all effects: reports a value that is out of range if there is an entry that no other effect overrides.
void Effects::check_whole(ir::StateId id) {
    if (assigned_[index(id)] == 0) return;
    const std::vector<std::uint64_t> real = lowering_.real_entries(id);
    const auto words = narrow<std::uint16_t>(real.size());
    NodeRef rest = graph_.set(real);
    for (const Reg overridden : {touched_[index(id)], summed_[index(id)]})
        if (overridden != 0) rest = graph_.and_not(rest, graph_.read(overridden, words));
    const NodeRef value = graph_.select(graph_.any(rest), graph_.read(assigned_[index(id)], 1), fitting(id));
    check_range(id, value);
}

} // namespace zug::run
