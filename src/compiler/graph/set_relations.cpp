// Relations that are known between two nodes: subset and disjointness of sets, inequality of words.

#include "compiler/graph/value_graph.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

// By the values of planes, and by what the sets are made of.
bool ValueGraph::known_subset(NodeRef set, NodeRef other) const {
    int left = 64; // nodes to look at: what they share may be met many times
    const auto keeps_fewer = [&](NodeRef fewer, NodeRef more) {
        return is_constant(fewer) && is_constant(more) &&
               std::ranges::equal((*this)[fewer].value, (*this)[more].value,
                                  [](std::uint64_t a, std::uint64_t b) { return (a & ~b) == 0; });
    };
    const auto is_in = [&](const auto& self, NodeRef part, NodeRef whole) -> bool {
        if (part == whole) return true;
        if (--left < 0) return false;
        const Node &n = (*this)[part], &w = (*this)[whole];
        if (n.map != 0 && n.map == w.map) return (n.values & ~w.values) == 0;
        switch (n.family) {
        case Family::And: return self(self, n.in[0], whole) || self(self, n.in[1], whole);
        case Family::Or: return self(self, n.in[0], whole) && self(self, n.in[1], whole);
        case Family::AndNot: return self(self, n.in[0], whole);
        case Family::ShlAnd:
        case Family::ShrAnd: {
            // Fewer members moved as far, to fewer sites: the steps of a path after which another can follow.
            const bool alike = w.family == n.family && w.imm == n.imm && keeps_fewer(n.in[1], w.in[1]);
            return (alike && self(self, n.in[0], w.in[0])) || self(self, n.in[1], whole);
        }
        default: return false;
        }
    };
    return is_in(is_in, set, other);
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
