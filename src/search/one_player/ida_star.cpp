#include "search/one_player/ida_star.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace zug::search {

using game::Next;

namespace {

constexpr Rank hopeless{-std::numeric_limits<double>::infinity(), 0};

// What a way back to the position before may still be worth when the search of that position fails too: a line through
// it is worse than the threshold, and takes two plies more than one that comes straight there.
Rank by_way_back(const Rank& threshold) {
    if (threshold.utility > 0) return {threshold.utility, threshold.plies + 3};
    return {std::nextafter(threshold.utility, hopeless.utility), 0};
}

} // namespace

IdaStar::IdaStar(game::Game& game, const Options& options)
    : OnePlayer(game, Method::IdaStar, options), table_(options.table ? options.table_bytes : 0) {}

void IdaStar::search(const Rank& best_possible) {
    table_.clear();
    done_ = false;
    passes_ = table_cuts_ = taken_back_ = 0;
    budget_.visit();
    for (threshold_ = best_possible; !over(); ++passes_) {
        deepened(threshold_.plies);
        const Rank next = visit(0, best_possible).next;
        if (next == hopeless) break;
        threshold_ = next;
    }
    count("passes", passes_);
    count("table cut-offs", table_cuts_);
    count("moves that take back the last", taken_back_);
}

IdaStar::Left IdaStar::visit(int ply, const Rank& possible) {
    Left left{hopeless, hopeless};
    for (Next at = first_child(ply); at != Next::None; at = next_child(ply)) {
        if (at == Next::Fault || !budget_.visit()) return {};
        if (ply > 0 && takes_back(ply + 1)) {
            ++taken_back_;
            left.claim = better_of(left.claim, by_way_back(threshold_));
            continue;
        }
        const Left below = child(ply + 1, possible, at);
        if (over()) return {};
        left = {better_of(left.next, below.next), better_of(left.claim, below.claim)};
    }
    if (table_.keeps() && ply > 0) remember(line_.hash(ply), static_cast<std::uint32_t>(ply), left.claim);
    return left;
}

// The same for the position at `ply` after the last move.
IdaStar::Left IdaStar::child(int ply, const Rank& possible, Next at) {
    const auto plies = static_cast<std::uint32_t>(ply);
    const auto position = look(ply, at);
    if (!position) return {};
    Rank rank = position->rank(plies);
    if (position->end) {
        if (improves(rank)) found(rank, line_to(plies));
        done_ = !better(threshold_, rank);
        return {rank, rank};
    }
    if (promises(position->estimate)) promise(position->estimate, line_to(plies));
    rank = worse_of(rank, possible);
    if (better(threshold_, rank)) return {rank, rank};
    if (const Rank* known = table_.keeps() ? table_.find(line_.hash(ply)) : nullptr) {
        rank = worse_of(rank, end_rank(known->utility, plies + known->plies));
        if (better(threshold_, rank)) {
            ++table_cuts_;
            return {rank, rank};
        }
    }
    if (plies >= std::min<std::uint32_t>(longest(), max_depth)) {
        leave_out(rank);
        return {hopeless, rank};
    }
    return visit(ply, rank);
}

bool IdaStar::takes_back(int ply) {
    const std::uint64_t* const now = line_.words(ply);
    return std::equal(now, now + line_.words(), line_.words(ply - 2));
}

void IdaStar::remember(std::uint64_t key, std::uint32_t plies, const Rank& left) {
    Rank rest = left;
    if (rest.utility > 0) rest.plies -= std::min(plies, rest.plies);
    const std::uint32_t depth = threshold_.plies - std::min(plies, threshold_.plies);
    table_.store(key, rest, depth);
}

} // namespace zug::search
