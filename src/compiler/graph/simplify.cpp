// The operations of the value graph with laws of sets and truths. The laws of an operation are a table, tried in order.
// The first law that applies gives the result, which is itself built by these operations.

#include "compiler/graph/value_graph.hpp"

#include <cstdlib>
#include <utility>

namespace zug::run {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr bool is_shift(Family family) { return family == Family::ShlAnd || family == Family::ShrAnd; }

Words meet(Words a, const Words& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] &= b[k];
    return a;
}

} // namespace

NodeRef ValueGraph::rewrite(std::span<const Law> laws, NodeRef a, NodeRef b) {
    for (const Law& law : laws) {
        if (!passes_.on(law.pass)) continue;
        const Passes::Timer timer(passes_, law.pass);
        const NodeRef found = (this->*law.apply)(a, b);
        if (found == no_node) continue;
        passes_.changed(law.pass);
        return found;
    }
    return no_node;
}

// -- intersection

NodeRef ValueGraph::and_(NodeRef a, NodeRef b) {
    static constexpr Law laws[] = {
        {Pass::SetAlgebra, &ValueGraph::and_identity},   {Pass::PlaneAlgebra, &ValueGraph::and_planes},
        {Pass::SetAlgebra, &ValueGraph::and_broadcast},  {Pass::SetAlgebra, &ValueGraph::and_complement},
        {Pass::SetBounds, &ValueGraph::and_bounded},     {Pass::SetAlgebra, &ValueGraph::and_constants},
        {Pass::SetAlgebra, &ValueGraph::and_run},        {Pass::SetAlgebra, &ValueGraph::and_shifts},
        {Pass::SetAlgebra, &ValueGraph::and_shift_mask},
    };
    if (const NodeRef known = rewrite(laws, a, b); known != no_node) return known;
    return make(Family::And, width(a), {std::min(a, b), std::max(a, b), no_node});
}

NodeRef ValueGraph::and_identity(NodeRef a, NodeRef b) {
    if (a == b || is_empty(a) || is_universe(b)) return a;
    return is_empty(b) || is_universe(a) ? b : no_node;
}

// Broadcasts of the universe: all or nothing.
NodeRef ValueGraph::and_broadcast(NodeRef a, NodeRef b) {
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}})
        if (const Node& n = (*this)[x]; n.family == Family::Bcast && is_universe(n.in[1])) return bcast(n.in[0], y);
    return no_node;
}

// a & (U - b) = a - b. Of two complements the older one is kept, because more nodes share it.
NodeRef ValueGraph::and_complement(NodeRef a, NodeRef b) {
    for (auto [x, y] : {std::pair{std::max(a, b), std::min(a, b)}, std::pair{std::min(a, b), std::max(a, b)}})
        if (const Node& n = (*this)[x]; n.family == Family::AndNot && is_universe(n.in[0])) return and_not(y, n.in[1]);
    return no_node;
}

// The constant becomes part of a constant that the other operand is intersected with, or of its mask.
NodeRef ValueGraph::and_constants(NodeRef a, NodeRef b) {
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
        if (!is_constant(x)) continue;
        const Node n = (*this)[y];
        const Words words = (*this)[x].value;
        if (n.family == Family::And)
            for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
                if (is_constant(n.in[k])) return and_(set(meet(words, (*this)[n.in[k]].value)), n.in[1 - k]);
        if (is_shift(n.family) && is_constant(n.in[1]))
            return make(n.family, n.op_width, {n.in[0], set(meet(words, (*this)[n.in[1]].value)), no_node}, n.imm);
    }
    return no_node;
}

// sh(x) & sh(y) = sh(x & y) for the same shift and mask. For different distances one of them, shifted by the
// difference, becomes the mask of the other.
NodeRef ValueGraph::and_shifts(NodeRef a, NodeRef b) {
    if (!is_shift((*this)[a].family) || !is_shift((*this)[b].family)) return no_node;
    const Node x = (*this)[std::min(a, b)], y = (*this)[std::max(a, b)];
    if (x.in[1] != y.in[1]) return no_node;
    if (x.family == y.family && x.imm == y.imm)
        return make(x.family, x.op_width, {and_(x.in[0], y.in[0]), x.in[1], no_node}, x.imm);
    if (!is_constant(x.in[1])) return no_node;
    const auto distance = [](const Node& n) { return n.family == Family::ShlAnd ? n.imm : -n.imm; };
    const NodeRef inner = shift_and(y.in[0], distance(y) - distance(x), x.in[0]);
    return shift_and(inner, distance(x), x.in[1]);
}

