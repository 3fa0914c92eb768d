#pragma once
// Random games of two players whose positions may come again, and what can be forced in them.

#include "games.hpp"
#include "search/core/result.hpp"

#include <doctest/doctest.h>

#include <array>

namespace zug::test {

// From `fewest` nodes on, one of `sizes` numbers of them, with payoffs -1, 0 and 1; any node may lead to any other.
inline std::vector<GraphNode> random_cyclic_nodes(Random& random, std::size_t fewest, std::uint32_t sizes) {
    std::vector<GraphNode> nodes(fewest + random.below(sizes));
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        GraphNode& node = nodes[n];
        node.mover = random.below(2);
        const double value = random.below(3) - 1.0;
        node.values = {value, 0.0 - value};
        if (n != 0 && random.below(4) == 0) continue;
        node.kind = NodeKind::Decision;
        for (std::uint32_t i = 1 + random.below(3); i > 0; --i) {
            node.children.push_back(random.below(static_cast<std::uint32_t>(nodes.size())));
            node.codes.push_back(i);
        }
    }
    return nodes;
}

// The greatest value that each player can force from the first node, in finitely many plies; at least -1.
inline std::array<double, 2> forced_values(const std::vector<GraphNode>& nodes) {
    std::array<double, 2> forced{};
    for (const std::uint32_t player : {0U, 1U}) {
        std::vector<double> can(nodes.size(), -1);
        for (bool grown = true; grown;) {
            grown = false;
            for (std::size_t n = 0; n < nodes.size(); ++n) {
                double now = nodes[n].kind == NodeKind::Terminal ? nodes[n].values[player] : -1;
                if (nodes[n].kind != NodeKind::Terminal) {
                    const bool own = nodes[n].mover == player;
                    now = own ? -1 : 1;
                    for (const std::size_t child : nodes[n].children)
                        now = own ? std::max(now, can[child]) : std::min(now, can[child]);
                }
                grown = grown || now > can[n];
                can[n] = std::max(can[n], now);
            }
        }
        forced[player] = can.front();
    }
    return forced;
}

// A search of the game that these nodes make calls exact only what both players can force.
inline void check_forced(const std::vector<GraphNode>& nodes, const search::Result& result) {
    const auto forced = forced_values(nodes);
    const bool decided = forced[0] == -forced[1];
    if (decided && result.exact) CHECK(result.value[0] == forced[0]);
    if (!decided) CHECK_FALSE(result.exact);
}

} // namespace zug::test
