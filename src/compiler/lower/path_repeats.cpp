// Paths that are repeated: closures and powers.

#include "compiler/lower/path_lowering.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace zug::run {

NodeRef PathLowering::image_closure(NodeRef set, const Way& way) {
    const ir::ExprId inner = program_.argument(way.path, 0);
    const NodeRef low = eval(program_.argument(way.path, 1), way.in);
    if (!graph_.is_constant(low)) return fail();
    if (Flood line; graph_.constant_word(low) <= 1 && is_line(set, inner, way.in, line)) {
        const NodeRef seen = way.back ? graph_.rays(graph_.and_(set, line.into), line.into, inverted(line.steps[0]))
                                      : graph_.and_(graph_.rays(set, line.into, line.steps[0]), line.into);
        return graph_.constant_word(low) == 0 ? graph_.or_(set, seen) : seen;
    }
    if (graph_.constant_word(low) == 1)
        if (const NodeRef found = image_where_possible(set, way); found != no_node) return found;
    return image_grown(set, way, graph_.constant_word(low));
}

// By the flood instructions, or by a loop.
NodeRef PathLowering::image_grown(NodeRef set, const Way& way, std::int64_t low) {
    const ir::ExprId inner = program_.argument(way.path, 0);
    NodeRef start = set;
    for (std::int64_t k = 0; k < low; ++k) start = image(start, inner, way.in, way.back);
    if (graph_.is_empty(start)) return start;
    if (const NodeRef flood = image_flood(start, way); flood != no_node) return flood;
    const auto open = graph_.open_loop(Reduce::Grow, no_node, graph_.width(set), start);
    return graph_.close_loop(open, image(open.var, inner, way.in, way.back));
}

// In a loop over sites on a board of several words: from the sites only from which a first step is possible, which are
// found for all of them at once, before the loop. no_node: they can't be.
NodeRef PathLowering::image_where_possible(NodeRef set, const Way& way) {
    const NodeRef site = graph_[set].family == Family::Bit ? graph_[set].in[0] : no_node;
    const std::uint16_t words = graph_.width(set);
    if (words == 1 || site == no_node || graph_[site].family != Family::LoopVar) return no_node;
    const NodeRef outer = std::exchange(loosened_for_, site);
    const NodeRef starts = image(all_sites(board_of(way.path)), program_.argument(way.path, 0), way.in, !way.back);
    loosened_for_ = outer;
    if (failed() || graph_.is_universe(starts) || !graph_.is_before_loop(starts, site)) return no_node;
    const NodeRef domain = graph_.and_(set, starts);
    const auto open = graph_.open_loop(Reduce::Or, domain, words, empty(words));
    graph_.at_most(open, 1);
    graph_.keep_inside(open);
    return graph_.close_loop(open, image_grown(set, way, 1));
}

// A set that contains this one and is the same in all rounds of the loop whose variable paths are loosened for; if
// there is none, the set itself.
NodeRef PathLowering::loosened(NodeRef set) const {
    if (loosened_for_ == no_node || graph_.is_before_loop(set, loosened_for_)) return set;
    const auto& node = graph_[set];
    if (node.family != Family::And && node.family != Family::AndNot) return set;
    const std::size_t inputs = node.family == Family::And ? 2 : 1;
    for (std::size_t k = 0; k < inputs; ++k)
        if (const NodeRef in = loosened(node.in[k]); graph_.is_before_loop(in, loosened_for_)) return in;
    return set;
}

