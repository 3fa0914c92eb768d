#include "game/bound_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace zug::game {

namespace {

constexpr std::uint32_t unreached = UINT32_MAX;
constexpr std::uint32_t none = UINT32_MAX;
constexpr double tolerance = 1e-9;
constexpr double worst = -std::numeric_limits<double>::infinity();

// Positions as a graph, and what their ends make of them.
class Exploration {
public:
    explicit Exploration(Game& game) : game_(game) {}

    // Returns whether all positions have been seen.
    bool explore(const State& start, std::uint64_t most, const std::function<bool()>& stop);
    std::uint64_t size() const { return nodes_.size(); }
    std::optional<BoundFault> find_fault();

private:
    struct Node {
        State state;
        bool open = true;
        double value = worst;            // the most that play is known to lead to
        std::uint32_t by = none;         // the child that leads there; none: this is the end, or play goes round
        std::uint32_t plies = unreached; // to the nearest end with a utility above 0
        std::uint32_t plies_by = none;   // the child that leads there
        std::vector<std::uint32_t> parents;
        std::uint32_t children = 0;
    };
    // Equal hashes are compared, so that no two positions are taken for one.
    std::optional<std::uint32_t> find(std::uint64_t hash, const State& state) const;
    std::uint32_t add(const State& state);
    bool expand(std::uint32_t id);
    void find_values();
    void find_cycles();
    void spread(std::uint32_t end, double value);
    void find_plies();
    std::vector<std::string> line(std::uint32_t id, std::uint32_t Node::*by);
    BoundFault wrong_moves(std::uint32_t id, const Estimate& estimate);
    BoundFault wrong_payoff(std::uint32_t id, const Estimate& estimate);

    Game& game_;
    std::vector<Node> nodes_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

std::optional<std::uint32_t> Exploration::find(std::uint64_t hash, const State& state) const {
    const auto [begin, end] = by_hash_.equal_range(hash);
    for (auto it = begin; it != end; ++it)
        if (nodes_[it->second].state.words == state.words) return it->second;
    return std::nullopt;
}

std::uint32_t Exploration::add(const State& state) {
    const auto id = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.state = state, .parents = {}});
    by_hash_.emplace(game_.hash(state), id);
    return id;
}

bool Exploration::explore(const State& start, std::uint64_t most, const std::function<bool()>& stop) {
    add(start);
    std::uint32_t id = 0;
    for (; id < nodes_.size() && nodes_.size() < most; ++id) {
        if (id % 256 == 0 && stop && stop()) return false;
        if (!expand(id)) return false;
    }
    // Ends among those that were not expanded count, too.
    const bool whole = id == nodes_.size();
    for (; id < nodes_.size(); ++id) nodes_[id].open = game_.kind(nodes_[id].state) != NodeKind::Terminal;
    game_.clear_fault();
    return whole;
}

bool Exploration::expand(std::uint32_t id) {
    MoveList moves;
    State next;
    const State state = nodes_[id].state; // add() may move it
    const NodeKind kind = game_.expand(state, moves);
    nodes_[id].open = kind == NodeKind::Decision;
    bool good = kind == NodeKind::Decision || kind == NodeKind::Terminal;
    for (std::size_t i = 0; i < moves.size() && good; ++i) {
        good = game_.successor(state, moves, i, next);
        if (!good) break;
        const auto known = find(game_.hash(next), next);
        const std::uint32_t child = known ? *known : add(next);
        nodes_[child].parents.push_back(id);
        ++nodes_[id].children;
    }
    if (!good) game_.clear_fault(); // found and told by whoever plays
    return good;
}

// Ends in order of falling utility: whoever can reach one has nothing better.
void Exploration::find_values() {
    std::map<double, std::vector<std::uint32_t>, std::greater<>> ends;
    std::vector<double> payoffs(game_.players());
    for (std::uint32_t id = 0; id < nodes_.size(); ++id)
        if (!nodes_[id].open && game_.payoffs(nodes_[id].state, payoffs)) ends[payoffs[0]].push_back(id);
    game_.clear_fault();
    bool cycles = false;
    for (const auto& [utility, ids] : ends) {
        if (utility < 0 && !std::exchange(cycles, true)) find_cycles();
        for (const std::uint32_t id : ids) spread(id, utility);
    }
    if (!cycles) find_cycles();
}

