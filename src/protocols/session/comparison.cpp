#include "protocols/session/comparison.hpp"

#include "base/stop_flag.hpp"

#include <algorithm>
#include <utility>

namespace zug::protocols {

Comparison::Comparison(match::Player& player, game::Game& game, const game::State& root, const game::MoveList& moves,
                       std::vector<std::size_t> candidates)
    : player_(player), game_(game), root_(root), moves_(moves) {
    for (const std::size_t move : candidates) candidates_.push_back({.move = move, .after = {}, .line = {}});
}

tl::expected<void, Error> Comparison::make_moves() {
    for (Candidate& candidate : candidates_) {
        if (!game_.successor(root_, moves_, candidate.move, candidate.after)) return failure(game_.fault_text());
        if (game_.kind(candidate.after) != game::NodeKind::Terminal) continue;
        candidate.over = true;
        search::Result end;
        end.pv_ids = {moves_.id(candidate.move)};
        end.value.resize(game_.players());
        end.depth = 1;
        end.exact = true;
        if (!game_.payoffs(candidate.after, end.value)) return failure(game_.fault_text());
        candidate.line = line_of(game_, root_, std::move(end));
    }
    return {};
}

search::Limits Comparison::rest(const search::Limits& limits, int depth) const {
    constexpr std::uint64_t first_nodes = 200;
    constexpr double least = 1e-3;
    search::Limits part;
    part.stop = limits.stop;
    part.write_line = false;
    part.depth = depth - 1;
    if (limits.seconds > 0) part.seconds = std::max(least, limits.seconds - seconds());
    if (limits.nodes != 0) part.nodes = limits.nodes - std::min(limits.nodes - 1, findings_.nodes);
    if (to_depths_) return part;
    const std::uint64_t growing = first_nodes << std::min(depth, 40);
    part.nodes = part.nodes == 0 ? growing : std::min(part.nodes, growing);
    return part;
}

// Whether the search came to its depth; then its line is the candidate's.
tl::expected<bool, Error> Comparison::look(Candidate& candidate, const search::Limits& limits) {
    auto found = player_.analyse(candidate.after, limits);
    if (!found) return false;
    findings_.nodes += found->nodes;
    if (found->deepest > 0) findings_.deepest = std::max(findings_.deepest, found->deepest + 1);
    findings_.table_share = found->table_share;
    if (!found->fault.empty()) return failure(found->fault);
    const bool stopped = is_set(limits.stop) || (!found->complete && to_depths_);
    if (found->value.empty() || (stopped && !candidate.line.value.empty())) return false;
    found->pv_ids.insert(found->pv_ids.begin(), moves_.id(candidate.move));
    ++found->depth;
    candidate.line = line_of(game_, root_, std::move(*found));
    return !stopped;
}

// Whether all of the candidates were searched to this depth.
tl::expected<bool, Error> Comparison::pass(const search::Limits& limits, int depth) {
    for (Candidate& candidate : candidates_) {
        if (candidate.over || candidate.line.exact) continue;
        const auto done = look(candidate, rest(limits, depth));
        if (!done || !*done) return done;
    }
    return true;
}

void Comparison::sort() {
    const std::uint32_t mover = game_.to_move(root_);
    const auto value = [&](const Candidate& candidate) {
        return candidate.line.value.empty() ? game_.traits().min_utility : candidate.line.value[mover];
    };
    std::ranges::stable_sort(candidates_, [&](const auto& a, const auto& b) { return value(a) > value(b); });
}

tl::expected<std::vector<std::size_t>, Error> Comparison::run(const search::Limits& limits, std::size_t lines,
                                                              const std::function<void(const Findings&)>& tell) {
    if (auto made = make_moves(); !made) return tl::unexpected(made.error());
    search::Limits one_node;
    one_node.nodes = 1;
    one_node.stop = limits.stop;
    one_node.write_line = false;
    const auto probe = player_.analyse(root_, one_node);
    to_depths_ = !probe || probe->method != search::Method::MonteCarlo;
    const int last = limits.depth == search::unlimited_depth ? search::max_depth : limits.depth;
    for (int depth = 1; depth <= std::max(last, 1); ++depth) {
        const auto all = pass(limits, depth);
        if (!all) return tl::unexpected(all.error());
        // Values of an unfinished pass stand beside those of the one before: both are as good as can be had.
        sort();
        findings_.lines.clear();
        findings_.seconds = seconds();
        for (const Candidate& candidate : candidates_)
            if (!candidate.line.value.empty() && findings_.lines.size() < lines)
                findings_.lines.push_back(candidate.line);
        tell(findings_);
        const bool proven = std::ranges::all_of(candidates_, [](const auto& c) { return c.line.exact; });
        const bool enough = limits.enough_seconds > 0 && seconds() >= limits.enough_seconds;
        const bool out_of_nodes = limits.nodes != 0 && findings_.nodes >= limits.nodes;
        if (!*all || proven || enough || out_of_nodes || is_set(limits.stop)) break;
    }
    std::vector<std::size_t> order;
    for (const Candidate& candidate : candidates_) order.push_back(candidate.move);
    return order;
}

} // namespace zug::protocols