// A shift whose mask is the whole board takes the other set as its mask.
NodeRef ValueGraph::and_shift_mask(NodeRef a, NodeRef b) {
    for (auto [x, y] : {std::pair{std::min(a, b), std::max(a, b)}, std::pair{std::max(a, b), std::min(a, b)}})
        if (const Node& n = (*this)[x]; is_shift(n.family) && is_universe(n.in[1]))
            return make(n.family, n.op_width, {n.in[0], y, no_node}, n.imm);
    return no_node;
}

// The fourth member of a run: s and s shifted by k, 2k and 3k, under one mask, is the pair of s and s shifted by k, and
// that pair shifted by 2k.
NodeRef ValueGraph::and_run(NodeRef a, NodeRef b) {
    // What is intersected with the shift by this distance: beside it, or as its mask.
    const auto beside = [&](NodeRef both, const Node& like, std::int32_t distance) {
        const auto is_shifted = [&](const Node& n) {
            return n.family == like.family && n.imm == distance && n.in[0] == like.in[0];
        };
        const Node& n = (*this)[both];
        if (is_shifted(n)) return n.in[1];
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
            if (n.family == Family::And && is_shifted((*this)[n.in[k]]) && (*this)[n.in[k]].in[1] == like.in[1])
                return n.in[1 - k];
        return no_node;
    };
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
        const Node n = (*this)[x];
        if (!is_shift(n.family) || n.imm % 3 != 0 || !is_constant(n.in[1])) continue;
        const std::int32_t step = n.imm / 3;
        const NodeRef two = beside(y, n, 2 * step);
        if (two == no_node || beside(two, n, step) != and_(n.in[0], n.in[1])) continue;
        const NodeRef pair = make(n.family, n.op_width, {n.in[0], n.in[0], no_node}, step);
        return make(n.family, n.op_width, {pair, and_(pair, n.in[1]), no_node}, 2 * step);
    }
    return no_node;
}

// -- union

NodeRef ValueGraph::or_(NodeRef a, NodeRef b) {
    static constexpr Law laws[] = {
        {Pass::SetAlgebra, &ValueGraph::or_identity}, {Pass::PlaneAlgebra, &ValueGraph::or_planes},
        {Pass::Fusion, &ValueGraph::or_runs},         {Pass::RayMerging, &ValueGraph::merge_rays},
        {Pass::SetAlgebra, &ValueGraph::or_universe}, {Pass::SetBounds, &ValueGraph::or_bounded},
        {Pass::SetAlgebra, &ValueGraph::or_factored}, {Pass::SetAlgebra, &ValueGraph::or_shifts_back},
    };
    if (const NodeRef known = rewrite(laws, a, b); known != no_node) return known;
    return make(Family::Or, width(a), {std::min(a, b), std::max(a, b), no_node});
}

NodeRef ValueGraph::or_identity(NodeRef a, NodeRef b) {
    if (a == b || is_empty(b)) return a;
    return is_empty(a) ? b : no_node;
}

// Runs of the same length in several directions are one instruction.
NodeRef ValueGraph::or_runs(NodeRef a, NodeRef b) {
    const Node &x = (*this)[a], &y = (*this)[b];
    if (x.family != Family::Runs || y.family != Family::Runs || x.in[0] != y.in[0] || x.imm != y.imm) return no_node;
    auto distances = code_.tables.words[x.extra];
    const auto& more = code_.tables.words[y.extra];
    distances.insert(distances.end(), more.begin(), more.end());
    return make(Family::Runs, x.op_width, x.in, x.imm, add_words(std::move(distances)));
}

