// The move that playouts prefer may lose by force in a few plies, which only the few playouts that happen to follow the
// line tell (R. Ramanujan, A. Sabharwal, B. Selman, "On adversarial search spaces and sampling-based planning", 2010).
// Alpha-beta sees that at once. What it proves of the move becomes part of the tree, as if playouts had proven it, and
// the move that is then the best is looked at in turn: in the midst of the search, when there is time to find another,
// and at its end (H. Baier, M. Winands, "Monte-Carlo tree search and minimax hybrids", 2013).

#include "base/stop_flag.hpp"
#include "search/monte_carlo/monte_carlo.hpp"

#include <algorithm>
#include <chrono>

namespace zug::search {

namespace {

constexpr std::uint64_t least_nodes = 50;
constexpr double least_seconds = 2e-3;
constexpr double share_before_looks = 0.5;
constexpr double share_of_looks = 0.5, share_of_playouts = 0.02; // of what is left

bool is_enough(const Limits& limits) {
    return (limits.nodes == 0 || limits.nodes >= least_nodes) &&
           (limits.seconds <= 0 || limits.seconds >= least_seconds);
}

Limits least_of(Limits limits, const Limits& other) {
    limits.nodes = std::min(limits.nodes, other.nodes);
    limits.seconds = std::min(limits.seconds, other.seconds);
    return limits;
}

} // namespace

bool MonteCarlo::checks(const Limits& limits) const {
    const bool limited = limits.nodes != 0 || limits.seconds > 0 || limits.enough_seconds > 0;
    return checker_ && options_.proof && !limits.turn && limited && is_enough(part_of(limits, options_.check / 2));
}

void MonteCarlo::search_and_check(const game::State& root, NodeId at, const Limits& limits, Result& result) {
    const auto begin = std::chrono::steady_clock::now();
    const auto left = [&] {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        return rest_of(limits, result.nodes, taken.count());
    };
    const Limits look = part_of(limits, options_.check / 2), half = part_of(limits, share_before_looks);
    search(at, rest_of(limits, half.nodes, half.seconds), result);
    describe(at, result);
    check_choice(root, at, part_of(left(), share_of_looks), look, result);
    if (result.exact || !result.fault.empty()) return;
    search(at, rest_of(left(), look.nodes, look.seconds), result);
    describe(at, result);
    check_choice(root, at, left(), look, result);
}

// `limits`: of all looks and the playouts between them; `look`: of each.
void MonteCarlo::check_choice(const game::State& root, NodeId at, const Limits& limits, const Limits& look,
                              Result& result) {
    Limits left = limits;
    while (!result.exact && result.fault.empty() && is_enough(left) && !is_set(limits.stop)) {
        const Edge* const best = best_edge(at);
        if (best == nullptr || Tree::closed(*best)) return;
        const Result found = look_after(root, best->id, least_of(left, look));
        result.nodes += found.nodes;
        left = rest_of(left, found.nodes, found.seconds);
        if (!found.exact) return;
        note_proof(at, tree_->child(*best), found);
        if (is_enough(left)) {
            const Limits more = part_of(left, share_of_playouts);
            left = rest_of(left, more.nodes, more.seconds);
            search(at, more, result);
        }
        describe(at, result);
    }
}

Result MonteCarlo::look_after(const game::State& root, std::uint64_t move, const Limits& limits) {
    game::MoveList moves;
    game::State next;
    game_.expand(root, moves);
    const auto index = moves.find(move);
    Result found;
    if (index && game_.successor(root, moves, *index, next)) {
        Limits own = limits;
        own.write_line = false;
        found = checker_->run(next, own);
    }
    game_.clear_fault(); // the tree has none there, or meets it, too
    return found;
}

void MonteCarlo::note_proof(NodeId at, NodeId child, const Result& proof) {
    for (std::uint32_t k = 0; k < utilities_.stored(); ++k) {
        raise_to(tree_->lower(child)[k], proof.value[k]);
        lower_to(tree_->upper(child)[k], proof.value[k]);
    }
    store((*tree_)[child].height, static_cast<std::uint16_t>(proof.depth));
    update_bounds(*tree_, at, utilities_);
}

} // namespace zug::search
