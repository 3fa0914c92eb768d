#include "draw/grower.hpp"

#include "base/stop_flag.hpp"
#include "game/faces.hpp"
#include "search/core/leaf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace zug::draw {

using game::NodeKind;
using search::Window;

namespace {

// What `zug play` shows of a position, without the last line, which says whose turn it is.
std::string board_of(game::Game& game, const game::State& state) {
    std::string text = game.draw(state, false);
    const std::size_t last = text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
    text.resize(last == std::string::npos ? 0 : last);
    return text;
}

bool is_small(const std::string& board) {
    constexpr std::size_t most_lines = 8, most_columns = 20;
    std::size_t lines = 0;
    for (std::size_t begin = 0; begin <= board.size(); ++lines) {
        const std::size_t end = std::min(board.find('\n', begin), board.size());
        if (game::characters(std::string_view(board).substr(begin, end - begin)).size() > most_columns) return false;
        begin = end + 1;
    }
    return lines >= 2 && lines <= most_lines; // a single line says little
}

// The same in the view of MIN.
Interval flipped(Interval value) { return {-value.upper, -value.lower}; }

bool suffices(const Interval& value, Window window) {
    return value.exact() || value.upper <= window.alpha || value.lower >= window.beta;
}

// Branches to one node become one.
void join(std::vector<Branch>& branches) {
    std::vector<Branch> joined;
    for (Branch& branch : branches) {
        const auto same =
            std::ranges::find_if(joined, [&](const Branch& other) { return other.node && other.node == branch.node; });
        if (same == joined.end()) {
            joined.push_back(std::move(branch));
            continue;
        }
        std::ranges::move(branch.moves, std::back_inserter(same->moves));
        same->probability += branch.probability;
        same->best = same->best || branch.best;
    }
    branches = std::move(joined);
}

} // namespace

Grower::Grower(game::Game& game, const game::State& root, const GrowOptions& options)
    : game_(game), options_(options),
      margin_(1e-11 * std::max({1.0, std::abs(game.traits().min_utility), std::abs(game.traits().max_utility)})),
      line_(game), positions_(game, root, options.merge) {
    boards_ = options.boards == Boards::On || (options.boards == Boards::Small && is_small(board_of(game, root)));
    tree_.title = game.program().title;
    tree_.players = game.program().players;
    for (std::uint32_t t = 0; t < game.traits().teams(); ++t) tree_.teams.push_back(game.team_name(t));
    tree_.method = options.method;
}

tl::expected<Tree, Error> Grower::run(const game::State& root) {
    if (!node(root, 0, search::full_window)) return tl::unexpected(*error_);
    finish();
    return std::move(tree_);
}

std::nullopt_t Grower::fail(std::string text) {
    error_ = Error{std::move(text)};
    return std::nullopt;
}

std::optional<NodeIndex> Grower::node(const game::State& state, int ply, Window window) {
    const auto key = positions_.key(state, ply);
    if (key)
        if (const auto found = positions_.find(*key); found && suffices(tree_.nodes[*found].value, window))
            return found;
    const auto added = add(state, ply, window);
    if (added && key) positions_.put(*key, *added);
    return added;
}

std::optional<NodeIndex> Grower::add(const game::State& state, int ply, Window window) {
    if (is_set(options_.stop)) return fail("interrupted");
    if (tree_.nodes.size() >= options_.most_nodes) {
        too_large_ = true;
        return fail("the tree is too large");
    }
    const NodeIndex index = tree_.nodes.size();
    Node& node = tree_.nodes.emplace_back();
    node.ply = ply;
    node.player = game_.to_move(state);
    if (boards_) node.board = board_of(game_, state);
    Open open{.index = index, .state = state, .moves = {}, .order = {}, .texts = {}};
    const bool at_horizon = ply >= options_.depth;
    const NodeKind kind = at_horizon ? game_.kind(state) : game_.expand(state, open.moves);
    bool grown = false;
    switch (kind) {
    case NodeKind::Fault: return fail(game_.fault_text());
    case NodeKind::Terminal: grown = leaf(index, state, Kind::End); break;
    case NodeKind::Chance: node.kind = Kind::Chance; break;
    case NodeKind::Decision:
        node.kind = tree_.by_player() ? Kind::Player : game_.traits().team[node.player] == 0 ? Kind::Max : Kind::Min;
        break;
    }
    if (kind != NodeKind::Terminal) grown = at_horizon ? leaf(index, state, Kind::Horizon) : inner(open, window);
    return grown ? std::optional(index) : std::nullopt;
}