// (p & s) | (q & s) = (p | q) & s, and (p \ s) | (q \ s) = (p | q) \ s, where the union is a set of rays, or one of
// planes, which most often is there already.
NodeRef ValueGraph::or_factored(NodeRef a, NodeRef b) {
    static constexpr Law unions[] = {
        {Pass::RayMerging, &ValueGraph::merge_rays},
        {Pass::PlaneAlgebra, &ValueGraph::or_planes},
    };
    const Node x = (*this)[a], y = (*this)[b];
    if (x.family != y.family || (x.family != Family::And && x.family != Family::AndNot)) return no_node;
    const auto factored = [&](std::size_t i, std::size_t j) {
        if (x.in[i] != y.in[j]) return no_node;
        const NodeRef both = rewrite(unions, x.in[1 - i], y.in[1 - j]);
        if (both == no_node) return no_node;
        return x.family == Family::And ? and_(both, x.in[i]) : and_not(both, x.in[i]);
    };
    if (x.family == Family::AndNot) return factored(1, 1);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        for (const std::size_t j : {std::size_t{0}, std::size_t{1}})
            if (const NodeRef known = factored(i, j); known != no_node) return known;
    return no_node;
}

// The members of p that have one n before them are those with one n behind them, shifted: p << n & p = (p >> n & p)
// << n. A union of such sets is one shift of what the opposite direction has anyway.
NodeRef ValueGraph::or_shifts_back(NodeRef a, NodeRef b) {
    const Node x = (*this)[std::min(a, b)], y = (*this)[std::max(a, b)];
    if (x.family != Family::ShlAnd || y.family != Family::ShlAnd || x.imm != y.imm) return no_node;
    const auto is_own = [&](const Node& n) { return n.in[0] == n.in[1] && !is_constant(n.in[0]); };
    if (!is_own(y)) return no_node;
    const NodeRef everywhere = set(Words(y.width, ~std::uint64_t{0}));
    if (!is_own(x) && x.in[1] != everywhere) return no_node;
    const auto ahead = [&](const Node& n) { return is_own(n) ? shift_and(n.in[0], -n.imm, n.in[0]) : n.in[0]; };
    return shift_and(or_(ahead(x), ahead(y)), y.imm, everywhere);
}

NodeRef ValueGraph::or_universe(NodeRef a, NodeRef b) {
    if (is_universe(a)) return a;
    return is_universe(b) ? b : no_node;
}

// -- difference

NodeRef ValueGraph::and_not(NodeRef a, NodeRef b) {
    static constexpr Law laws[] = {
        {Pass::SetAlgebra, &ValueGraph::minus_empty},     {Pass::PlaneAlgebra, &ValueGraph::minus_planes},
        {Pass::SetAlgebra, &ValueGraph::minus_broadcast}, {Pass::SetAlgebra, &ValueGraph::minus_whole},
        {Pass::SetBounds, &ValueGraph::minus_bounded},    {Pass::SetAlgebra, &ValueGraph::minus_shift_mask},
    };
    if (const NodeRef known = rewrite(laws, a, b); known != no_node) return known;
    return make(Family::AndNot, width(a), {a, b, no_node});
}

NodeRef ValueGraph::minus_empty(NodeRef a, NodeRef b) { return is_empty(a) || is_empty(b) ? a : no_node; }

NodeRef ValueGraph::minus_broadcast(NodeRef a, NodeRef b) {
    const Node& n = (*this)[b];
    return n.family == Family::Bcast && is_universe(n.in[1]) ? bcast(not_(n.in[0]), a) : no_node;
}

NodeRef ValueGraph::minus_whole(NodeRef a, NodeRef b) {
    return a == b || is_universe(b) ? set(Words(width(a), 0)) : no_node;
}

// Where a shift whose mask is the whole board is removed from a set, that set suffices as the mask.
NodeRef ValueGraph::minus_shift_mask(NodeRef a, NodeRef b) {
    if (!is_shift((*this)[b].family) || !is_universe((*this)[b].in[1])) return no_node;
    const Node n = (*this)[b];
    return make(Family::AndNot, width(a), {a, make(n.family, n.op_width, {n.in[0], a, no_node}, n.imm), no_node});
}

// -- truths

NodeRef ValueGraph::not_(NodeRef truth) {
    if (passes_.on(Pass::SetAlgebra) && (*this)[truth].family == Family::Not) return (*this)[truth].in[0];
    return op(Family::Not, truth);
}

