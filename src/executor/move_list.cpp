#include "executor/move_list.hpp"

#include "executor/hash.hpp"

#include <algorithm>

namespace zug::run {

std::uint64_t chain_id(std::span<const StepCode> steps) { return words_hash(steps)[0]; }

void MoveList::clear() {
    entries_.clear();
    steps_.clear();
    weights_.clear();
    results_.clear();
    histories_.clear();
    total_weight_ = 0;
}

void MoveList::add_entry(std::uint64_t id, std::span<const StepCode> steps) {
    entries_.push_back({.id = id,
                        .first_step = static_cast<std::uint32_t>(steps_.size()),
                        .step_count = static_cast<std::uint32_t>(steps.size())});
    steps_.insert(steps_.end(), steps.begin(), steps.end());
}

void MoveList::add(StepCode code) { add_entry(code, {&code, 1}); }

void MoveList::add(std::span<const StepCode> steps) { add_entry(chain_id(steps), steps); }

void MoveList::add(StepCode code, double weight) {
    add(code);
    weights_.push_back(weight);
    total_weight_ += weight;
}

void MoveList::add_chain(std::span<const StepCode> steps, std::span<const std::uint64_t> result,
                         std::shared_ptr<const HistoryNode> history) {
    add(steps);
    results_.insert(results_.end(), result.begin(), result.end());
    histories_.push_back(std::move(history));
}

// Of moves, which have no weights.
void MoveList::put(std::size_t to, std::size_t from) {
    if (to == from) return;
    entries_[to] = entries_[from];
    if (histories_.empty()) return;
    const std::size_t width = results_.size() / histories_.size();
    const auto words = results_.begin() + static_cast<std::ptrdiff_t>(from * width);
    std::copy_n(words, width, results_.begin() + static_cast<std::ptrdiff_t>(to * width));
    histories_[to] = std::move(histories_[from]);
}

void MoveList::shorten(std::size_t size) {
    entries_.resize(size);
    if (histories_.empty()) return;
    results_.resize(size * (results_.size() / histories_.size()));
    histories_.resize(size);
}

void MoveList::result(std::size_t i, State& out) const {
    const std::size_t width = results_.size() / histories_.size();
    const auto words = results_.begin() + static_cast<std::ptrdiff_t>(i * width);
    out.words.assign(words, words + static_cast<std::ptrdiff_t>(width));
    if (out.history != histories_[i]) out.history = histories_[i];
}

std::optional<std::size_t> MoveList::find(std::uint64_t id) const {
    const auto it = std::ranges::find(entries_, id, &Entry::id);
    if (it == entries_.end()) return std::nullopt;
    return static_cast<std::size_t>(it - entries_.begin());
}

} // namespace zug::run
