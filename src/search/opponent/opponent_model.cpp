#include "search/opponent/opponent_model.hpp"

#include "search/core/leaf.hpp"
#include "search/core/order.hpp"

#include <algorithm>
#include <cmath>

namespace zug::search {

using game::Next;
using game::NodeKind;

OpponentModel::OpponentModel(game::Game& game, const Options& options)
    : Engine(game, Method::OpponentModel, options),
      error_(options.error * (game.traits().max_utility - game.traits().min_utility)) {}

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
