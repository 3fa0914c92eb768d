// Hoisting of common guards: where adjacent effects each have a guard, a necessary condition that the guards share is
// tested once, before them.
//
// Example: a rule that is unrolled by direction has a guard for each direction. Castling looks for a rook in sight
// eight times, though there is seldom one in any direction.

#include "compiler/graph/value_graph.hpp"

#include <algorithm>

namespace zug::run {
namespace {

constexpr std::size_t worth_hoisting = 3; // guards

} // namespace

// A necessary condition: rays from `from` through `through` reach a member of `targets`.
struct ValueGraph::Sighting {
    NodeRef targets = no_node, from = no_node, through = no_node;
    std::vector<std::uint32_t> steps; // of the rays
};

// A sighting that the condition implies; nullopt: the condition is of another form.
std::optional<ValueGraph::Sighting> ValueGraph::sighting(NodeRef condition) const {
    const Node& asked = (*this)[condition];
    const Node* set = nullptr;
    if (asked.family == Family::Not) {
        // `the S` is not none only if S is not empty.
        const Node& equal = (*this)[asked.in[0]];
        if (equal.family != Family::Eq || !is_constant(equal.in[1]) || constant_word(equal.in[1]) != ir::none ||
            (*this)[equal.in[0]].family != Family::OnlyMember)
            return std::nullopt;
        set = &(*this)[(*this)[equal.in[0]].in[0]];
        if (set->family != Family::And) return std::nullopt;
    } else if (asked.family == Family::AnyAnd) {
        set = &asked;
    } else {
        return std::nullopt;
    }
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
        const Node& rays = (*this)[set->in[k]];
        if (rays.family != Family::Rays) continue;
        // Rays from the only member of a set are among those from all its members.
        NodeRef from = rays.in[0];
        if (const Node& bit = (*this)[from];
            bit.family == Family::Bit && (*this)[bit.in[0]].family == Family::OnlyMember)
            from = (*this)[bit.in[0]].in[0];
        return Sighting{set->in[1 - k], from, rays.in[1], ray_lists_[rays.extra]};
    }
    return std::nullopt;
}

// A condition that all guards in [begin, end) of the routine's order imply; no_node: none is found.
NodeRef ValueGraph::common_need(std::size_t begin, std::size_t end) {
    std::optional<Sighting> all;
    for (std::size_t at = begin; at < end; ++at) {
        const Node& node = (*this)[regions_[0].order[at]];
        if (!node.effect) continue;
        const auto one = sighting(loops_[node.extra].domain);
        if (!one || (all && (one->targets != all->targets || one->from != all->from || one->through != all->through)))
            return no_node;
        if (all)
            all->steps.insert(all->steps.end(), one->steps.begin(), one->steps.end());
        else
            all = one;
    }
    const std::uint16_t words = width(all->from);
    const NodeRef seen = make(Family::Rays, words, {all->from, all->through, no_node}, 0, ray_list(all->steps));
    return make(Family::AnyAnd, words, {seen, all->targets, no_node});
}

bool ValueGraph::changes_state(NodeRef effect) const {
    const Node& node = (*this)[effect];
    if (node.family != Family::Loop) return node.reg != 0 && node.reg < layout_.state_words();
    return std::ranges::any_of(regions_[loops_[node.extra].region].order,
                               [&](NodeRef n) { return (*this)[n].effect && changes_state(n); });
}

void ValueGraph::hoist_common_guards(std::span<const NodeRef> roots) {
    const auto guards = [&](NodeRef n) {
        return (*this)[n].effect && (*this)[n].family == Family::Loop &&
               loops_[(*this)[n].extra].reduce == Reduce::Once;
    };
    for (std::size_t at = 0; at < regions_[0].order.size(); ++at) {
        if (!guards(regions_[0].order[at])) continue;
        std::size_t end = at, parts = 0;
        for (std::size_t k = at; k < regions_[0].order.size(); ++k) {
            const NodeRef n = regions_[0].order[k];
            if (!(*this)[n].effect) continue;
            if (!guards(n)) break;
            end = k + 1;
            ++parts;
        }
        if (parts >= worth_hoisting) end = guard_together(roots, at, end);
        at = end - 1;
    }
}

// Moves the guards in [begin, end), and the nodes that only they need, into one outer guard. Returns the index in the
// order of what follows it.
std::size_t ValueGraph::guard_together(std::span<const NodeRef> roots, std::size_t begin, std::size_t end) {
    const std::size_t built = regions_[0].order.size();
    const NodeRef need = common_need(begin, end);
    if (need == no_node) return end;
    std::vector<NodeRef>& order = regions_[0].order;
    const std::vector<NodeRef> fresh(order.begin() + static_cast<std::ptrdiff_t>(built), order.end());
    order.resize(built);
    const std::vector<NodeRef> parts(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                     order.begin() + static_cast<std::ptrdiff_t>(end));
    for (Node& node : nodes_) node.live = false;
    mark(need);
    for (NodeRef n : roots) mark(n);
    for (std::size_t k = 0; k < order.size(); ++k)
        if (nodes_[position(order[k])].effect && (k < begin || k >= end)) mark(order[k]);
    std::vector<NodeRef> before, inside;
    for (std::size_t k = 0; k < end; ++k) {
        const Node& node = nodes_[position(order[k])];
        const bool own = !node.effect && !node.live;
        if (node.effect && k < begin && !inside.empty() && changes_state(order[k])) {
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(begin), fresh.begin(), fresh.end());
            return end + fresh.size();
        }
        (own || (node.effect && k >= begin) ? inside : before).push_back(order[k]);
    }
    const auto region = static_cast<std::uint32_t>(regions_.size());
    regions_.push_back({0, 1, false, std::move(inside)});
    Node guard;
    guard.family = Family::Loop;
    guard.extra = static_cast<std::uint32_t>(loops_.size());
    guard.effect = true;
    guard.origin = (*this)[parts.back()].origin;
    loops_.push_back({Reduce::Once, need, no_node, no_node, no_node, region, 1});
    const auto added = static_cast<NodeRef>(nodes_.size());
    nodes_.push_back(std::move(guard));
    const std::vector<NodeRef> rest(regions_[0].order.begin() + static_cast<std::ptrdiff_t>(end),
                                    regions_[0].order.end());
    before.insert(before.end(), fresh.begin(), fresh.end());
    before.push_back(added);
    passes_.changed(Pass::HoistGuards);
    const std::size_t behind = before.size();
    before.insert(before.end(), rest.begin(), rest.end());
    regions_[0].order = std::move(before);
    return behind;
}

} // namespace zug::run
