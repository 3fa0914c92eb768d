#include "search/core/order.hpp"

#include "search/core/move_slot.hpp"

#include <algorithm>
#include <utility>

namespace zug::search {

namespace {

constexpr unsigned history_bits = 12;
constexpr std::uint32_t history_limit = 1U << 30;

constexpr std::uint64_t table_rank = UINT64_MAX;
constexpr std::uint64_t gain_rank = std::uint64_t{1} << 41;   // of a loud move that gains nothing
constexpr std::uint64_t killer_rank = std::uint64_t{1} << 40; // above any history
constexpr std::uint64_t quiet_rank = std::uint64_t{1} << 32;  // above any loss
constexpr double most_gain = std::uint64_t{1} << 31;

// A loud move that gains a share of the range of utilities, -1..1.
std::uint64_t loud_rank(double share) {
    return share >= 0 ? gain_rank + static_cast<std::uint64_t>(std::min(share, 1.0) * most_gain)
                      : static_cast<std::uint64_t>((1 + std::max(share, -1.0)) * most_gain);
}

bool tried_before(const Ranked& a, const Ranked& b) { return a.rank != b.rank ? a.rank > b.rank : a.id < b.id; }

void fill(Frame& frame, const game::MoveList& moves) {
    const std::size_t size = moves.size();
    frame.order.resize(size);
    frame.deferred = 0;
    for (std::size_t i = 0; i < size; ++i) frame.order[i] = {0, moves.id(i), static_cast<std::uint32_t>(i)};
}

} // namespace

void rank_by_id(Frame& frame, const game::MoveList& moves) {
    fill(frame, moves);
    if (!std::is_sorted(frame.order.begin(), frame.order.end(), tried_before))
        std::sort(frame.order.begin(), frame.order.end(), tried_before);
}

MoveOrder::MoveOrder(std::uint32_t players) : history_(std::size_t{players} << history_bits) {}

std::size_t MoveOrder::slot(std::uint32_t mover, std::uint64_t move) const {
    return (std::size_t{mover} << history_bits) + move_slot(move, history_bits);
}

void MoveOrder::rank(Frame& frame, const game::MoveList& moves, std::uint32_t mover,
                     std::optional<std::uint64_t> table_move, const KindTable* kinds) const {
    fill(frame, moves);
    for (Ranked& entry : frame.order) {
        if (entry.id == table_move)
            entry.rank = table_rank;
        else if (kinds != nullptr && kinds->is_loud(frame.kinds[entry.index]))
            entry.rank = loud_rank(kinds->share(frame.kinds[entry.index]));
        else if (entry.id == frame.killers[0])
            entry.rank = killer_rank + 1;
        else if (entry.id == frame.killers[1])
            entry.rank = killer_rank;
        else
            entry.rank = quiet_rank + history_[slot(mover, entry.id)];
    }
    const auto first = std::min_element(frame.order.begin(), frame.order.end(), tried_before);
    if (first != frame.order.end()) std::iter_swap(first, frame.order.begin());
}

const Ranked& MoveOrder::pick(Frame& frame, std::size_t i) {
    if (i == 1) std::sort(frame.order.begin() + 1, frame.order.end(), tried_before);
    return frame.order[i];
}

void MoveOrder::defer(Frame& frame, std::size_t i) {
    const auto at = frame.order.begin() + static_cast<std::ptrdiff_t>(i);
    at->deferred = static_cast<std::uint32_t>(i + frame.deferred);
    std::rotate(at, at + 1, frame.order.end());
    ++frame.deferred;
}

void MoveOrder::reward(Frame& frame, std::uint32_t mover, std::uint64_t move, int remaining) {
    if (frame.killers[0] != move) frame.killers = {move, frame.killers[0]};
    std::uint32_t& history = history_[slot(mover, move)];
    history += static_cast<std::uint32_t>(remaining) * static_cast<std::uint32_t>(remaining);
    if (history >= history_limit) age();
}

void MoveOrder::age() {
    for (auto& history : history_) history /= 2;
}

void MoveOrder::forget() { std::fill(history_.begin(), history_.end(), 0U); }

} // namespace zug::search