// A constant truth decides. This is no part of a pass that can be switched off, because lowering relies on it: the node
// under a condition that is known to be false need not be a valid operand.
NodeRef ValueGraph::both(NodeRef a, NodeRef b) {
    if (is_constant(a)) return constant_word(a) != 0 ? b : a;
    if (is_constant(b)) return constant_word(b) != 0 ? a : b;
    return and_(a, b);
}

NodeRef ValueGraph::either(NodeRef a, NodeRef b) {
    if (is_constant(a)) return constant_word(a) != 0 ? a : b;
    if (is_constant(b)) return constant_word(b) != 0 ? b : a;
    static constexpr Law laws[] = {{Pass::Fusion, &ValueGraph::either_any}, {Pass::Fusion, &ValueGraph::either_test}};
    if (const NodeRef known = rewrite(laws, a, b); known != no_node) return known;
    return or_(a, b);
}

// some a or some b = some (a | b): one test.
NodeRef ValueGraph::either_any(NodeRef a, NodeRef b) {
    const Node &x = (*this)[a], &y = (*this)[b];
    if (x.family != Family::Any || y.family != Family::Any || x.op_width != y.op_width) return no_node;
    return any(or_(x.in[0], y.in[0]));
}

// Membership of the same word in one of two constant sets is membership in their union.
NodeRef ValueGraph::either_test(NodeRef a, NodeRef b) {
    if ((*this)[a].family != Family::Test) return no_node;
    const Node x = (*this)[a], y = (*this)[b];
    if (y.family != Family::Test || x.in[0] != y.in[0] || x.op_width != y.op_width || x.imm != y.imm ||
        x.extra != y.extra || !is_constant(x.in[1]) || !is_constant(y.in[1]))
        return no_node;
    return make(Family::Test, x.op_width, {x.in[0], or_(x.in[1], y.in[1]), no_node}, x.imm, x.extra);
}

NodeRef ValueGraph::any(NodeRef s) {
    static constexpr Law laws[] = {{Pass::Fusion, &ValueGraph::any_of_and},
                                   {Pass::Tabulation, &ValueGraph::any_by_table}};
    if (const NodeRef known = rewrite(laws, s); known != no_node) return known;
    return make(Family::Any, width(s), {s, no_node, no_node});
}

NodeRef ValueGraph::any_of_and(NodeRef s, NodeRef) {
    const Node& n = (*this)[s];
    return n.family == Family::And ? make(Family::AnyAnd, n.op_width, {n.in[0], n.in[1], no_node}) : no_node;
}

NodeRef ValueGraph::any_by_table(NodeRef s, NodeRef) { return looked_up(s); }

// -- choice and movement

// A state word may change later in the routine; its copy does not.
NodeRef ValueGraph::copy(NodeRef n) {
    const Node& node = (*this)[n];
    const bool changes = node.family == Family::RegRead && node.imm != 0;
    return changes ? make(Family::Mov, node.width, {n, no_node, no_node}) : n;
}

NodeRef ValueGraph::bcast(NodeRef truth, NodeRef s) {
    if (is_empty(s)) return s;
    if (is_constant(truth)) return constant_word(truth) != 0 ? s : set(Words(width(s), 0));
    if (passes_.on(Pass::SetAlgebra))
        if ((*this)[s].family == Family::Bcast) {
            const auto in = (*this)[s].in;
            return bcast(both(truth, in[0]), in[1]);
        }
    return make(Family::Bcast, width(s), {truth, s, no_node});
}

NodeRef ValueGraph::select(NodeRef truth, NodeRef yes, NodeRef no) {
    if (yes == no) return yes;
    if (is_constant(truth)) return constant_word(truth) != 0 ? yes : no;
    if (passes_.on(Pass::Fusion) && is_empty(no)) return bcast(truth, yes);
    return make(Family::Select, width(yes), {yes, no, truth});
}

// Instructions shift by less than the width of the set, and not by 0.
NodeRef ValueGraph::shift_and(NodeRef a, std::int32_t n, NodeRef b) {
    if (n == 0) return and_(a, b);
    if (is_empty(a)) return a;
    if (is_empty(b)) return b;
    if (std::abs(n) >= width(a) * 64) return set(Words(width(a), 0));
    return make(n > 0 ? Family::ShlAnd : Family::ShrAnd, width(a), {a, b, no_node}, n > 0 ? n : -n);
}

} // namespace zug::run
