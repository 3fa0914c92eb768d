// Tables of all values of a word. Tabulation: a truth that depends on one small word only, such as whether a player has
// a line on a board of a dozen sites, is computed at compile time for every value of the word, and looked up in a
// table. Table arithmetic: where the parameters of a move are read from tables and make the number of an entry of a
// map, that number often is the member of the set of moves which the tables were read at.

#include "compiler/graph/value_graph.hpp"

#include "base/narrow.hpp"

#include <algorithm>

namespace zug::run {
namespace {

constexpr std::int64_t most_values = 4096; // half a kilobyte
constexpr std::size_t most_steps = 16;
constexpr int deepest_sum = 8;

constexpr bool is_simple(Family family) {
    return family == Family::And || family == Family::Or || family == Family::AndNot || family == Family::ShlAnd ||
           family == Family::ShrAnd;
}
// Operations that are expensive enough for a table to replace them.
constexpr bool is_long(Family family) {
    return family == Family::Runs || family == Family::FloodTo || family == Family::FloodFrom;
}

using WordTables = std::vector<std::vector<std::int64_t>>;

// Whether a word is a sum of products of constants and of entries of tables at one index.
bool made_of_entries(const ValueGraph& graph, const WordTables& tables, NodeRef n, NodeRef& index, int depth) {
    const ValueGraph::Node& node = graph[n];
    if (depth == 0 || node.width != 1 || node.op_width != 1) return false;
    const auto input = [&](std::size_t k) { return made_of_entries(graph, tables, node.in[k], index, depth - 1); };
    switch (node.family) {
    case Family::Constant: return true;
    case Family::Add:
    case Family::Sub:
    case Family::Mul: return input(0) && input(1);
    case Family::WordTable: {
        if (index != no_node && index != node.in[0]) return false;
        index = node.in[0];
        const auto size = static_cast<std::int64_t>(tables[node.extra].size());
        return node.imm == 0 && size <= most_values && graph[index].low >= 0 && graph[index].high < size;
    }
    default: return false;
    }
}

// The value of such a word; none where an entry is undefined.
std::optional<std::uint64_t> sum_at(const ValueGraph& graph, const WordTables& tables, NodeRef n, std::size_t index) {
    const ValueGraph::Node& node = graph[n];
    if (node.family == Family::Constant) return node.value[0];
    if (node.family == Family::WordTable) {
        const std::int64_t entry = tables[node.extra][index];
        return entry == undefined ? std::nullopt : std::optional(static_cast<std::uint64_t>(entry));
    }
    const auto a = sum_at(graph, tables, node.in[0], index), b = sum_at(graph, tables, node.in[1], index);
    if (!a || !b) return std::nullopt;
    return node.family == Family::Add ? *a + *b : node.family == Family::Sub ? *a - *b : *a * *b;
}

} // namespace

NodeRef ValueGraph::index_of_entries(Node& node) {
    if (node.family != Family::Add) return no_node;
    NodeRef index = no_node;
    const WordTables& tables = code_.tables.words;
    for (const NodeRef in : node.in)
        if (in != no_node && !made_of_entries(*this, tables, in, index, deepest_sum)) return no_node;
    if (index == no_node) return no_node;
    const auto [low, high] = std::pair((*this)[index].low, (*this)[index].high);
    for (auto at = static_cast<std::size_t>(low); at <= static_cast<std::size_t>(high); ++at) {
        const auto a = sum_at(*this, tables, node.in[0], at), b = sum_at(*this, tables, node.in[1], at);
        if (a && b && *a + *b != at) return no_node;
    }
    return index;
}

// Collects the nodes that compute a set, inputs first. False: they depend on more than one small word, or are too many.
bool ValueGraph::gather_small(NodeRef n, NodeRef& start, std::vector<NodeRef>& order) const {
    const Node& node = (*this)[n];
    if (node.family == Family::Constant || std::ranges::find(order, n) != order.end()) return true;
    if (node.family == Family::RegRead) {
        if (start != no_node && start != n) return false;
        start = n;
        return node.width == 1 && node.low >= 0 && node.high < most_values;
    }
    if (node.width != 1 || node.op_width != 1 || order.size() == most_steps) return false;
    if (!is_simple(node.family) && !is_long(node.family)) return false;
    for (const NodeRef in : node.in)
        if (in != no_node && !gather_small(in, start, order)) return false;
    order.push_back(n);
    return true;
}

// Whether a set has members, read off a table; no_node: not worth a table.
NodeRef ValueGraph::looked_up(NodeRef s) {
    NodeRef start = no_node;
    std::vector<NodeRef> order;
    if (!gather_small(s, start, order) || start == no_node) return no_node;
    if (std::ranges::none_of(order, [&](NodeRef n) { return is_long((*this)[n].family); })) return no_node;

    const auto entry = static_cast<Entry>(code_.instrs.size());
    std::unordered_map<NodeRef, Reg> regs;
    Reg next = 1;
    const auto reg_for = [&](NodeRef n) {
        const auto [it, fresh] = regs.try_emplace(n, next);
        if (fresh && is_constant(n)) scratch_[next] = (*this)[n].value[0];
        if (fresh) ++next;
        return it->second;
    };
    for (const NodeRef n : order) {
        Node node = (*this)[n];
        Instr instr = instruction(node);
        const std::array<Reg*, 3> fields{&instr.a, &instr.b, &instr.c};
        for (std::size_t k = 0; k < 3; ++k)
            if (node.in[k] != no_node) *fields[k] = reg_for(node.in[k]);
        instr.d = reg_for(n);
        code_.instrs.push_back(instr);
    }
    code_.instrs.push_back({.op = Opcode::Return});
    const std::int64_t values = (*this)[start].high + 1;
    std::vector<std::uint64_t> found(static_cast<std::size_t>(values + 63) / 64, 0);
    for (std::int64_t v = 0; v < values; ++v) {
        scratch_[reg_for(start)] = static_cast<std::uint64_t>(v);
        run_scratch(entry);
        if (scratch_[reg_for(s)] != 0) found[static_cast<std::size_t>(v) / 64] |= std::uint64_t{1} << (v % 64);
    }
    code_.instrs.resize(entry);
    const auto words = zug::narrow<std::uint16_t>(found.size());
    // The last field tells translators that every value of the word is within the table.
    return make(Family::Test, words, {start, set(std::move(found)), no_node}, static_cast<std::int32_t>(values), 1);
}

} // namespace zug::run
