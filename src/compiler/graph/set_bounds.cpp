// Set bounds: a constant superset of each set, computed from those of its inputs. An intersection of sets with disjoint
// supersets is empty, and is not built.

#include "compiler/graph/value_graph.hpp"

#include <cstdlib>

namespace zug::run {
namespace {

using Words = std::vector<std::uint64_t>;

// An empty list of words: no superset is known. It is neither disjoint from another nor a subset of it.
bool are_disjoint(const Words& a, const Words& b) {
    if (a.empty() || a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if ((a[k] & b[k]) != 0) return false;
    return true;
}
bool is_subset(const Words& a, const Words& b) {
    if (a.empty() || a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if ((a[k] & ~b[k]) != 0) return false;
    return true;
}
// Up, or by a negative distance down; empty of an empty list.
Words shifted(const Words& a, std::int64_t distance) {
    const auto size = static_cast<std::int64_t>(a.size()), n = std::abs(distance), words = n / 64, bits = n % 64;
    const auto word = [&](std::int64_t k) { return k >= 0 && k < size ? a[static_cast<std::size_t>(k)] : 0; };
    Words result;
    for (std::int64_t k = 0; k < size; ++k) {
        const std::int64_t from = distance > 0 ? k - words : k + words;
        const std::uint64_t next = bits == 0 ? 0 : word(distance > 0 ? from - 1 : from + 1);
        result.push_back(distance > 0 ? word(from) << bits | next >> (64 - bits) % 64
                                      : word(from) >> bits | next << (64 - bits) % 64);
    }
    return result;
}
Words intersection(Words a, const Words& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    for (std::size_t k = 0; k < a.size(); ++k) a[k] &= b[k];
    return a;
}

} // namespace

const Words& ValueGraph::superset(NodeRef n) const {
    const Node& node = (*this)[n];
    return node.family == Family::Constant ? node.value : node.superset;
}

NodeRef ValueGraph::note_superset(Node& node) {
    const auto in = [&](std::size_t k) -> const Words& { return superset(node.in[k]); };
    switch (node.family) {
    case Family::And: node.superset = intersection(in(0), in(1)); break;
    case Family::AndNot:
        node.superset = in(0);
        if (is_constant(node.in[1]) && !node.superset.empty())
            for (std::size_t k = 0; k < node.superset.size(); ++k) node.superset[k] &= ~in(1)[k];
        break;
    case Family::ShlAnd:
    case Family::ShrAnd:
        node.superset = intersection(shifted(in(0), node.family == Family::ShlAnd ? node.imm : -node.imm), in(1));
        break;
    case Family::Bcast: node.superset = in(1); break;
    case Family::Or:
        if (in(0).empty() || in(1).empty()) break;
        node.superset = in(0);
        for (std::size_t k = 0; k < node.superset.size(); ++k) node.superset[k] |= in(1)[k];
        break;
    case Family::WordsAbove:
    case Family::BytesAbove:
        node.superset.assign(node.width, 0);
        for (std::int32_t v = 0; v < node.imm; ++v)
            node.superset[static_cast<std::size_t>(v) / 64] |= std::uint64_t{1} << (v % 64);
        break;
    case Family::Image: {
        const Words& rows = code_.tables.sets[node.extra];
        node.superset.assign(node.width, 0);
        for (std::size_t k = 0; k < rows.size(); ++k) node.superset[k % node.width] |= rows[k];
        break;
    }
    default: break;
    }
    return no_node;
}

bool ValueGraph::is_bounded_by(NodeRef set, NodeRef constant) const {
    return is_constant(constant) && is_subset(superset(set), superset(constant));
}

NodeRef ValueGraph::and_bounded(NodeRef a, NodeRef b) {
    if (known_subset(a, b) || is_bounded_by(a, b)) return a;
    if (known_subset(b, a) || is_bounded_by(b, a)) return b;
    // a & (c - d) = a - d, if c is constant and contains a.
    for (auto [x, y] : {std::pair{std::max(a, b), std::min(a, b)}, std::pair{std::min(a, b), std::max(a, b)}})
        if (const Node& n = (*this)[x]; n.family == Family::AndNot && is_bounded_by(y, n.in[0]))
            return and_not(y, n.in[1]);
    return are_disjoint(superset(a), superset(b)) ? set(Words(width(a), 0)) : no_node;
}

NodeRef ValueGraph::or_bounded(NodeRef a, NodeRef b) {
    if (known_subset(a, b) || is_bounded_by(a, b)) return b;
    if (known_subset(b, a) || is_bounded_by(b, a)) return a;
    return no_node;
}

NodeRef ValueGraph::minus_bounded(NodeRef a, NodeRef b) {
    if (known_disjoint(a, b) || are_disjoint(superset(a), superset(b))) return a;
    const auto covers = [&](NodeRef whole) { return known_subset(a, whole) || is_bounded_by(a, whole); };
    if (covers(b)) return set(Words(width(a), 0));
    // a - (c - d) = a & d, if c contains a.
    if (const Node n = (*this)[b]; n.family == Family::AndNot && covers(n.in[0])) return and_(a, n.in[1]);
    return no_node;
}

} // namespace zug::run
