// The operations of Graph that know laws of sets and truths.

#include "compiler/graph/value_graph.hpp"

#include <bit>
#include <cstdlib>
#include <optional>
#include <utility>

namespace zug::run {
namespace {

constexpr std::size_t position(NodeRef n) { return static_cast<std::size_t>(n); }

using Words = std::vector<std::uint64_t>;

constexpr bool is_shift(Family family) { return family == Family::ShlAnd || family == Family::ShrAnd; }

// Sets that nothing is known of are empty lists of words.
bool apart(const Words& a, const Words& b) {
    if (a.empty() || a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if ((a[k] & b[k]) != 0) return false;
    return true;
}
bool part_of(const Words& a, const Words& b) {
    if (a.empty() || a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if ((a[k] & ~b[k]) != 0) return false;
    return true;
}
Words meet(Words a, const Words& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    for (std::size_t k = 0; k < a.size(); ++k) a[k] &= b[k];
    return a;
}

} // namespace

const Words& ValueGraph::inside(NodeRef n) const {
    const Node& node = (*this)[n];
    return node.family == Family::Constant ? node.value : node.inside;
}

void ValueGraph::find_inside(Node& node) const {
    const auto in = [&](std::size_t k) -> const Words& { return inside(node.in[k]); };
    switch (node.family) {
    case Family::And: node.inside = meet(in(0), in(1)); break;
    case Family::AndNot:
        node.inside = in(0);
        if (is_constant(node.in[1]) && !node.inside.empty())
            for (std::size_t k = 0; k < node.inside.size(); ++k) node.inside[k] &= ~in(1)[k];
        break;
    case Family::ShlAnd:
    case Family::ShrAnd:
    case Family::Bcast: node.inside = in(1); break;
    case Family::Or:
        if (in(0).empty() || in(1).empty()) break;
        node.inside = in(0);
        for (std::size_t k = 0; k < node.inside.size(); ++k) node.inside[k] |= in(1)[k];
        break;
    case Family::Image: {
        const Words& rows = code_.tables.sets[node.extra];
        node.inside.assign(node.width, 0);
        for (std::size_t k = 0; k < rows.size(); ++k) node.inside[k % node.width] |= rows[k];
        break;
    }
    default: break;
    }
}

// -- planes

void ValueGraph::are_planes(std::span<const NodeRef> planes, NodeRef universe) {
    if (planes.empty() || planes.size() > 62 || (*this)[planes[0]].map != 0) return;
    const auto map = static_cast<std::uint32_t>(maps_.size() + 1);
    maps_.push_back({(std::uint64_t{2} << planes.size()) - 1, universe, {planes.begin(), planes.end()}});
    for (std::size_t k = 0; k < planes.size(); ++k) {
        Node& node = nodes_[position(planes[k])];
        node.map = map;
        node.values = std::uint64_t{2} << k;
    }
}

// Of the largest unions that are there.
NodeRef ValueGraph::union_of_planes(std::uint32_t map, std::uint64_t values) {
    const Map& of = maps_[map - 1];
    if (values == 0) return set(Words(width(of.universe), 0));
    if (values == of.values) return of.universe;
    NodeRef best = no_node;
    std::uint64_t most = 0;
    for (const NodeRef n : of.unions) {
        const std::uint64_t here = (*this)[n].values;
        if (here == values && visible(n)) return n;
        if ((here & ~values) == 0 && std::popcount(here) > std::popcount(most) && visible(n)) {
            best = n;
            most = here;
        }
    }
    NodeRef result = no_node;
    if ((values & 1) != 0) // what holds the first value is what the planes leave
        result =
            make(Family::AndNot, width(of.universe), {of.universe, union_of_planes(map, of.values & ~values), no_node});
    else
        result = make(Family::Or, width(of.universe), {best, union_of_planes(map, values & ~most), no_node});
    nodes_[position(result)].map = map;
    nodes_[position(result)].values = values;
    maps_[map - 1].unions.push_back(result);
    return result;
}

// Of two unions of planes of one map; no_node: they aren't.
NodeRef ValueGraph::planes_of(NodeRef a, NodeRef b, std::uint64_t (*values)(std::uint64_t, std::uint64_t)) {
    const Node &x = (*this)[a], &y = (*this)[b];
    const std::uint32_t map = x.map != 0 ? x.map : y.map;
    if (map == 0) return no_node;
    const auto meant = [&](NodeRef n) -> std::optional<std::uint64_t> {
        if ((*this)[n].map == map) return (*this)[n].values;
        return n == maps_[map - 1].universe ? std::optional(maps_[map - 1].values) : std::nullopt;
    };
    const auto left = meant(a), right = meant(b);
    return left && right ? union_of_planes(map, values(*left, *right)) : no_node;
}

// -- sets

NodeRef ValueGraph::and_(NodeRef a, NodeRef b) {
    if (a == b) return a;
    if (is_empty(a)) return a;
    if (is_empty(b)) return b;
    if (is_universe(a)) return b;
    if (is_universe(b)) return a;
    const auto common = [](std::uint64_t x, std::uint64_t y) { return x & y; };
    if (const NodeRef planes = planes_of(a, b, common); planes != no_node) return planes;
    // What is everything or nothing.
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}})
        if (const Node& n = (*this)[x]; n.family == Family::Bcast && is_universe(n.in[1])) return bcast(n.in[0], y);
    // The complement of a set takes it away. Of two complements the older stays, since more is made of it.
    for (auto [x, y] : {std::pair{std::max(a, b), std::min(a, b)}, std::pair{std::min(a, b), std::max(a, b)}})
        if (const Node& n = (*this)[x]; n.family == Family::AndNot && is_universe(n.in[0])) return and_not(y, n.in[1]);
    if (within(a, b) || part_of(inside(a), is_constant(b) ? inside(b) : Words{})) return a;
    if (within(b, a) || part_of(inside(b), is_constant(a) ? inside(a) : Words{})) return b;
    if (apart(inside(a), inside(b))) return set(Words(width(a), 0));
    // Constants are put together.
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
        const Node n = (*this)[y];
        if (!is_constant(x)) continue;
        if (n.family == Family::And)
            for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
                if (is_constant(n.in[k])) return and_(set(meet(inside(x), inside(n.in[k]))), n.in[1 - k]);
        if (is_shift(n.family) && is_constant(n.in[1]))
            return make(n.family, n.op_width, {n.in[0], set(meet(inside(x), inside(n.in[1]))), no_node}, n.imm);
    }
    if (position(a) > position(b)) std::swap(a, b);
    // sh(x) & sh(y) = sh(x & y) for the same shift and mask.
    if (is_shift((*this)[a].family) && is_shift((*this)[b].family)) {
        const Node x = (*this)[a], y = (*this)[b];
        if (x.family == y.family && x.imm == y.imm && x.in[1] == y.in[1])
            return make(x.family, x.op_width, {and_(x.in[0], y.in[0]), x.in[1], no_node}, x.imm);
        // By different distances: one takes the other as its mask, moved by the difference.
        if (x.in[1] == y.in[1] && is_constant(x.in[1])) {
            const auto distance = [](const Node& n) { return n.family == Family::ShlAnd ? n.imm : -n.imm; };
            const NodeRef inner = shift_and(y.in[0], distance(y) - distance(x), x.in[0]);
            return shift_and(inner, distance(x), x.in[1]);
        }
    }
    // A shift masked by the whole board takes the other set as its mask.
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}})
        if (is_shift((*this)[x].family)) {
            const Node n = (*this)[x];
            if (is_universe(n.in[1])) return make(n.family, n.op_width, {n.in[0], y, no_node}, n.imm);
        }
    return make(Family::And, width(a), {a, b, no_node});
}