void Exploration::spread(std::uint32_t end, double value) {
    if (nodes_[end].value > worst) return;
    nodes_[end].value = value;
    std::vector<std::uint32_t> reached{end};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const std::uint32_t parent : nodes_[reached[i]].parents) {
            if (nodes_[parent].value > worst) continue;
            nodes_[parent].value = value;
            nodes_[parent].by = reached[i];
            reached.push_back(parent);
        }
}

// What remains when positions without children are taken away, again and again, can go round for ever.
void Exploration::find_cycles() {
    std::vector<std::uint32_t> children(nodes_.size()), gone;
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        children[id] = nodes_[id].children;
        if (children[id] == 0) gone.push_back(id);
    }
    for (std::size_t i = 0; i < gone.size(); ++i)
        for (const std::uint32_t parent : nodes_[gone[i]].parents)
            if (--children[parent] == 0) gone.push_back(parent);
    for (std::uint32_t id = 0; id < nodes_.size(); ++id)
        if (children[id] > 0 && nodes_[id].value == worst) nodes_[id].value = 0;
}

void Exploration::find_plies() {
    std::vector<std::uint32_t> reached;
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        if (nodes_[id].open || !(nodes_[id].value > 0)) continue;
        nodes_[id].plies = 0;
        reached.push_back(id);
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const std::uint32_t parent : nodes_[reached[i]].parents) {
            if (nodes_[parent].plies != unreached) continue;
            nodes_[parent].plies = nodes_[reached[i]].plies + 1;
            nodes_[parent].plies_by = reached[i];
            reached.push_back(parent);
        }
}

std::optional<BoundFault> Exploration::find_fault() {
    find_values();
    find_plies();
    std::vector<std::uint32_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t id) { return nodes_[id].plies; });
    for (const std::uint32_t id : order) {
        const Node& node = nodes_[id];
        if (!node.open) continue;
        const Estimate estimate = game_.estimate(node.state);
        if (node.value > estimate.utility + tolerance * std::max(1.0, std::abs(node.value)))
            return wrong_payoff(id, estimate);
        if (node.plies < estimate.plies) return wrong_moves(id, estimate);
    }
    return std::nullopt;
}

std::vector<std::string> Exploration::line(std::uint32_t id, std::uint32_t Node::*by) {
    std::vector<std::string> texts;
    MoveList moves;
    State next;
    for (std::uint32_t to = nodes_[id].*by; to != none; id = to, to = nodes_[id].*by) {
        game_.expand(nodes_[id].state, moves);
        for (std::size_t i = 0; i < moves.size(); ++i)
            if (game_.successor(nodes_[id].state, moves, i, next) && next.words == nodes_[to].state.words) {
                texts.push_back(game_.move_text(nodes_[id].state, moves, i));
                break;
            }
    }
    return texts;
}

BoundFault Exploration::wrong_moves(std::uint32_t id, const Estimate& estimate) {
    return {game_.program().bound->moves,
            fmt::format("`bound` says that a win takes at least {} moves, and {} are enough: {}\n  position: {}",
                        estimate.plies, nodes_[id].plies, fmt::join(line(id, &Node::plies_by), " "),
                        game_.position_text(nodes_[id].state))};
}

// A bound of infinitely many moves says that nothing is to be gained, which may be what is wrong.
BoundFault Exploration::wrong_payoff(std::uint32_t id, const Estimate& estimate) {
    const Node& node = nodes_[id];
    const run::Bounds said = game_.executor().bounds(node.state);
    const bool by_moves = estimate.utility < said.payoff;
    const std::string how =
        node.by == none ? "play can go on for ever, which is worth 0"
                        : fmt::format("these moves lead to {:g}: {}", node.value, fmt::join(line(id, &Node::by), " "));
    return {by_moves ? game_.program().bound->moves : game_.program().bound->payoff,
            fmt::format("`bound` says that the payoff is at most {:g}, and {}\n  position: {}", estimate.utility, how,
                        game_.position_text(node.state))};
}

} // namespace

BoundReport check_bound(Game& game, const State& start, std::uint64_t most_positions,
                        const std::function<bool()>& stop) {
    BoundReport report;
    Exploration exploration(game);
    report.whole = exploration.explore(start, most_positions, stop);
    report.positions = exploration.size();
    report.fault = exploration.find_fault();
    return report;
}

} // namespace zug::game
