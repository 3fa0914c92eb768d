#include "compiler/graph/invalidation.hpp"

#include "base/narrow.hpp"

#include <algorithm>
#include <map>

namespace zug::run {
namespace {

// The sites of a map that hold one of some values.
struct Held {
    ir::StateId state{};
    std::uint64_t values = 0;
    friend bool operator==(const Held&, const Held&) = default;
};

class Finder {
public:
    Finder(ValueGraph& graph, const StateLayout& layout, const ir::Program& program)
        : graph_(graph), layout_(layout), program_(program) {
        out_.any_change.resize(program.states.size());
    }

    std::optional<Invalidation> find(NodeRef condition) {
        out_.holds = condition;
        const NodeRef all = everywhere(1);
        requirement(condition, {.loss = all, .loss_alone = all, .loss_surely = all});
        // Inputs are older than what is made of them, so going from the newest node to the oldest, each has collected
        // all its requirements when its turn comes.
        while (!open_.empty()) {
            const auto last = std::prev(open_.end());
            const auto [node, wanted] = *last;
            open_.erase(last);
            if (!visit(node, wanted)) return std::nullopt;
        }
        return std::move(out_);
    }

private:
    NodeRef everywhere(std::uint16_t width) {
        return graph_.set(std::vector<std::uint64_t>(width, ~std::uint64_t{0}), true);
    }
    NodeRef both(NodeRef a, NodeRef b) { return a == no_node || b == no_node ? no_node : graph_.and_(a, b); }
    NodeRef either(NodeRef a, NodeRef b) { return a == no_node ? b : b == no_node ? a : graph_.or_(a, b); }
    // Everywhere, if anywhere: nothing more precise is known.
    NodeRef spread(NodeRef sites, std::uint16_t width) { return sites == no_node ? no_node : everywhere(width); }
    NodeRef shifted(NodeRef set, std::int32_t n) {
        return set == no_node ? no_node : graph_.shift_and(set, n, everywhere(graph_.width(set)));
    }

    static Requirement swapped(const Requirement& d) {
        return {d.loss, d.gain, d.loss_alone, d.gain_alone, d.loss_surely, d.gain_surely};
    }
    // The same without the claims of certainty, except for these new members.
    static Requirement possible(Requirement d, NodeRef gain_surely = no_node) {
        d.gain_surely = gain_surely;
        d.loss_surely = no_node;
        return d;
    }

    void add(Requirement& to, const Requirement& more) {
        to = {either(to.gain, more.gain),
              either(to.loss, more.loss),
              either(to.gain_alone, more.gain_alone),
              either(to.loss_alone, more.loss_alone),
              either(to.gain_surely, more.gain_surely),
              either(to.loss_surely, more.loss_surely)};
    }
    void requirement(NodeRef n, const Requirement& more) { add(open_[n], more); }

    Requirement each(const Requirement& d, auto&& f) {
        return {f(d.gain), f(d.loss), f(d.gain_alone), f(d.loss_alone), f(d.gain_surely), f(d.loss_surely)};
    }

    std::optional<ir::StateId> variable_at(Reg reg) const;
    std::optional<Held> plane(const ValueGraph::Node& node) const;
    std::optional<Held> held(NodeRef n) const;
    bool share_maps(NodeRef a, NodeRef b);
    bool is_fixed(NodeRef n) const;
    bool keeps_members(NodeRef n) const { return held(n) || is_fixed(n); }
    bool is_sort(NodeRef n) const;
    const std::vector<Held>& maps_of(NodeRef n);
    bool visit(NodeRef n, const Requirement& d);
    void visit_common(NodeRef n, NodeRef a, NodeRef b, const Requirement& d, bool without);
    void visit_shift(const ValueGraph::Node& node, NodeRef n, const Requirement& d);
    void visit_rays(const ValueGraph::Node& node, NodeRef n, const Requirement& d);
    void visit_flood(const ValueGraph::Node& node, NodeRef n, const Requirement& d);
    bool visit_read(const ValueGraph::Node& node);

