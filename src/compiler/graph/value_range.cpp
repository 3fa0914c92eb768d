// Value ranges: an interval for each word, by interval arithmetic on those of its inputs. Comparisons that intervals
// decide are folded, and indices that are known to be in range need no test.

#include "compiler/graph/value_graph.hpp"

#include <algorithm>

namespace zug::run {
namespace {

// Sums and products of words within these bounds do not overflow.
constexpr std::int64_t addable = std::int64_t{1} << 60;
constexpr std::int64_t multipliable = std::int64_t{1} << 30;
constexpr std::size_t longest_table = 256; // entries of a table whose range is looked up

} // namespace

void ValueGraph::bound(NodeRef n, std::int64_t low, std::int64_t high) {
    if (!passes_.on(Pass::ValueRanges)) return;
    Node& node = nodes_[position(n)];
    node.low = std::max(node.low, low);
    node.high = std::min(node.high, high);
}

// Whether a word is known to be in [0, count), or none.
bool ValueGraph::is_number_or_none(NodeRef n, std::int64_t count) const {
    const Node& node = (*this)[n];
    if (node.low >= 0 && node.high < count) return true;
    if (node.family != Family::WordTable) return false;
    return std::ranges::all_of(code_.tables.words[node.extra],
                               [&](std::int64_t v) { return v == ir::none || (v >= 0 && v < count); });
}

bool ValueGraph::known_moved(NodeRef site, NodeRef from) const {
    const Node& node = (*this)[site];
    if (node.family != Family::WordTable || node.imm != 0) return false;
    const auto& table = code_.tables.words[node.extra];
    auto row = static_cast<std::int64_t>(table.size());
    if (node.in[0] != from) {
        // An index into several concatenated tables of the same size.
        const Node& sum = (*this)[node.in[0]];
        if (sum.family != Family::Add || sum.in[1] != from) return false;
        const Node& first = (*this)[sum.in[0]];
        if (first.family != Family::Mul || !is_constant(first.in[1])) return false;
        row = constant_word(first.in[1]);
        if ((*this)[from].low < 0 || (*this)[from].high >= row) return false;
    }
    for (std::size_t v = 0; v < table.size(); ++v)
        if (table[v] == static_cast<std::int64_t>(v) % row) return false;
    return true;
}

NodeRef ValueGraph::narrow_by_range(Node& node) {
    const NodeRef known = decided(node);
    if (known == no_node) find_bounds(node);
    return known;
}

NodeRef ValueGraph::decided(const Node& node) {
    if (node.family == Family::OnlyMember) {
        const Node& one = (*this)[node.in[0]];
        return one.family == Family::Bit && is_number_or_none(one.in[0], one.imm) ? one.in[0] : no_node;
    }
    if (node.in[0] == no_node || node.in[1] == no_node) return no_node;
    const Node& a = (*this)[node.in[0]];
    const Node& b = (*this)[node.in[1]];
    switch (node.family) {
    case Family::Lt:
        if (a.high < b.low) return word(1);
        if (a.low >= b.high) return word(0);
        break;
    case Family::Eq:
        if (a.high < b.low || b.high < a.low) return word(0);
        break;
    case Family::Add:
        if (a.low == 0 && a.high == 0) return node.in[1];
        if (b.low == 0 && b.high == 0) return node.in[0];
        break;
    case Family::Max:
        if (a.low >= b.high) return node.in[0];
        if (b.low >= a.high) return node.in[1];
        break;
    case Family::Min:
        if (a.high <= b.low) return node.in[0];
        if (b.high <= a.low) return node.in[1];
        break;
    default: break;
    }
    return no_node;
}

void ValueGraph::find_bounds(Node& node) const {
    const auto input = [&](std::size_t i) -> const Node& { return (*this)[node.in[i]]; };
    const auto set = [&](std::int64_t low, std::int64_t high) {
        node.low = low;
        node.high = high;
    };
    const auto within = [](const Node& n, std::int64_t limit) { return n.low >= -limit && n.high <= limit; };
    switch (node.family) {
    case Family::Eq:
    case Family::Lt:
    case Family::Not:
    case Family::Any:
    case Family::AnyAnd:
    case Family::EqSet:
    case Family::Test:
    case Family::EqReal:
    case Family::LtReal: return set(0, 1);
    case Family::Count: return set(0, std::int64_t{node.op_width} * 64);
    case Family::Max: return set(std::max(input(0).low, input(1).low), std::max(input(0).high, input(1).high));
    case Family::Min: return set(std::min(input(0).low, input(1).low), std::min(input(0).high, input(1).high));
    case Family::Add:
        if (within(input(0), addable) && within(input(1), addable))
            set(input(0).low + input(1).low, input(0).high + input(1).high);
        return;
    case Family::Sub:
        if (within(input(0), addable) && within(input(1), addable))
            set(input(0).low - input(1).high, input(0).high - input(1).low);
        return;
    case Family::Mul:
        if (within(input(0), multipliable) && within(input(1), multipliable)) {
            const auto [low, high] = std::minmax({input(0).low * input(1).low, input(0).low * input(1).high,
                                                  input(0).high * input(1).low, input(0).high * input(1).high});
            set(low, high);
        }
        return;
    case Family::Mod: // its sign is the divisor's
        if (input(1).low > 0) set(0, input(1).high - 1);
        return;
    case Family::Bcast: // of a word: it or 0
        if (node.width == 1) set(std::min(std::int64_t{0}, input(1).low), std::max(std::int64_t{0}, input(1).high));
        return;
    case Family::Select:
        if (node.width == 1) set(std::min(input(0).low, input(1).low), std::max(input(0).high, input(1).high));
        return;
    case Family::WordTable: {
        const auto& table = code_.tables.words[node.extra];
        const std::int64_t last = node.imm + static_cast<std::int64_t>(table.size()) - 1;
        if (table.empty() || table.size() > longest_table || input(0).low < node.imm || input(0).high > last) return;
        const auto begin = table.begin() + (input(0).low - node.imm);
        const auto [low, high] = std::minmax_element(begin, begin + (input(0).high - input(0).low + 1));
        return set(*low, *high);
    }
    default: return;
    }
}

} // namespace zug::run
