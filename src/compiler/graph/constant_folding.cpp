// Constant folding: operations on constants are evaluated by the virtual machine that would execute them, so that the
// results agree by construction.

#include "compiler/graph/value_graph.hpp"

#include "base/narrow.hpp"

#include <algorithm>
#include <cassert>

namespace zug::run {
// Executes one instruction on a frame of constants.
NodeRef ValueGraph::fold(Node& node) {
    if (node.family == Family::CallHost) return no_node;
    for (NodeRef n : node.in)
        if (n != no_node && !is_constant(n)) return no_node;
    Instr instr = instruction(node);
    std::array<Reg*, 3> fields{&instr.a, &instr.b, &instr.c};
    Reg next = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        if (node.in[k] == no_node) continue;
        const auto& value = nodes_[position(node.in[k])].value;
        std::copy(value.begin(), value.end(), scratch_.begin() + next);
        *fields[k] = next;
        next = zug::narrow<Reg>(next + value.size());
    }
    instr.d = next;
    const auto entry = static_cast<Entry>(code_.instrs.size());
    code_.instrs.push_back(instr);
    code_.instrs.push_back({.op = Opcode::Return});
    run_scratch(entry);
    code_.instrs.resize(entry);
    const auto begin = scratch_.begin() + next;
    return set(std::vector<std::uint64_t>(begin, begin + node.width));
}

// A host for instructions that are executed at compile time, none of which calls it.
void ValueGraph::run_scratch(Entry entry) {
    struct NoHost final : Host {
        void ask(const Question&, std::uint64_t*, Reg) override { assert(false); }
        void set_between_moves(bool) override { assert(false); }
        void record(std::uint32_t) override { assert(false); }
        void check_failed(CheckFailure, std::int32_t, std::int64_t) override { assert(false); }
    } host;
    vm_(code_, entry, scratch_.data(), host);
}

} // namespace zug::run