bool Grower::leaf(NodeIndex index, const game::State& state, Kind kind) {
    Node& node = tree_.nodes[index];
    node.kind = kind;
    line_.start(state);
    std::array<double, game::max_players> room;
    const std::span values = std::span(room).first(game_.players());
    if (kind == Kind::Horizon) {
        search::static_values(line_, 0, game_.traits(), values);
    } else if (!search::terminal_values(line_, 0, values)) {
        fail(game_.fault_text());
        return false;
    }
    node.value = {values[0], values[0]};
    if (tree_.by_player()) node.values.assign(values.begin(), values.end());
    return true;
}

bool Grower::inner(Open& open, Window window) {
    open.order.resize(open.moves.size());
    std::iota(open.order.begin(), open.order.end(), 0U);
    std::ranges::sort(open.order, {}, [&](std::size_t i) { return open.moves.id(i); });
    open.texts = game_.move_texts(open.state, open.moves);
    const bool chance = tree_.nodes[open.index].kind == Kind::Chance;
    bool grown = false;
    if (tree_.by_player()) {
        grown = chance ? average_by_player(open) : decide_by_player(open);
    } else {
        if (options_.pruning) tree_.nodes[open.index].window = window;
        grown = chance ? average(open, window) : decide(open, window);
    }
    if (grown && options_.merge != Merge::None) join(tree_.nodes[open.index].branches);
    return grown;
}

std::optional<NodeIndex> Grower::branch(Open& open, std::size_t i, Window window) {
    const std::size_t move = open.order[i];
    game::State next;
    if (!game_.successor(open.state, open.moves, move, next)) return fail(game_.fault_text());
    const auto child = node(next, tree_.nodes[open.index].ply + 1, window);
    if (!child) return child;
    Node& above = tree_.nodes[open.index];
    const double probability = above.kind == Kind::Chance ? open.moves.probability(move) : 0;
    above.branches.push_back({.moves = {open.texts[move]}, .probability = probability, .node = child});
    return child;
}

void Grower::prune(Open& open, std::size_t i, Cut cut, double bound) {
    Node& node = tree_.nodes[open.index];
    if (i == open.order.size()) return;
    node.cut = cut;
    node.bound = bound;
    for (; i < open.order.size(); ++i) {
        const std::size_t move = open.order[i];
        const double probability = node.kind == Kind::Chance ? open.moves.probability(move) : 0;
        node.branches.push_back({.moves = {open.texts[move]}, .probability = probability, .node = {}});
    }
}

// In the view of the player who moves, whose window is (alpha, beta).
bool Grower::decide(Open& open, Window window) {
    const bool min = tree_.nodes[open.index].kind == Kind::Min;
    Window own = min ? window.flipped() : window;
    Interval best{-infinity, -infinity};
    std::optional<std::size_t> best_branch;
    for (std::size_t i = 0; i < open.order.size(); ++i) {
        const auto child = branch(open, i, !options_.pruning ? search::full_window : min ? own.flipped() : own);
        if (!child) return false;
        const Interval found = min ? flipped(tree_.nodes[*child].value) : tree_.nodes[*child].value;
        if (found.lower > best.lower) best_branch = i;
        best = {std::max(best.lower, found.lower), std::max(best.upper, found.upper)};
        own.alpha = std::max(own.alpha, best.lower);
        if (!options_.pruning || best.lower < own.beta) continue;
        if (i + 1 < open.order.size()) best.upper = infinity;
        prune(open, i + 1, min ? Cut::Alpha : Cut::Beta, min ? -own.beta : own.beta);
        break;
    }
    Node& node = tree_.nodes[open.index];
    node.value = min ? flipped(best) : best;
    if (best_branch) node.branches[*best_branch].best = true;
    return true;
}

