#include "game/search_form.hpp"

#include "executor/hash.hpp"
#include "game/facts/history.hpp"

#include <algorithm>
#include <array>

namespace zug::game {

namespace {

// The rules without the past: nothing has ever occurred before.
std::shared_ptr<const ir::Program> without_past(const ir::Program& program) {
    auto changed = std::make_shared<ir::Program>(program);
    for (ir::Expr& expr : changed->exprs) {
        if (expr.op != ir::Op::Earlier) continue;
        expr.op = ir::Op::Const;
        expr.arg_count = 0;
        expr.imm = 0;
    }
    changed->keys = {};
    return changed;
}

// Whether a record has come so often.
bool any_occurs(const State& state, std::uint64_t times) {
    std::vector<std::array<std::uint64_t, 3>> hashes; // with their key
    for (const run::HistoryNode* node = state.history.get(); node != nullptr; node = node->before.get())
        for (std::size_t i = 0; i + 1 < node->key_hashes.size(); i += 2)
            hashes.push_back({i, node->key_hashes[i], node->key_hashes[i + 1]});
    std::ranges::sort(hashes);
    for (std::size_t i = times; i <= hashes.size(); ++i)
        if (hashes[i - times] == hashes[i - 1]) return true;
    return false;
}

} // namespace

SearchForm::SearchForm(Game& game) : given_(&game) {
    const History history = find_history(game.program(), game.traits().zero_sum);
    if (history.kind == HistoryKind::RepetitionDraw) {
        own_ = std::make_shared<Game>(without_past(game.program()), game.executor_kind());
        own_->evaluate_as(game);
        occurrences_ = history.occurrences;
        find_mask(history.counters);
    }
    for (const ir::StateVariable& variable : game.program().states)
        if (variable.local)
            for (std::uint32_t k = 0; k < variable.initial.size(); ++k)
                locals_.emplace_back(variable.first_slot + k, variable.initial[k]);
}

SearchForm SearchForm::clone() const {
    SearchForm copy = *this;
    copy.own_ = std::make_shared<Game>((own_ ? *own_ : *given_).clone());
    return copy;
}

State SearchForm::convert(const State& state) const {
    if (!own_) return state;
    std::vector<std::uint32_t> slots;
    given_->executor().store(state, slots);
    State converted;
    own_->executor().load(slots, converted);
    return converted;
}

// The bits of a counter are those in which states differ that differ in the counter alone.
void SearchForm::find_mask(std::span<const ir::StateId> counters) {
    run::Executor& executor = own_->executor();
    const State start = own_->initial();
    State other;
    executor.store(start, slots_);
    kept_.assign(start.words.size(), ~std::uint64_t{0});
    for (const ir::StateId id : counters) {
        const ir::StateVariable& variable = own_->program().states[id];
        const std::uint64_t values = own_->program().types.cardinality(variable.value);
        for (std::uint32_t k = 0; k < variable.initial.size(); ++k) {
            std::uint32_t& slot = slots_[variable.first_slot + k];
            const std::uint32_t before = slot;
            for (std::uint64_t bit = 1; bit < values; bit *= 2) {
                slot = before ^ static_cast<std::uint32_t>(bit);
                if (slot >= values) continue;
                executor.load(slots_, other);
                for (std::size_t w = 0; w < kept_.size(); ++w) kept_[w] &= ~(start.words[w] ^ other.words[w]);
            }
            slot = before;
        }
    }
}

std::uint64_t SearchForm::position_hash(const State& state) const {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
    for (std::size_t w = 0; w < state.words.size(); ++w) {
        const std::uint64_t word = w < kept_.size() ? state.words[w] & kept_[w] : state.words[w];
        hash = run::multiply_mix(hash ^ word, 0xE7037ED1A0B428DBULL + w);
    }
    return hash;
}

std::vector<EndByPast> SearchForm::ends_by_past(const State& state) {
    std::vector<EndByPast> ends;
    if (!own_ || !any_occurs(state, occurrences_)) return ends;
    add_ends(state, 2, ends);
    given_->clear_fault();
    return ends;
}

void SearchForm::add_ends(const State& state, int moves, std::vector<EndByPast>& ends) {
    MoveList list;
    State next;
    if (given_->expand(state, list) != run::NodeKind::Decision) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!given_->successor(state, list, i, next)) continue;
        if (given_->kind(next) != run::NodeKind::Terminal) {
            if (moves > 1) add_ends(next, moves - 1, ends);
            continue;
        }
        const State here = convert(next);
        std::vector<double> payoffs(given_->players());
        if (own_->kind(here) != run::NodeKind::Terminal && given_->payoffs(next, payoffs))
            ends.push_back({position_hash(here), payoffs[0]});
    }
}

void SearchForm::pass(const State& state, State& out) {
    Game& in = game();
    const ir::Program& program = in.program();
    in.executor().store(state, slots_);
    const std::uint32_t mover = slots_[program.slot_count];
    for (const auto& [slot, value] : locals_) slots_[slot] = value;
    const auto after = [&](std::uint32_t player) { return (player + 1) % program.player_count(); };
    std::uint32_t last = mover;
    while (program.team_of(after(last)) == program.team_of(mover) && after(last) != mover) last = after(last);
    slots_[program.slot_count] = after(last);
    if (program.keeps_last) slots_[program.slot_count + 1] = last;
    in.executor().load(slots_, out);
}

} // namespace zug::game
