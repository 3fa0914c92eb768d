// The invariants of a value graph, checked between passes (ZUG_VERIFY=1, and in builds with assertions).

#include "compiler/graph/value_graph.hpp"

#include "bytecode/operand_kinds.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace zug::run {
// Walks the live nodes in the order of emission. Nodes of a loop, a guard or a branch are available only within it.
struct ValueGraph::Verifier {
    explicit Verifier(const ValueGraph& of) : graph(of), defined(of.nodes_.size()), looped(of.loops_.size()) {}

    const ValueGraph& graph;
    std::vector<bool> defined, looped;                          // by node; by loop
    std::vector<NodeRef> scope;                                 // defined so far in the blocks that are open
    std::vector<std::pair<std::int32_t, std::size_t>> branches; // that are open: number, where their scope begins
    std::set<std::pair<std::vector<std::uint64_t>, std::uint32_t>> constants;
    std::string broken; // the first invariant that doesn't hold

    void expect(bool holds, NodeRef n, std::string_view invariant) {
        if (!holds && broken.empty()) broken = "node " + std::to_string(position(n)) + ": " + std::string(invariant);
    }

    void define(NodeRef n) {
        defined[position(n)] = true;
        scope.push_back(n);
    }

    void leave(std::size_t begin) {
        for (std::size_t k = begin; k < scope.size(); ++k) defined[position(scope[k])] = false;
        scope.resize(begin);
    }

    bool is_available(NodeRef n) const {
        const Family family = graph[n].family;
        return family == Family::Constant || family == Family::RegRead || defined[position(n)];
    }

    void check_constants() {
        for (std::size_t k = 0; k < graph.nodes_.size(); ++k) {
            const Node& node = graph.nodes_[k];
            if (node.family != Family::Constant) continue;
            const auto n = static_cast<NodeRef>(k);
            expect(node.value.size() == node.width, n, "a constant has as many words as its width");
            expect(constants.insert({node.value, node.extra}).second, n, "equal constants are one node");
        }
    }

    // Operands have the widths that the operation requires.
    void check_widths(NodeRef n) {
        const Node& node = graph[n];
        if (node.family == Family::CallHost || node.family == Family::EmitRecord) return;
        const OpSignature& op = signature_of(graph.opcode(node.family, node.op_width));
        const Operand kinds[] = {op.a, op.b, op.c};
        for (std::size_t k = 0; k < 3; ++k) {
            if (node.in[k] == no_node) continue;
            const std::uint16_t width = graph.width(node.in[k]);
            if (kinds[k] == Operand::Set) expect(width == node.op_width, n, "its sets are as wide as it works on");
            if (kinds[k] == Operand::Word || kinds[k] == Operand::Real) expect(width == 1, n, "its words are words");
        }
        if (!node.effect && op.d == Operand::ToWord) expect(node.width == 1, n, "its result is a word");
    }

    void check_loop(NodeRef n) {
        const std::uint32_t number = graph[n].extra;
        expect(number < graph.loops_.size(), n, "its loop exists");
        if (!broken.empty()) return;
        const Loop& loop = graph.loops_[number];
        expect(!looped[number], n, "a loop belongs to one node");
        looped[number] = true;
        expect(!graph.regions_[loop.region].open, n, "its loop is closed");
        if (loop.dropped) return;
        const bool grows = loop.reduce == Reduce::Grow;
        expect(grows || loop.domain != no_node, n, "its loop has a domain");
        for (const NodeRef in : {loop.domain, loop.init})
            if (in != no_node) expect(is_available(in), n, "what its loop starts from is computed before it");
        const std::size_t begin = scope.size();
        if (loop.var != no_node) define(loop.var);
        check_region(loop.region);
        if (loop.body != no_node) expect(is_available(loop.body), n, "the body of its loop is computed in it");
        leave(begin);
    }

    void check_branch(NodeRef n) {
        const Node& node = graph[n];
        if (node.family == Family::JumpIfNot) branches.emplace_back(node.imm, scope.size());
        if (node.family != Family::Jump) return;
        expect(!branches.empty() && branches.back().first == node.imm, n, "branches are closed in order");
        if (branches.empty()) return;
        leave(branches.back().second);
        branches.pop_back();
    }

    void check_region(std::uint32_t region) {
        const std::size_t open = branches.size();
        for (const NodeRef n : graph.regions_[region].order) {
            const Node& node = graph[n];
            if (!node.live) continue;
            for (const NodeRef in : node.in)
                if (in != no_node) expect(is_available(in), n, "its inputs are computed before it, where it sees them");
            for (const NodeRef in : node.more) expect(is_available(in), n, "its variables are computed before it");
            if (node.family == Family::Loop) {
                check_loop(n);
            } else {
                check_widths(n);
                if (node.effect) check_branch(n);
            }
            if (!broken.empty()) return;
            if (!node.effect) define(n);
        }
        if (!graph.regions_[region].order.empty())
            expect(branches.size() == open, graph.regions_[region].order.back(), "branches end where they began");
    }
};

// The effects in the order of emission, whatever loop, guard or branch they are in.
std::vector<NodeRef> ValueGraph::effects_in_order() const {
    std::vector<NodeRef> effects;
    const auto visit = [&](const auto& self, std::uint32_t region) -> void {
        for (const NodeRef n : regions_[region].order) {
            const Node& node = (*this)[n];
            if (node.family == Family::Loop)
                self(self, loops_[node.extra].region);
            else if (node.effect && node.family != Family::Jump && node.family != Family::JumpIfNot)
                effects.push_back(n);
        }
    };
    visit(visit, 0);
    return effects;
}

void ValueGraph::verify(std::span<const NodeRef> roots, Pass after) {
    mark_live(roots);
    Verifier verifier(*this);
    verifier.check_constants();
    verifier.check_region(0);
    for (const NodeRef n : roots)
        if (n != no_node) verifier.expect(verifier.is_available(n), n, "a result is computed at the end");
    // Passes over a complete graph add guards and branches, but neither effects nor another order of them.
    std::vector<NodeRef> effects = effects_in_order();
    if (after == Pass::Lower)
        effects_before_ = std::move(effects);
    else if (effects != effects_before_ && verifier.broken.empty())
        verifier.broken = "effects stay, in their order";
    if (verifier.broken.empty()) return;
    std::fprintf(stderr, "zug: after the pass `%s` an invariant of the value graph is broken: %s\n%s",
                 std::string(info(after).name).c_str(), verifier.broken.c_str(), text().c_str());
    std::abort();
}

} // namespace zug::run
