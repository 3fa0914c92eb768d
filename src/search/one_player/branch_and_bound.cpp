#include "search/one_player/branch_and_bound.hpp"

#include <algorithm>
#include <tuple>

namespace zug::search {

using game::Next;
using game::NodeKind;

BranchAndBound::BranchAndBound(game::Game& game, const Options& options)
    : OnePlayer(game, Method::BranchAndBound, options), met_(options.table ? options.table_bytes : 0) {}

void BranchAndBound::search(const Rank& best_possible) {
    met_.clear();
    improvements_ = bound_cuts_ = repeated_ = 0;
    budget_.visit();
    met_before(0, best_possible);
    visit(0, best_possible);
    count("improvements", improvements_);
    count("cut-offs by bound", bound_cuts_);
    count("positions met before", repeated_);
}

void BranchAndBound::visit(int ply, const Rank& possible) {
    const auto at_ply = static_cast<std::size_t>(ply);
    if (children_.size() <= at_ply) children_.resize(at_ply + 1);
    std::vector<Child>& children = children_[at_ply];
    if (!look_at_children(ply, possible, children)) return;
    for (const Child& child : children) {
        if (!improves(child.rank)) { // nor do those after it
            ++bound_cuts_;
            return;
        }
        if (line_.make(ply, child.index) == Next::Fault) return rule_failed();
        if (met_before(ply + 1, child.rank)) {
            ++repeated_;
            continue;
        }
        if (static_cast<std::uint32_t>(ply) + 1 >= std::min<std::uint32_t>(longest(), max_depth))
            leave_out(child.rank);
        else
            visit(ply + 1, child.rank);
        if (stopped()) return;
    }
}

// The open positions after the moves, the best first; of equal ones that of the greatest evaluation, then the least id.
// False: the search is over.
bool BranchAndBound::look_at_children(int ply, const Rank& possible, std::vector<Child>& children) {
    children.clear();
    if (line_.list(ply) == NodeKind::Fault) {
        rule_failed();
        return false;
    }
    const auto plies = static_cast<std::uint32_t>(ply) + 1;
    for (std::uint32_t i = 0; i < line_.moves(ply).size(); ++i) {
        if (!budget_.visit()) return false;
        const auto position = look(ply + 1, line_.make(ply, i));
        if (!position) return false;
        const Rank rank = position->rank(plies);
        if (position->end) {
            if (!improves(rank)) continue;
            found(rank, line_to(plies));
            ++improvements_;
            continue;
        }
        if (promises(position->estimate)) promise(position->estimate, line_to(plies));
        children.push_back({worse_of(rank, possible), opinion(ply + 1), line_.moves(ply).id(i), i});
    }
    std::ranges::sort(children, [](const Child& a, const Child& b) {
        if (a.rank != b.rank) return better(a.rank, b.rank);
        return a.opinion != b.opinion ? a.opinion > b.opinion : a.id < b.id;
    });
    return true;
}

bool BranchAndBound::met_before(int ply, const Rank& rank) {
    const auto plies = static_cast<std::uint32_t>(ply);
    const std::uint64_t key = line_.hash(ply);
    path_.resize(plies);
    const Rank* const known = met_.find(key);
    // Where nothing is to be gained the way there does not matter.
    if (known != nullptr && (known->plies <= plies || rank.utility <= 0)) {
        const bool goes_round = known->plies < plies && path_[known->plies] == key;
        if (goes_round && improves(endless)) found(endless, line_to(plies));
        return true;
    }
    path_.push_back(key);
    // Those near the root have the most below them.
    met_.store(key, {0, plies}, UINT32_MAX - plies);
    return false;
}

} // namespace zug::search