    ValueGraph& graph_;
    const StateLayout& layout_;
    const ir::Program& program_;
    Invalidation out_;
    std::map<NodeRef, Requirement> open_;
    std::map<NodeRef, std::vector<Held>> maps_;
};

std::optional<ir::StateId> Finder::variable_at(Reg reg) const {
    for (std::size_t s = 0; s < program_.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const VariableLayout& at = layout_.variable(id);
        if (program_.states[id].assigned && reg >= at.reg && reg < at.reg + at.words) return id;
    }
    return std::nullopt;
}

std::optional<Held> Finder::plane(const ValueGraph::Node& node) const {
    if (node.family != Family::RegRead) return std::nullopt;
    const auto reg = narrow<Reg>(node.extra);
    const auto state = variable_at(reg);
    if (!state) return std::nullopt;
    const VariableLayout& at = layout_.variable(*state);
    if (at.storage != Storage::Planes || node.width != at.set_words || at.planes >= 64) return std::nullopt;
    if (program_.states[*state].indices.size() != 1) return std::nullopt;
    return Held{*state, std::uint64_t{2} << ((reg - at.reg) / at.set_words)};
}

// A set that is made of the planes of one map alone.
std::optional<Held> Finder::held(NodeRef n) const {
    const ValueGraph::Node& node = graph_[n];
    if (const auto own = plane(node)) return own;
    if (node.family != Family::Or && node.family != Family::And && node.family != Family::AndNot) return std::nullopt;
    const auto a = held(node.in[0]), b = held(node.in[1]);
    if (!a || !b || a->state != b->state) return std::nullopt;
    if (node.family == Family::Or) return Held{a->state, a->values | b->values};
    return Held{a->state, a->values & (node.family == Family::And ? b->values : ~b->values)};
}

const std::vector<Held>& Finder::maps_of(NodeRef n) {
    if (const auto known = maps_.find(n); known != maps_.end()) return known->second;
    std::vector<Held> result;
    if (const auto own = held(n)) {
        result.push_back(*own);
    } else {
        const auto inputs = graph_[n].in;
        for (const NodeRef in : inputs)
            if (in != no_node) {
                const std::vector<Held>& more = maps_of(in);
                result.insert(result.end(), more.begin(), more.end());
            }
    }
    return maps_.emplace(n, std::move(result)).first->second;
}

// Whether a single change of the state can change both.
bool Finder::share_maps(NodeRef a, NodeRef b) {
    const std::vector<Held>& of_b = maps_of(b);
    return std::ranges::any_of(maps_of(a), [&](const Held& h) { return std::ranges::find(of_b, h) != of_b.end(); });
}

// Whether it does not depend on the state.
bool Finder::is_fixed(NodeRef n) const {
    const ValueGraph::Node& node = graph_[n];
    if (node.family == Family::RegRead || node.family == Family::Loop || node.family == Family::CallHost) return false;
    return std::ranges::all_of(node.in, [&](NodeRef in) { return in == no_node || is_fixed(in); });
}

// The sites that hold some values, less a constant set.
bool Finder::is_sort(NodeRef n) const {
    const ValueGraph::Node& node = graph_[n];
    return held(n) || (node.family == Family::AndNot && held(node.in[0]) && is_fixed(node.in[1]));
}

// a & b, or a & ~b (`without`). The intersection gains no member if a gains none that matters, and b none where a has
// members now.
void Finder::visit_common(NodeRef n, NodeRef a, NodeRef b, const Requirement& d, bool without) {
    if (!without && held(a)) std::swap(a, b);
    Requirement of_a{d.gain, both(d.loss, n), d.gain_alone, both(d.loss_alone, n)};
    Requirement of_b{both(d.gain, a), both(d.loss, n), both(d.gain_alone, a), both(d.loss_alone, n)};
    if (!share_maps(a, b)) {
        if (d.gain_alone != no_node)
            of_a.gain_alone = without ? graph_.and_not(d.gain_alone, b) : both(d.gain_alone, b);
    }
    of_a.loss_surely = d.loss_surely;
    if (!without) of_b.loss_surely = d.loss_surely;
    if (d.gain_surely != no_node && !without && keeps_members(b)) of_a.gain_surely = both(d.gain_surely, b);
    if (d.gain_surely != no_node && without && is_fixed(b)) of_a.gain_surely = graph_.and_not(d.gain_surely, b);
    requirement(a, of_a);
    requirement(b, without ? swapped(of_b) : of_b);
}

// (a shifted) & b
void Finder::visit_shift(const ValueGraph::Node& node, NodeRef n, const Requirement& d) {
    const NodeRef a = node.in[0], b = node.in[1];
    const std::int32_t back = node.family == Family::ShlAnd ? -node.imm : node.imm;
    const NodeRef landed = graph_.shift_and(a, -back, everywhere(node.width));
    Requirement wanted{d.gain, both(d.loss, n), d.gain_alone, both(d.loss_alone, n)};
    if (!share_maps(a, b)) wanted.gain_alone = both(d.gain_alone, b);
    if (graph_.is_constant(b)) wanted.gain = both(d.gain, b);
    if (keeps_members(b)) wanted.gain_surely = both(d.gain_surely, b);
    requirement(a, each(wanted, [&](NodeRef sites) { return shifted(sites, back); }));
    requirement(b, {both(d.gain, landed), both(d.loss, n), both(d.gain_alone, landed), both(d.loss_alone, n)});
}

// Rays become longer or shorter only by changes at squares that they reach now. A single square that lets them pass
// matters only if a required square is seen from it along the same ray.
void Finder::visit_rays(const ValueGraph::Node& node, NodeRef n, const Requirement& d) {
    const NodeRef from = node.in[0], through = node.in[1];
    Requirement starts = possible(each(d, [&](NodeRef sites) { return spread(sites, node.width); }));
    // A piece is not in its own way.
    if (d.gain_surely != no_node && is_sort(from)) starts.gain_surely = graph_.rays_back(n, d.gain_surely);
    if (d.gain_alone != no_node && !share_maps(from, through)) starts.gain_alone = graph_.rays_back(n, d.gain_alone);
    requirement(from, starts);
    Requirement wanted{d.gain == no_node ? no_node : n, d.loss == no_node ? no_node : n,
                       d.gain_alone == no_node ? no_node : n, d.loss_alone == no_node ? no_node : n};
    if (d.gain_alone != no_node && !share_maps(from, through))
        wanted.gain_alone = graph_.squares_between(n, d.gain_alone);
    requirement(through, wanted);
}

// A flood becomes larger only by changes at its frontier.
void Finder::visit_flood(const ValueGraph::Node& node, NodeRef n, const Requirement& d) {
    requirement(node.in[0], possible(each(d, [&](NodeRef sites) { return spread(sites, node.width); })));
    const NodeRef gain = d.gain == no_node && d.gain_alone == no_node ? no_node : graph_.frontier(n);
    const NodeRef loss = d.loss == no_node && d.loss_alone == no_node ? no_node : n;
    requirement(node.in[1], {gain, loss, gain, loss});
}

bool Finder::visit_read(const ValueGraph::Node& node) {
    const auto state = variable_at(narrow<Reg>(node.extra));
    if (!state) return false;
    out_.any_change[index(*state)] = true;
    return true;
}

bool Finder::visit(NodeRef n, const Requirement& d) {
    const ValueGraph::Node node = graph_[n];
    if (const auto own = held(n)) {
        auto known = std::ranges::find_if(
            out_.maps, [&](const InvalidatingChange& m) { return m.state == own->state && m.values == own->values; });
        if (known == out_.maps.end()) known = out_.maps.insert(known, {own->state, own->values, {}});
        // Only what is there can be lost.
        add(known->sites, {d.gain, both(d.loss, n), d.gain_alone, both(d.loss_alone, n), d.gain_surely});
        return true;
    }
    const auto all_of = [&](NodeRef in) {
        return possible(each(d, [&](NodeRef p) { return spread(p, graph_.width(in)); }));
    };
    const auto some_of = [&](NodeRef in) { return possible(all_of(in), spread(d.gain_surely, graph_.width(in))); };
    switch (node.family) {
    case Family::Constant: return true;
    case Family::RegRead: return visit_read(node);
    case Family::And: return visit_common(n, node.in[0], node.in[1], d, false), true;
    case Family::AndNot: return visit_common(n, node.in[0], node.in[1], d, true), true;
    case Family::AnyAnd: {
        const NodeRef common = graph_.and_(node.in[0], node.in[1]);
        return visit_common(common, node.in[0], node.in[1], some_of(common), false), true;
    }
    case Family::Or:
        requirement(node.in[0], possible(d, d.gain_surely));
        requirement(node.in[1], possible(d, d.gain_surely));
        return true;
    case Family::ShlAnd:
    case Family::ShrAnd: return visit_shift(node, n, d), true;
    case Family::Rays: return visit_rays(node, n, d), true;
    case Family::FloodTo: return visit_flood(node, n, d), true;
    case Family::Image: {
        Requirement wanted = all_of(node.in[0]);
        if (d.gain_alone != no_node) wanted.gain_alone = graph_.preimage(n, d.gain_alone);
        if (d.gain_surely != no_node) wanted.gain_surely = graph_.preimage(n, d.gain_surely);
        return requirement(node.in[0], wanted), true;
    }
    case Family::Any: return requirement(node.in[0], some_of(node.in[0])), true;
    case Family::Not: return requirement(node.in[0], swapped(d)), true;
    case Family::LoopVar: return true; // of a loop around the condition
    case Family::Loop:
    case Family::Carry:
    case Family::CallHost: return false;
    default: break;
    }
    if (node.effect) return false;
    for (const NodeRef in : node.in)
        if (in != no_node) {
            const NodeRef all = everywhere(graph_.width(in));
            requirement(in, {all, all, all, all});
        }
    return true;
}

} // namespace

bool Invalidation::concern(ir::StateId id) const {
    return any_change[index(id)] || std::ranges::find(maps, id, &InvalidatingChange::state) != maps.end();
}

std::optional<Invalidation> find_invalidation(ValueGraph& graph, const StateLayout& layout, const ir::Program& program,
                                              NodeRef condition) {
    if (!graph.passes().on(Pass::Invalidation)) return std::nullopt;
    const Passes::Timer timer(graph.passes(), Pass::Invalidation);
    auto found = Finder(graph, layout, program).find(condition);
    if (found) graph.passes().changed(Pass::Invalidation, found->maps.size());
    return found;
}

} // namespace zug::run
