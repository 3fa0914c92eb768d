// Relations that are known between two nodes: subset and disjointness of sets, inequality of words.

#include "compiler/graph/value_graph.hpp"

#include <utility>

namespace zug::run {
bool ValueGraph::known_subset(NodeRef set, NodeRef other) const {
    if (set == other) return true;
    const Node& n = (*this)[set];
    if (n.map != 0 && n.map == (*this)[other].map) return (n.values & ~(*this)[other].values) == 0;
    switch (n.family) {
    case Family::And: return known_subset(n.in[0], other) || known_subset(n.in[1], other);
    case Family::AndNot: return known_subset(n.in[0], other);
    case Family::ShlAnd:
    case Family::ShrAnd: return known_subset(n.in[1], other);
    default: return false;
    }
}

bool ValueGraph::known_unequal(NodeRef a, NodeRef b) const {
    // A word as the sum of another word and a constant.
    const auto parts = [&](NodeRef n) {
        const Node& node = (*this)[n];
        if (node.family == Family::Constant) return std::pair{no_node, constant_word(n)};
        if (node.family == Family::Add && is_constant(node.in[1]))
            return std::pair{node.in[0], constant_word(node.in[1])};
        return std::pair{n, std::int64_t{0}};
    };
    for (const auto& [x, y] : unequal_)
        if ((x == a && y == b) || (x == b && y == a)) return true;
    const auto [base_a, off_a] = parts(a);
    const auto [base_b, off_b] = parts(b);
    return base_a == base_b && off_a != off_b;
}

// By the values of planes, or because the set is a part of a difference that removes `other`.
bool ValueGraph::known_disjoint(NodeRef set, NodeRef other) const {
    const Node& n = (*this)[set];
    if (n.map != 0 && n.map == (*this)[other].map) return (n.values & (*this)[other].values) == 0;
    if (n.family == Family::AndNot) return n.in[1] == other || known_disjoint(n.in[0], other);
    if (n.family == Family::And) return known_disjoint(n.in[0], other) || known_disjoint(n.in[1], other);
    return false;
}

} // namespace zug::run
