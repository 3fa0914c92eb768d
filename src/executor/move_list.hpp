#pragma once
// The legal moves of a state, or the outcomes of a chance node.

#include "executor/state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace zug::run {

// One step of a move: rule and parameters, as ir::encode_step numbers them. `pass_code` is the pass of `stuck pass`.
using StepCode = std::uint64_t;
inline constexpr StepCode pass_code = UINT64_MAX;

// What identifies a move of these steps, in a game whose moves are chains of them.
std::uint64_t chain_id(std::span<const StepCode> steps);

// Meant to be reused: clear() keeps the memory. An entry's id distinguishes it from the others of the same state, and
// is the same each time and on each executor that expands the state: the step code in games without chains of steps,
// else a 64-bit hash of the steps.
class MoveList {
public:
    struct Entry {
        std::uint64_t id = 0;
        std::uint32_t first_step = 0;
        std::uint32_t step_count = 0;
    };

    void clear();
    void add(StepCode code);                   // a one-step move
    void add(StepCode code, double weight);    // a chance outcome, weight > 0
    void add(std::span<const StepCode> steps); // a move of several steps, or a single one in a game of such moves
    // The same where moves are found by making them. The state it leads to is kept with it; all states of a list have
    // the same width.
    void add_chain(std::span<const StepCode> steps, std::span<const std::uint64_t> result,
                   std::shared_ptr<const HistoryNode> history);

    // Keeps those moves i for which good(i), in their order; asked once each, in that order.
    template <class F>
    void keep_if(F&& good);

    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    std::uint64_t id(std::size_t i) const { return entries_[i].id; }
    std::span<const StepCode> steps(std::size_t i) const {
        return {steps_.data() + entries_[i].first_step, entries_[i].step_count};
    }
    bool has_results() const { return !histories_.empty(); }
    // The state that entry i leads to, where has_results().
    void result(std::size_t i, State& out) const;
    // Of a chance node: the probability of an outcome; they sum to one.
    double probability(std::size_t i) const { return weights_[i] / total_weight_; }
    // The index of the entry with this id, if there is one. Linear in the size.
    std::optional<std::size_t> find(std::uint64_t id) const;

private:
    std::vector<Entry> entries_;
    std::vector<StepCode> steps_;
    std::vector<double> weights_;
    std::vector<std::uint64_t> results_; // the words of each chain's state, concatenated
    std::vector<std::shared_ptr<const HistoryNode>> histories_;
    double total_weight_ = 0;

    void add_entry(std::uint64_t id, std::span<const StepCode> steps);
    void put(std::size_t to, std::size_t from);
    void shorten(std::size_t size);
};

template <class F>
void MoveList::keep_if(F&& good) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size(); ++i)
        if (good(i)) put(kept++, i);
    shorten(kept);
}

} // namespace zug::run
