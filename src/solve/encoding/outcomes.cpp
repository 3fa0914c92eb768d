#include "solve/encoding/outcomes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace zug::solve {

namespace {

constexpr std::uint32_t both = 3; // sides that can force an end, one bit each; an end that is reached counts as both

} // namespace

Outcomes::Outcomes(const std::set<Payoffs>& ends, const game::Traits& traits, bool cycles, Ties ties)
    : players_(traits.players), first_side_(traits.first_side), cycles_(cycles) {
    const Payoffs nothing(players_, 0.0);
    for (const Payoffs& payoffs : ends)
        if (!cycles || payoffs != nothing) payoffs_.push_back(payoffs);
    if (cycles) {
        const auto at = std::ranges::lower_bound(payoffs_, nothing);
        first_draw_ = static_cast<std::uint32_t>(at - payoffs_.begin());
        payoffs_.insert(at, draws, nothing);
    }
    remoteness_bits_ = 16 - std::min(16U, static_cast<unsigned>(std::bit_width(payoffs_.size() - 1)));
    choices_.resize(std::size_t{players_} * size());
    for (std::uint32_t player = 0; player < players_; ++player) rank(player, ties);
}

void Outcomes::rank(std::uint32_t player, Ties ties) {
    const auto worth = [&](std::uint32_t outcome) {
        const double own = utility(outcome, player);
        const double all = std::accumulate(payoffs_[outcome].begin(), payoffs_[outcome].end(), 0.0);
        return std::tuple(own, ties == Ties::Kind ? all - own : own - all, payoffs_[outcome]);
    };
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, worth);
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && payoffs_[order[i]] != payoffs_[order[i - 1]]) ++rank;
        choices_[std::size_t{player} * size() + order[i]] = {rank << remoteness_bits_, utility(order[i], player) >= 0};
    }
}

std::optional<std::uint32_t> Outcomes::find(std::span<const double> payoffs) const {
    const Payoffs sought(payoffs.begin(), payoffs.end());
    const auto at = std::ranges::lower_bound(payoffs_, sought);
    if (at == payoffs_.end() || *at != sought) return std::nullopt;
    const auto outcome = static_cast<std::uint32_t>(at - payoffs_.begin());
    return is_drawn(outcome) ? drawn(both) : outcome;
}

Result Outcomes::best(std::uint32_t player, std::span<const Result> results) const {
    Result best = results.front();
    std::uint32_t most = preference(player, best);
    for (const Result result : results.subspan(1))
        if (const std::uint32_t other = preference(player, result); other > most) {
            most = other;
            best = result;
        }
    return best;
}

std::optional<Result> Outcomes::derive(std::uint32_t mover, std::span<const Result> successors) const {
    Result chosen = best(mover, successors);
    if (is_drawn(outcome(chosen))) {
        // The mover can force an end by one move, the other side only if all moves allow it. A move that loses for the
        // mover is an end that the other side may force, too.
        std::uint32_t by_some = 0, by_all = both;
        for (const Result result : successors) {
            const std::uint32_t there = outcome(result);
            const std::uint32_t forces = is_drawn(there) ? forced_by(there) : utility(there, 0) > 0 ? 1U : 2U;
            by_some |= forces;
            by_all &= forces;
        }
        const std::uint32_t own = 1U << side(mover);
        const std::uint32_t forced = (by_some & own) | (by_all & ~own);
        if (forced == 0) return repetition();
        chosen = pack(drawn(forced), remoteness(chosen));
    }
    if (remoteness(chosen) == most_remoteness()) return std::nullopt;
    return static_cast<Result>(chosen + 1);
}

} // namespace zug::solve
