#include "search/one_player/a_star.hpp"

#include <algorithm>

namespace zug::search {

using game::Next;

namespace {
// The parts of the memory: the rest is for positions.
constexpr std::size_t heap_share = 4;
constexpr std::size_t least_memory = std::size_t{1} << 20;
} // namespace

AStar::AStar(game::Game& game, const Options& options) : OnePlayer(game, Method::AStar, options) {}

void AStar::search(const Rank& best_possible) {
    const std::size_t memory = std::max(options_.memory, least_memory);
    const game::State root = line_.state(0);
    nodes_.begin(root.words.size(), memory - memory / heap_share);
    most_open_ = memory / heap_share / sizeof(Open);
    open_.clear();
    expanded_ = reopened_ = 0;
    scratch_ = root;
    budget_.visit();
    const auto first = nodes_.insert(line_.hash(0), root.words);
    nodes_[first->id].estimate = line_.estimate(0);
    push({best_possible, 0, 0, first->id});
    std::uint32_t length = 0;
    while (!open_.empty() && improves(open_.front().rank)) {
        const Open best = pop();
        NodeStore::Node& node = nodes_[best.id];
        if (node.expanded || node.plies != best.plies) continue;
        if (best.plies >= longest()) {
            leave_out(best.rank);
            continue;
        }
        if (best.rank.plies > length) deepened(length = best.rank.plies);
        node.expanded = true;
        if (!expand(best)) break;
    }
    if (!stopped() && (!best() || best()->utility < 0)) look_for_cycle();
    count("expanded", expanded_);
    count("reopened", reopened_);
    count("kept", nodes_.size());
    nodes_.begin(1, memory); // gives the memory back
    open_ = {};
}

void AStar::push(const Open& open) {
    open_.push_back(open);
    std::ranges::push_heap(open_, Open::comes_later);
}

AStar::Open AStar::pop() {
    std::ranges::pop_heap(open_, Open::comes_later);
    const Open best = open_.back();
    open_.pop_back();
    return best;
}

void AStar::load(Id id) {
    const auto words = nodes_.words(id);
    scratch_.words.assign(words.begin(), words.end());
    line_.start(scratch_);
}

// Makes the children of a position. False: the search is over.
bool AStar::expand(const Open& open) {
    ++expanded_;
    load(open.id);
    for (Next at = first_child(0); at != Next::None; at = next_child(0)) {
        if (at == Next::Fault || !budget_.visit() || !child(open, at)) return false;
    }
    return true;
}

// What becomes of the position that the last move from `parent` has made.
bool AStar::child(const Open& parent, Next at) {
    const std::uint32_t plies = parent.plies + 1;
    if (at != Next::Terminal) {
        // Most positions have been met before: that is looked up before the bound is worked out.
        const game::State& state = line_.state(1);
        const auto known = nodes_.find(line_.hash(1), state.words);
        if (known) return reach(parent, {*known, false});
    }
    const auto position = look(1, at);
    if (!position) return false;
    const Rank rank = position->rank(plies);
    if (position->end) {
        if (improves(rank)) found(rank, way_to(parent.id, line_.move_id(0)));
        return true;
    }
    if (!improves(worse_of(rank, parent.rank))) return true;
    const auto node = nodes_.insert(line_.hash(1), line_.state(1).words);
    if (!node || open_.size() >= most_open_) {
        give_up();
        return false;
    }
    nodes_[node->id].estimate = position->estimate;
    if (promises(position->estimate)) promise(position->estimate, way_to(parent.id, line_.move_id(0)));
    return reach(parent, *node);
}

// A way through `parent` leads to the node.
bool AStar::reach(const Open& parent, NodeStore::Found found) {
    NodeStore::Node& node = nodes_[found.id];
    const std::uint32_t plies = parent.plies + 1;
    // Where nothing is to be gained the length of the way does not matter.
    if (!found.fresh && (node.plies <= plies || (node.expanded && node.estimate.utility <= 0))) return true;
    if (!found.fresh && node.expanded) ++reopened_;
    node.parent = parent.id;
    node.plies = plies;
    node.expanded = false;
    const Rank rank = worse_of(open_rank(node.estimate, plies), parent.rank);
    if (improves(rank)) push({rank, opinion(1), plies, found.id});
    return true;
}

// -- ways

std::vector<std::uint64_t> AStar::way_to(Id id, std::uint64_t last_move) {
    std::vector<std::uint64_t> way{last_move};
    for (Id parent = nodes_[id].parent; parent != NodeStore::no_id; id = parent, parent = nodes_[id].parent)
        way.push_back(move_between(parent, id));
    std::ranges::reverse(way);
    return way;
}

// By lists and states, since the line is in use.
std::uint64_t AStar::move_between(Id from, Id to) {
    game::State state, next;
    const auto words = nodes_.words(from);
    state.words.assign(words.begin(), words.end());
    game::MoveList moves;
    game_.expand(state, moves);
    std::uint64_t least = UINT64_MAX;
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (moves.id(i) < least && game_.successor(state, moves, i, next) &&
            std::ranges::equal(next.words, nodes_.words(to)))
            least = moves.id(i);
    return least;
}

// -- cycles

bool AStar::list_children(Step& step) {
    load(step.id);
    for (Next at = first_child(0); at != Next::None; at = next_child(0)) {
        if (at == Next::Fault || !budget_.visit()) return false;
        const auto id = nodes_.find(line_.hash(1), line_.state(1).words);
        if (id) step.children.emplace_back(line_.move_id(0), *id);
    }
    return true;
}

void AStar::look_for_cycle() {
    std::vector<Step> steps;
    for (Id id = 0; id != NodeStore::no_id;) {
        nodes_[id].on_line = nodes_[id].searched = true;
        if (!list_children(steps.emplace_back(Step{id, {}, 0}))) return;
        for (id = NodeStore::no_id; !steps.empty() && id == NodeStore::no_id;) {
            Step& last = steps.back();
            if (last.next == last.children.size()) {
                nodes_[last.id].on_line = false;
                steps.pop_back();
                continue;
            }
            const Id to = last.children[last.next++].second;
            if (nodes_[to].on_line) {
                std::vector<std::uint64_t> line;
                for (const Step& step : steps) line.push_back(step.children[step.next - 1].first);
                return found(endless, std::move(line));
            }
            if (!nodes_[to].searched) id = to;
        }
    }
}

} // namespace zug::search
