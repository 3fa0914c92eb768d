// How the threads of one search share its work: each defers the moves that another one is searching, and takes from the
// table what others have found meanwhile. Close to the leaves that costs more than it saves.

#include "search/alpha_beta/alpha_beta.hpp"

namespace zug::search {

namespace {
constexpr int least_to_share = 3; // plies that must remain
constexpr int least_to_look = 4;  // the same, for a look at what others have found
} // namespace

// All threads search the first move together: it is the one that most likely makes the others short.
bool AlphaBeta::shares_work(std::size_t i, int remaining) const {
    return under_way_ != nullptr && i > 0 && remaining >= least_to_share && !walks_;
}

const Ranked& AlphaBeta::to_try(int ply, std::size_t i, int remaining) {
    const Ranked* move = &ranked(ply, i);
    if (!shares_work(i, remaining) || options_.plausible != 0) return *move;
    Frame& frame = frames_[ply];
    while (i + 1 + frame.deferred < frame.order.size() && under_way_->contains(work(ply, i, remaining))) {
        MoveOrder::defer(frame, i);
        move = &frame.order[i];
    }
    return *move;
}

std::optional<Claim> AlphaBeta::found_meanwhile(int ply, std::size_t i, int remaining, Window window) {
    if (!shares_work(i, remaining) || remaining < least_to_look || ply <= uncut_ply_) return std::nullopt;
    const auto entry = table_->find(frames_[ply].key);
    const auto found = entry ? answer(*entry, remaining, window) : std::nullopt;
    if (found) ++hits_;
    return found;
}

void AlphaBeta::begin_work(int ply, std::size_t i, int remaining) {
    if (shares_work(i, remaining)) under_way_->enter(work(ply, i, remaining));
}

void AlphaBeta::end_work(int ply, std::size_t i, int remaining) {
    if (shares_work(i, remaining)) under_way_->leave(work(ply, i, remaining));
}

} // namespace zug::search