bool Grower::decide_by_player(Open& open) {
    const std::uint32_t mover = tree_.nodes[open.index].player;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < open.order.size(); ++i) {
        const auto child = branch(open, i, search::full_window);
        if (!child) return false;
        Node& node = tree_.nodes[open.index];
        const std::vector<double>& values = tree_.nodes[*child].values;
        if (best && values[mover] <= node.values[mover]) continue;
        best = i;
        node.values = values;
        if (!options_.pruning || values[mover] < game_.traits().max_utility) continue;
        prune(open, i + 1, Cut::Best, values[mover]);
        break;
    }
    if (best) tree_.nodes[open.index].branches[*best].best = true;
    tree_.nodes[open.index].value = {0, 0};
    return true;
}

// The values of an outcome that leave undecided on which side of the window the mean lies: Star1.
Window Grower::inner_window(Window window, const Mean& mean, double probability) const {
    if (!options_.pruning) return search::full_window;
    const double low = game_.traits().min_utility, high = game_.traits().max_utility;
    return {(window.alpha - mean.sum - mean.rest * high - 2 * margin_) / probability,
            (window.beta - mean.sum - mean.rest * low + 2 * margin_) / probability};
}

Cut Grower::certain(const Interval& mean, Window window) const {
    if (!options_.pruning) return Cut::None;
    if (mean.upper <= window.alpha - margin_) return Cut::Low;
    return mean.lower >= window.beta + margin_ ? Cut::High : Cut::None;
}

// Adds an outcome to the mean. What the mean may be, then.
std::optional<Interval> Grower::outcome(Open& open, std::size_t i, Window window, Mean& mean) {
    const double low = game_.traits().min_utility, high = game_.traits().max_utility;
    const double probability = open.moves.probability(open.order[i]);
    mean.rest = i + 1 == open.order.size() ? 0 : std::max(0.0, mean.rest - probability);
    const NodeIndex before = tree_.nodes.size();
    auto child = branch(open, i, inner_window(window, mean, probability));
    if (!child) return std::nullopt;
    const auto grown = [&](const Interval& value) {
        return Interval{search::add_outcome(mean.sum, probability, value.lower) + mean.rest * low,
                        search::add_outcome(mean.sum, probability, value.upper) + mean.rest * high};
    };
    Interval value = tree_.nodes[*child].value;
    if (!value.exact() && certain(grown(value), window) == Cut::None) {
        // A bound that decides nothing, which only rounding can lead to.
        tree_.nodes[open.index].branches.pop_back();
        forget_from(before);
        child = branch(open, i, search::full_window);
        if (!child) return std::nullopt;
        value = tree_.nodes[*child].value;
    }
    const Interval range = grown(value);
    mean.sum = search::add_outcome(mean.sum, probability, value.lower);
    return range;
}

bool Grower::average(Open& open, Window window) {
    Mean mean;
    Interval range{0, 0};
    for (std::size_t i = 0; i < open.order.size(); ++i) {
        const auto found = outcome(open, i, window, mean);
        if (!found) return false;
        range = *found;
        const Cut cut = certain(range, window);
        if (cut == Cut::None || range.exact()) continue;
        (cut == Cut::Low ? range.lower : range.upper) = cut == Cut::Low ? -infinity : infinity;
        prune(open, i + 1, cut, cut == Cut::Low ? window.alpha : window.beta);
        break;
    }
    tree_.nodes[open.index].value = range;
    return true;
}

bool Grower::average_by_player(Open& open) {
    std::vector<double> mean(game_.players(), 0.0);
    for (std::size_t i = 0; i < open.order.size(); ++i) {
        const auto child = branch(open, i, search::full_window);
        if (!child) return false;
        const double probability = open.moves.probability(open.order[i]);
        for (std::size_t p = 0; p < mean.size(); ++p)
            mean[p] = search::add_outcome(mean[p], probability, tree_.nodes[*child].values[p]);
    }
    tree_.nodes[open.index].values = std::move(mean);
    tree_.nodes[open.index].value = {0, 0};
    return true;
}

void Grower::forget_from(NodeIndex first) {
    tree_.nodes.resize(first);
    positions_.forget_from(first);
}

// What is known only of the whole tree.
void Grower::finish() {
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n)
        for (const Branch& branch : tree_.nodes[n].branches)
            if (branch.node) ++tree_.nodes[*branch.node].parents;
    for (std::optional<NodeIndex> at = 0; at;) {
        Node& node = tree_.nodes[*at];
        node.principal = true;
        const auto best = std::ranges::find_if(node.branches, &Branch::best);
        at = best == node.branches.end() ? std::nullopt : best->node;
    }
}

} // namespace zug::draw
