#include "search/opponent/opponent_model.hpp"

#include "search/core/leaf.hpp"
#include "search/core/order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zug::search {

using game::Next;
using game::NodeKind;

OpponentModel::OpponentModel(game::Game& game, const Options& options, std::unique_ptr<Algorithm> opponent)
    : Engine(game, Method::OpponentModel, options), opponent_(std::move(opponent)),
      error_(options.error * (game.traits().max_utility - game.traits().min_utility)) {}

void OpponentModel::begin_search() {
    found_moves_.clear();
    opponent_nodes_ = 0;
}

void OpponentModel::count(std::vector<Count>& counts) const {
    if (opponent_) counts.push_back({"nodes of the opponent's searches", opponent_nodes_});
}

bool OpponentModel::pass(int depth, std::span<double> value) {
    own_side_ = game_.traits().allies(line_.mover(0));
    view_ = (own_side_ & 1) != 0 ? 1 : -1;
    evaluated_ = false;
    share_out(node(0, depth, Next::Unknown).model, own_side_, value);
    return !evaluated_;
}

OpponentModel::Values OpponentModel::node(int ply, int remaining, Next at) {
    frames_[ply].pv.clear();
    if (!enter(ply)) return {};
    if (at == Next::Terminal) return terminal(ply);
    if (remaining == 0) return horizon(ply, at);
    const NodeKind kind = line_.list(ply);
    if (kind == NodeKind::Terminal) return terminal(ply);
    show(ply, false);
    if (kind == NodeKind::Fault) {
        rule_failed();
        return {};
    }
    if (kind == NodeKind::Decision && options_.opponent && !is_own(ply)) return named(ply, remaining);
    if (!look(ply, remaining)) return {};
    if (kind == NodeKind::Chance) return chance(ply);
    return is_own(ply) ? own(ply) : others(ply);
}

OpponentModel::Values OpponentModel::terminal(int ply) {
    show(ply, true);
    const auto value = terminal_value(line_, ply, game_.traits());
    if (!value) rule_failed();
    return in_view(value.value_or(0));
}

OpponentModel::Values OpponentModel::horizon(int ply, Next at) {
    const NodeKind kind = at == Next::Open ? NodeKind::Decision : line_.kind(ply);
    if (kind == NodeKind::Terminal) return terminal(ply);
    show(ply, true);
    if (kind == NodeKind::Fault) {
        rule_failed();
        return {};
    }
    evaluated_ = true;
    return may_evaluate() ? in_view(static_value(line_, ply, game_.traits())) : Values{};
}

// The best line is that of the move that own() and others() would take; they agree on it with what is kept here.
bool OpponentModel::look(int ply, int remaining) {
    rank_by_id(frames_[ply], line_.moves(ply));
    const std::size_t moves = frames_[ply].order.size();
    while (children_.size() <= static_cast<std::size_t>(ply)) children_.emplace_back();
    std::vector<Values>& children = children_[static_cast<std::size_t>(ply)];
    children.clear();
    const bool mine = is_own(ply);
    double best = 0;
    for (std::size_t k = 0; k < moves; ++k) {
        const Ranked move = frames_[ply].order[k];
        const Next at = descend(ply, move.index);
        if (at == Next::Fault) return false;
        const Values values = node(ply + 1, remaining - 1, at);
        if (budget_.stopped()) return false;
        children.push_back(values);
        const double rank = mine ? values.model : -values.game;
        if (k > 0 && rank <= best) continue;
        best = rank;
        adopt_pv(ply, move.id);
    }
    return true;
}

OpponentModel::Values OpponentModel::own(int ply) {
    const std::vector<Values>& children = children_[static_cast<std::size_t>(ply)];
    return {std::ranges::max_element(children, {}, &Values::game)->game,
            std::ranges::max_element(children, {}, &Values::model)->model};
}

OpponentModel::Values OpponentModel::others(int ply) {
    const std::vector<Values>& children = children_[static_cast<std::size_t>(ply)];
    const double least = std::ranges::min_element(children, {}, &Values::game)->game;
    double sum = 0, weights = 0;
    for (const Values& child : children) {
        const double weight = std::exp((least - child.game) / error_);
        sum += weight * child.model;
        weights += weight;
    }
    return {least, sum / weights};
}

// What they do where they don't move at random is in found_moves_ from the first look on, so that deepening costs them
// no second search.
std::optional<std::size_t> OpponentModel::expected_move(int ply) {
    const std::vector<Ranked>& order = frames_[ply].order;
    if (!opponent_ || order.size() == 1) return 0;
    auto known = found_moves_.find(line_.hash(ply));
    if (known == found_moves_.end()) {
        Limits limits;
        limits.depth = options_.opponent->depth;
        limits.nodes = options_.opponent->nodes;
        limits.stop = limits_->stop;
        limits.seconds = limits_->seconds > 0 ? std::max(limits_->seconds - budget_.seconds(), 1e-3) : 0;
        limits.write_line = false;
        opponent_->forget();
        const Result found = opponent_->run(line_.state(ply), limits);
        opponent_nodes_ += found.nodes;
        budget_.made(found.nodes);
        if (!found.fault.empty()) budget_.fail(found.fault);
        if (!found.fault.empty() || !budget_.look()) return std::nullopt;
        const std::uint64_t move = found.pv_ids.empty() ? order.front().id : found.pv_ids.front();
        known = found_moves_.emplace(line_.hash(ply), move).first;
    }
    const auto at = std::ranges::find(order, known->second, &Ranked::id);
    return at == order.end() ? 0 : static_cast<std::size_t>(at - order.begin());
}

OpponentModel::Values OpponentModel::named(int ply, int remaining) {
    rank_by_id(frames_[ply], line_.moves(ply));
    const auto expected = expected_move(ply);
    if (!expected) return {};
    const std::size_t moves = frames_[ply].order.size();
    const double any = options_.opponent->random / static_cast<double>(moves);
    Values mean;
    for (std::size_t k = 0; k < moves; ++k) {
        const double probability = any + (k == *expected ? 1 - options_.opponent->random : 0);
        if (probability <= 0) continue;
        const Ranked move = frames_[ply].order[k];
        const Next at = descend(ply, move.index);
        if (at == Next::Fault) return {};
        const Values values = node(ply + 1, remaining - 1, at);
        if (budget_.stopped()) return {};
        mean.game += probability * values.game;
        mean.model += probability * values.model;
        if (k == *expected) adopt_pv(ply, move.id);
    }
    return mean;
}

OpponentModel::Values OpponentModel::chance(int ply) {
    const std::vector<Values>& children = children_[static_cast<std::size_t>(ply)];
    Values mean;
    for (std::size_t k = 0; k < children.size(); ++k) {
        const double probability = line_.moves(ply).probability(frames_[ply].order[k].index);
        mean.game = add_outcome(mean.game, probability, children[k].game);
        mean.model = add_outcome(mean.model, probability, children[k].model);
    }
    frames_[ply].pv.clear(); // the line ends where chance decides
    return mean;
}

} // namespace zug::search
