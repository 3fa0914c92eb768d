// Secondary search (Greenblatt, Eastlake and Crocker, "The Greenblatt chess program", 1967): a look beyond the horizon
// of the line that a search has chosen. When the search is done, its best line is searched some plies further from its
// end. If its move turns out to be worse than before, the other moves are searched to the depth of the main search; the
// best of them is made if it is worth more than that, before and after a look beyond its own line.
//
// Only where the value is not proven. Where nodes or time are limited the main search has four fifths of them. The
// value of a move that was chosen in this way is that of the main search's depth. Cost: two searches of a few plies,
// and where the best move gets worse another search of the root with a lower bound.

#include "search/alpha_beta/alpha_beta.hpp"
#include "search/core/leaf.hpp"

namespace zug::search {

using game::Next;

std::optional<double> AlphaBeta::value_beyond(std::span<const std::uint64_t> line) {
    int ply = 0;
    for (const std::uint64_t move : line) {
        key(ply); // of the line of play, for those who look for repetitions
        if (!advance(ply, move)) return std::nullopt;
        ++ply;
    }
    const bool same_view = side(ply) == side(0);
    const Claim claim = node(ply, options_.secondary, full_window, Next::Unknown);
    if (budget_.stopped()) return std::nullopt;
    return same_view ? claim.value : -claim.value;
}

AlphaBeta::Decision AlphaBeta::second_best(int depth, std::uint64_t best, double alpha) {
    Decision found;
    key(0);
    if (line_.list(0) != game::NodeKind::Decision) return found;
    if (options_.ordering && has_loud_) tell_kinds(0);
    rank(0, std::nullopt);
    for (std::size_t i = 0; i < frames_[0].order.size(); ++i) {
        const Ranked move = ranked(0, i);
        if (move.id == best) continue;
        const Claim claim = scout(0, depth, {alpha, infinity}, descend(0, move.index));
        if (budget_.stopped()) break;
        alpha = take(0, found, claim, alpha);
    }
    return found;
}

void AlphaBeta::search_on(Result& result) {
    uncut_ply_ = 0;
    const double value = in_view(0, result.value[maximiser_]);
    const auto beyond = value_beyond(result.pv_ids);
    if (!beyond || *beyond >= value) return;
    const Decision second = second_best(result.depth, result.pv_ids.front(), *beyond);
    if (budget_.stopped() || !second.move || second.claim.value <= *beyond) return;
    const std::vector<std::uint64_t> line = frames_[0].pv;
    const auto beyond_second = value_beyond(line);
    if (!beyond_second || *beyond_second <= *beyond) return;
    ++revised_;
    result.pv_ids = line;
    share_out(in_view(0, second.claim.value), allies_, result.value);
    for (double& v : result.value) v += 0.0; // no -0
}

} // namespace zug::search
