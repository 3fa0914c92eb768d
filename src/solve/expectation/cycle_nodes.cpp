#include "solve/expectation/cycle_nodes.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::uint64_t nodes_together = 1 << 12;

PositionIndex take_first(std::span<const PositionIndex>& indices) {
    const PositionIndex first = indices.front();
    indices = indices.subspan(1);
    return first;
}

class NodeFinder {
public:
    explicit NodeFinder(const NodeTask& task)
        : pool_(task.pool), code_(task.code), expected_(task.expected), tier_(task.tier), graph_(task.graph),
          values_(task.values) {}

    // `indices` ascend.
    void add(std::span<const PositionIndex> indices, Cycles& cycles) {
        std::vector<Cycles::Part> parts((indices.size() + block_keys - 1) / block_keys);
        pool_.share(parts.size(), [&](std::size_t thread, std::size_t p) {
            const auto own = indices.subspan(p * block_keys);
            values_.each(tier_, own.first(std::min(own.size(), block_keys)),
                         [&](Key key, PositionIndex index) { add(thread, key, index, parts[p]); });
        });
        for (const Cycles::Part& part : parts) cycles.append(part);
    }

private:
    void add(std::size_t thread, Key key, PositionIndex index, Cycles::Part& part) {
        if (!values_.expand(thread, key, graph_.after(index))) return;
        const TierValues::Buffer& buffer = values_.buffer(thread);
        const Walker& walker = values_.walker(thread);
        const bool chance = values_.is_chance(thread);
        using Choice = Cycles::Choice;
        Cycles::Node node;
        node.index = index;
        node.orbit = walker.orbit();
        node.choice = chance ? Choice::Mean : expected_.is_first(walker.mover()) ? Choice::Most : Choice::Least;
        if (chance) node.rounding = expected_.rounding(buffer.successors.size());
        auto inner = graph_.after(index);
        for (std::size_t i = 0; i < buffer.successors.size(); ++i) {
            const double probability = chance ? buffer.probabilities[i] : 1;
            if (code_.tier(buffer.successors[i]) == code_.tier(key))
                if (const PositionIndex to = take_first(inner); graph_.cycles(to)) {
                    part.moves.push_back({to, probability});
                    ++node.moves;
                    continue;
                }
            const double worth = probability * buffer.values[0][i];
            node.outside = node.leaves ? Cycles::join(node.choice, node.outside, worth) : worth;
            node.leaves = true;
        }
        part.nodes.push_back(node);
    }

    WalkerPool& pool_;
    const PositionCode& code_;
    const ExpectedValues& expected_;
    const Tier& tier_;
    const TierGraph& graph_;
    TierValues& values_;
};

} // namespace

std::uint64_t add_nodes(const NodeTask& task, Cycles& cycles) {
    const TierGraph& graph = task.graph;
    NodeFinder finder(task);
    std::vector<PositionIndex> indices;
    std::uint64_t all = 0;
    for (PositionIndex i = 0; i <= graph.size() && !task.values.error().any(); ++i) {
        if (i < graph.size() && graph.cycles(i)) indices.push_back(i);
        if (indices.empty() || (i < graph.size() && indices.size() < nodes_together)) continue;
        finder.add(indices, cycles);
        all += indices.size();
        indices.clear();
    }
    return all;
}

} // namespace zug::solve
