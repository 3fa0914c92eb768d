#include "solve/tier_graph.hpp"

#include <algorithm>

namespace zug::solve {

tl::expected<TierGraph, game::Error> TierGraph::of(Crew& crew, const PositionCode& code, const Tier& tier) {
    TierGraph graph;
    std::array<Key, block_keys> room;
    graph.index_ = ResultTable<Place>(tier.keys.size());
    for (std::size_t b = 0; b < tier.keys.blocks(); ++b)
        for (const Key key : tier.keys.block(b, room)) {
            graph.index_.insert(graph.index_.place(key), key, static_cast<Place>(graph.keys_.size()));
            graph.keys_.push_back(key);
        }
    struct Part {
        std::vector<Place> to;
        std::vector<std::uint32_t> count; // by position
        std::string error;
    };
    std::vector<Part> parts((graph.size() + block_keys - 1) / block_keys);
    crew.share(parts.size(), [&](std::size_t thread, std::size_t p) {
        Part& part = parts[p];
        std::vector<Key> successors;
        for (std::size_t i = p * block_keys; i < std::min(graph.size(), (p + 1) * block_keys); ++i) {
            successors.clear();
            crew.walker(thread).expand(graph.keys_[i], successors);
            if (crew.walker(thread).kind() == game::NodeKind::Fault) part.error = crew.walker(thread).error();
            const std::size_t before = part.to.size();
            for (const Key to : successors)
                if (code.tier(to) == tier.number) part.to.push_back(graph.place(to));
            part.count.push_back(static_cast<std::uint32_t>(part.to.size() - before));
        }
    });
    graph.first_.assign(1, 0);
    for (const Part& part : parts) {
        if (!part.error.empty()) return tl::unexpected(game::Error{part.error});
        for (const std::uint32_t count : part.count) graph.first_.push_back(graph.first_.back() + count);
        graph.to_.insert(graph.to_.end(), part.to.begin(), part.to.end());
    }
    graph.put_in_order();
    return graph;
}

void TierGraph::put_in_order() {
    // The moves the other way about.
    std::vector<std::uint64_t> first_before(size() + 1, 0);
    for (const Place to : to_) ++first_before[to + 1];
    for (std::size_t i = 0; i < size(); ++i) first_before[i + 1] += first_before[i];
    std::vector<Place> before(to_.size());
    std::vector<std::uint64_t> next(first_before.begin(), first_before.end() - 1);
    std::vector<std::uint32_t> open(size());
    for (Place i = 0; i < size(); ++i) {
        open[i] = static_cast<std::uint32_t>(first_[i + 1] - first_[i]);
        for (std::uint64_t m = first_[i]; m < first_[i + 1]; ++m) before[next[to_[m]]++] = i;
        if (open[i] == 0) order_.push_back(i);
    }
    for (std::size_t begin = 0; begin < order_.size();) {
        const std::size_t end = order_.size();
        ends_.push_back(end);
        for (; begin < end; ++begin)
            for (std::uint64_t m = first_before[order_[begin]]; m < first_before[order_[begin] + 1]; ++m)
                if (--open[before[m]] == 0) order_.push_back(before[m]);
    }
    for (Place i = 0; i < size(); ++i)
        if (open[i] != 0) circling_.push_back(i);
}

Place TierGraph::on_circle() const {
    // Every one of them has a successor among them, so that whoever follows these comes round in the end.
    const auto circles = [&](Place i) { return std::ranges::binary_search(circling_, i); };
    std::vector<bool> met(size());
    Place at = circling_.front();
    while (!met[at]) {
        met[at] = true;
        at = *std::find_if(to_.begin() + static_cast<std::ptrdiff_t>(first_[at]), to_.end(), circles);
    }
    return at;
}

} // namespace zug::solve