NodeRef ValueGraph::or_(NodeRef a, NodeRef b) {
    if (a == b || is_empty(b)) return a;
    if (is_empty(a)) return b;
    const auto either_of = [](std::uint64_t v, std::uint64_t w) { return v | w; };
    if (const NodeRef planes = planes_of(a, b, either_of); planes != no_node) return planes;
    const Node x = (*this)[a], y = (*this)[b];
    // Runs of one length in several directions are found by one instruction.
    if (x.family == Family::Runs && y.family == Family::Runs && x.in[0] == y.in[0] && x.imm == y.imm) {
        auto distances = code_.tables.words[x.extra];
        const auto& more = code_.tables.words[y.extra];
        distances.insert(distances.end(), more.begin(), more.end());
        return make(Family::Runs, x.op_width, x.in, x.imm, add_words(std::move(distances)));
    }
    if (const NodeRef rays = merge_rays(a, b); rays != no_node) return rays;
    if (x.family == Family::And && y.family == Family::And) // rays that end in one set
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
            for (const std::size_t j : {std::size_t{0}, std::size_t{1}})
                if (x.in[i] == y.in[j])
                    if (const NodeRef rays = merge_rays(x.in[1 - i], y.in[1 - j]); rays != no_node)
                        return and_(rays, x.in[i]);
    if (is_universe(a)) return a;
    if (is_universe(b)) return b;
    if (within(a, b) || (is_constant(b) && part_of(inside(a), inside(b)))) return b;
    if (within(b, a) || (is_constant(a) && part_of(inside(b), inside(a)))) return a;
    if (position(a) > position(b)) std::swap(a, b);
    return make(Family::Or, width(a), {a, b, no_node});
}

