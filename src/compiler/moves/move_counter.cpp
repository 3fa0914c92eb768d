#include "compiler/moves/move_counter.hpp"

#include <utility>

namespace zug::run {

bool MoveCounter::count(NodeRef moves, bool legal) {
    if (legal) {
        if (!count_behind(moves)) add(graph_.count(moves));
        return true;
    }
    if (!unchecked_) return false;
    if (!loops_.empty()) loops_.back().stays = true;
    mark_unchecked(moves);
    return true;
}

void MoveCounter::enter(const ValueGraph::OpenLoop& open, NodeRef domain) {
    loops_.push_back({open, domain, std::nullopt, {}});
}

// If nothing is emitted in the loop, it is dropped: all that it would find is whether there are members that are not
// done, that is, with moves whose legality has to be checked.
void MoveCounter::close() {
    const Loop loop = std::move(loops_.back());
    loops_.pop_back();
    if (!loops_.empty()) loops_.back().stays = true;
    NodeRef left = loop.domain;
    if (loop.done) left = graph_.and_not(left, *loop.done);
    const bool needless = loop.done && unchecked_ && !loop.stays;
    graph_.narrow(loop.open, left);
    if (needless) graph_.drop(loop.open);
    graph_.close_loop(loop.open, no_node);
    if (needless) mark_unchecked(left);
    for (const NodeRef count : loop.counts) add(count);
}

void MoveCounter::finish() {
    if (sum_ != no_node) add_to_total(std::exchange(sum_, no_node));
}

// In the innermost loop the set is counted for all members at once, if it can be decomposed.
bool MoveCounter::count_behind(NodeRef moves) {
    if (loops_.empty()) return false;
    Loop& loop = loops_.back();
    const ValueGraph::Counted found = graph_.count_outside(loop.open, moves);
    const auto nothing = [&] { return graph_.set(std::vector<std::uint64_t>(graph_.width(loop.domain), 0)); };
    const NodeRef from = found.count == no_node ? nothing() : found.from;
    loop.done = loop.done ? graph_.and_(*loop.done, from) : from;
    loop.stays = loop.stays || found.count == no_node;
    if (found.count != no_node) loop.counts.push_back(found.count);
    return found.count != no_node;
}

void MoveCounter::mark_unchecked(NodeRef moves) {
    const NodeRef some = graph_.width(moves) == 1 ? moves : graph_.any(moves);
    graph_.effect(Family::Or, 1, *unchecked_, {graph_.fixed(*unchecked_, 1), some, no_node});
}

void MoveCounter::add(NodeRef count) {
    if (graph_.at_top())
        sum_ = sum_ == no_node ? count : graph_.op(Family::Add, sum_, count);
    else
        add_to_total(count);
}

void MoveCounter::add_to_total(NodeRef count) {
    graph_.effect(Family::Add, 1, total_, {graph_.fixed(total_, 1), count, no_node});
}

} // namespace zug::run
