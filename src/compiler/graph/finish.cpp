// The end of a routine: the passes over its complete graph, in the order of the table, down to instructions.

#include "compiler/graph/value_graph.hpp"

#include "base/narrow.hpp"

#include <algorithm>

namespace zug::run {

std::span<const ValueGraph::GraphPass> ValueGraph::graph_passes() {
    static constexpr GraphPass table[] = {
#define PASS(...)
#define GRAPH_REWRITE(...)
#define GRAPH_PASS(id, name, stage, need, needs, establishes, changes, function) {Pass::id, &ValueGraph::function},
#include "compiler/passes.def"
    };
    return table;
}

// Overwrites the marks of live nodes, which every pass that uses them sets anew.
std::uint64_t ValueGraph::count_live(std::span<const NodeRef> roots) {
    mark_live(roots);
    return static_cast<std::uint64_t>(std::ranges::count(nodes_, true, &Node::live));
}

void ValueGraph::run(const GraphPass& pass, std::span<const NodeRef> roots, Entry entry) {
    PassStatistics& statistics = passes_[pass.pass];
    const bool counts = passes_.options().timed;
    ++statistics.runs;
    if (counts) statistics.nodes_in += pass.pass == Pass::LiveValues ? nodes_.size() : count_live(roots);
    {
        const Passes::Timer timer(passes_, pass.pass);
        (this->*pass.run)(roots);
    }
    if (counts) statistics.nodes_out += count_live(roots);
    if (pass.pass == Pass::Emit) return;
    if (passes_.dumps(pass.pass)) {
        mark_live(roots);
        passes_.dump(entry, text());
    }
    if (passes_.verifies()) verify(roots, pass.pass);
}

Entry ValueGraph::finish(std::span<const NodeRef> roots, std::int32_t result) {
    const auto entry = static_cast<Entry>(code_.instrs.size());
    if (const auto after = passes_.options().dump_after;
        after && (info(*after).stage == PassStage::Construction || info(*after).stage == PassStage::Lowering)) {
        mark_live(roots);
        passes_.dump(entry, text());
    }
    if (passes_.verifies()) verify(roots, Pass::Lower);
    for (const GraphPass& pass : graph_passes())
        if (passes_.on(pass.pass)) run(pass, roots, entry);
    emitted_from_ = {};
    emit(Family::Return, 1, {0, 0, 0, 0, result});
    RoutineInfo& routine = code_.routines.emplace_back();
    routine.entry = entry;
    for (NodeRef n : roots)
        if (n != no_node) routine.results.emplace_back(reg_of(n), width(n));
    code_.temps_end = saturated<Reg>(next_reg_);
    passes_.changed(Pass::Emit, code_.instrs.size() - entry);
    if (passes_.options().timed)
        passes_.changed(Pass::LiveValues, static_cast<std::uint64_t>(std::ranges::count(nodes_, false, &Node::live)));
    return entry;
}

} // namespace zug::run