// By the flood instructions, if all steps are shifts; else no_node.
NodeRef PathLowering::image_flood(NodeRef start, const Way& way) {
    Flood flood;
    if (!as_flood(program_.argument(way.path, 0), way.in, flood) || flood.steps.empty()) return no_node;
    std::vector<std::pair<std::int32_t, std::vector<std::uint64_t>>> list;
    bool masked = false;
    const ir::BoardId id = board_of(way.path);
    for (const StepTable& step : flood.steps) {
        if (!injective(step)) return no_node;
        const StepTable table = way.back ? inverted(step) : step;
        const auto d = distance(table);
        if (!d) return no_node;
        if (*d == 0) continue;
        list.emplace_back(*d, landing(table, graph_.width(start)));
        masked = masked || !shifts_cleanly(table, *d, layout_.board(id).site_of_bit);
    }
    const NodeRef into = flood.into != no_node ? flood.into : all_sites(id);
    return graph_.make(way.back ? Family::FloodFrom : Family::FloodTo, graph_.width(start), {start, into, no_node}, 0,
                       graph_.add_shifts(std::move(list), masked));
}

// A number of rounds that is known only at run time: `low` rounds, then up to `high` - `low` more, whose sites are
// accumulated. Less than no rounds lead nowhere.
NodeRef PathLowering::image_power_unknown(NodeRef set, const Way& way, NodeRef low, NodeRef high) {
    const ir::ExprId inner = program_.argument(way.path, 0);
    const auto not_negative = [&](NodeRef n) { return graph_.not_(graph_.op(Family::Lt, n, graph_.word(0))); };
    const NodeRef from = low == high ? graph_.bcast(not_negative(low), set) : set;
    const auto first = graph_.open_loop(Reduce::Repeat, low, graph_.width(set), from);
    const NodeRef at_low = graph_.close_loop(first, image(first.var, inner, way.in, way.back));
    if (low == high) return at_low;
    const NodeRef more = graph_.op(Family::Sub, high, graph_.op(Family::Max, low, graph_.word(0)));
    const NodeRef start = graph_.bcast(not_negative(more), at_low);
    const auto second = graph_.open_loop(Reduce::Repeat, more, graph_.width(set), start);
    return graph_.close_loop(second, graph_.or_(second.var, image(second.var, inner, way.in, way.back)));
}

// A run: repeated (x shifted) & s, starting from x = s, by doubling. The path ends in s, so that with x within s every
// site on the way is in s. no_node: the path is another.
NodeRef PathLowering::image_run(NodeRef set, const Way& way, std::int64_t times) {
    Flood flood;
    if (!as_flood(program_.argument(way.path, 0), way.in, flood) || flood.steps.size() != 1 || flood.into != set ||
        way.back || !injective(flood.steps[0]))
        return no_node;
    const auto d = distance(flood.steps[0]);
    if (!d || !shifts_cleanly(flood.steps[0], *d, layout_.board(board_of(way.path)).site_of_bit)) return no_node;
    const auto bits = static_cast<std::int64_t>(graph_.width(set)) * 64;
    if (std::abs(*d) * times >= bits) return empty(graph_.width(set));
    return graph_.make(Family::Runs, graph_.width(set), {set, no_node, no_node}, static_cast<std::int32_t>(times + 1),
                       graph_.add_words({*d}));
}

NodeRef PathLowering::image_power(NodeRef set, const Way& way) {
    constexpr std::int64_t most_rounds = 4096;
    const NodeRef low = eval(program_.argument(way.path, 1), way.in);
    const NodeRef high = eval(program_.argument(way.path, 2), way.in);
    if (!graph_.is_constant(low) || !graph_.is_constant(high)) return image_power_unknown(set, way, low, high);
    const std::int64_t lo = std::max<std::int64_t>(0, graph_.constant_word(low)), hi = graph_.constant_word(high);
    if (hi < lo) return empty(graph_.width(set));
    if (lo == hi && hi > 1)
        if (const NodeRef run = image_run(set, way, hi); run != no_node) return run;
    NodeRef current = set, result = lo == 0 ? set : empty(graph_.width(set));
    for (std::int64_t k = 1; k <= hi && !graph_.is_empty(current); ++k) {
        if (k > most_rounds || !lowering_.within_budget()) return fail();
        current = image(current, program_.argument(way.path, 0), way.in, way.back);
        if (k >= lo) result = graph_.or_(result, current);
    }
    return result;
}

} // namespace zug::run