NodeRef ValueGraph::and_not(NodeRef a, NodeRef b) {
    if (is_empty(a) || is_empty(b)) return a;
    const auto first_only = [](std::uint64_t x, std::uint64_t y) { return x & ~y; };
    if (const NodeRef planes = planes_of(a, b, first_only); planes != no_node) return planes;
    if (const Node& n = (*this)[b]; n.family == Family::Bcast && is_universe(n.in[1])) return bcast(not_(n.in[0]), a);
    if (a == b || is_universe(b)) return set(std::vector<std::uint64_t>(width(a), 0));
    if (excludes(a, b) || apart(inside(a), inside(b))) return a;
    if (within(a, b) || (is_constant(b) && part_of(inside(a), inside(b)))) return set(Words(width(a), 0));
    // A shift masked by the whole board need not be masked by more than what it is taken from.
    if (const Node n = (*this)[b]; is_shift(n.family) && is_universe(n.in[1]))
        return make(Family::AndNot, width(a), {a, make(n.family, n.op_width, {n.in[0], a, no_node}, n.imm), no_node});
    return make(Family::AndNot, width(a), {a, b, no_node});
}

NodeRef ValueGraph::not_(NodeRef truth) {
    if ((*this)[truth].family == Family::Not) return (*this)[truth].in[0];
    return op(Family::Not, truth);
}

NodeRef ValueGraph::both(NodeRef a, NodeRef b) {
    if (is_constant(a)) return constant_word(a) != 0 ? b : a;
    if (is_constant(b)) return constant_word(b) != 0 ? a : b;
    return and_(a, b);
}

NodeRef ValueGraph::either(NodeRef a, NodeRef b) {
    if (is_constant(a)) return constant_word(a) != 0 ? a : b;
    if (is_constant(b)) return constant_word(b) != 0 ? b : a;
    const Node x = (*this)[a], y = (*this)[b];
    // some a or some b = some (a | b), one test for both.
    if (x.family == Family::Any && y.family == Family::Any && x.op_width == y.op_width)
        return any(or_(x.in[0], y.in[0]));
    // The same word in one of two tables.
    if (x.family == Family::Test && y.family == Family::Test && x.in[0] == y.in[0] && x.op_width == y.op_width &&
        x.imm == y.imm && x.extra == y.extra && is_constant(x.in[1]) && is_constant(y.in[1]))
        return make(Family::Test, x.op_width, {x.in[0], or_(x.in[1], y.in[1]), no_node}, x.imm, x.extra);
    return or_(a, b);
}

NodeRef ValueGraph::copy(NodeRef n) {
    const Node& node = (*this)[n];
    const bool changes = node.family == Family::Place && node.imm != 0;
    return changes ? make(Family::Mov, node.width, {n, no_node, no_node}) : n;
}

NodeRef ValueGraph::any(NodeRef s) {
    const Node n = (*this)[s];
    if (n.family == Family::And) return make(Family::AnyAnd, n.op_width, {n.in[0], n.in[1], no_node});
    if (const NodeRef known = looked_up(s); known != no_node) return known;
    return make(Family::Any, n.width, {s, no_node, no_node});
}

NodeRef ValueGraph::bcast(NodeRef truth, NodeRef s) {
    if (is_empty(s)) return s;
    if (is_constant(truth)) return constant_word(truth) != 0 ? s : set(std::vector<std::uint64_t>(width(s), 0));
    if (const Node n = (*this)[s]; n.family == Family::Bcast) return bcast(both(truth, n.in[0]), n.in[1]);
    return make(Family::Bcast, width(s), {truth, s, no_node});
}

NodeRef ValueGraph::select(NodeRef truth, NodeRef yes, NodeRef no) {
    if (yes == no) return yes;
    if (is_constant(truth)) return constant_word(truth) != 0 ? yes : no;
    if (is_empty(no)) return bcast(truth, yes);
    return make(Family::Select, width(yes), {yes, no, truth});
}

NodeRef ValueGraph::shift_and(NodeRef a, std::int32_t n, NodeRef b) {
    if (n == 0) return and_(a, b);
    if (is_empty(a)) return a;
    if (is_empty(b)) return b;
    if (std::abs(n) >= width(a) * 64) return set(std::vector<std::uint64_t>(width(a), 0));
    return make(n > 0 ? Family::ShlAnd : Family::ShrAnd, width(a), {a, b, no_node}, n > 0 ? n : -n);
}

} // namespace zug::run
