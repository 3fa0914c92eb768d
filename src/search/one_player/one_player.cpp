#include "search/one_player/one_player.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>
#include <utility>

namespace zug::search {

using game::Next;
using game::NodeKind;

OnePlayer::OnePlayer(game::Game& game, Method method, const Options& options)
    : game_(game), line_(game), options_(options), method_(method) {}

Result OnePlayer::run(const game::State& root, const Limits& limits) {
    Result result;
    result.method = method_;
    limits_ = &limits;
    result_ = &result;
    found_.reset();
    left_out_.reset();
    gave_up_ = false;
    promise_.reset();
    best_line_.clear();
    promising_line_.clear();
    longest_ = limits.depth >= 0 ? static_cast<std::uint32_t>(limits.depth) : UINT32_MAX;
    budget_.start(limits, [this] { report(*result_, false); });
    begin(result, root);
    result.fault = budget_.failure();
    result.nodes = budget_.nodes();
    result.seconds = budget_.seconds();
    limits_ = nullptr;
    result_ = nullptr;
    return result;
}

void OnePlayer::begin(Result& result, const game::State& root) {
    line_.start(root);
    const NodeKind kind = line_.kind(0);
    if (kind == NodeKind::Fault) return rule_failed();
    result.value.resize(1);
    if (kind == NodeKind::Terminal) {
        const auto utility = terminal_value(line_, 0, game_.traits());
        if (!utility) return rule_failed();
        result.value[0] = *utility;
        result.exact = result.complete = true;
        budget_.visit();
        return;
    }
    result.value[0] = expected_ = opinion(0);
    search(open_rank(line_.estimate(0), 0));
    finish(result, root);
}

// What was left out may be worth as much as its rank says; what was found is proven if that is no better. If it is not
// proven, and worse than what the evaluation expects, that is expected still.
void OnePlayer::finish(Result& result, const game::State& root) {
    const bool all = !budget_.stopped() && !gave_up_;
    result.exact = all && found_ && !(left_out_ && better(*left_out_, *found_));
    result.complete = all && (result.exact || limits_->depth >= 0);
    const bool ends = found_ && (result.exact || found_->utility >= expected_);
    result.value[0] = ends ? found_->utility + 0.0 : expected_; // no -0
    result.pv_ids = ends || promising_line_.empty() ? best_line_ : promising_line_;
    if (ends) result.depth = static_cast<int>(best_line_.size());
    write_pv(game_, root, result);
}

void OnePlayer::found(const Rank& rank, std::vector<std::uint64_t> line) {
    found_ = rank;
    best_line_ = std::move(line);
    if (rank.utility >= expected_) result_->value[0] = rank.utility + 0.0;
}

void OnePlayer::promise(const game::Estimate& estimate, std::vector<std::uint64_t> line) {
    promise_ = estimate;
    promising_line_ = std::move(line);
}

std::optional<OnePlayer::Position> OnePlayer::look(int ply, Next at) {
    if (at == Next::Unknown) {
        const NodeKind kind = line_.kind(ply);
        if (kind == NodeKind::Fault) at = Next::Fault;
        if (kind == NodeKind::Terminal) at = Next::Terminal;
    }
    Position position;
    if (at == Next::Terminal) {
        const auto utility = terminal_value(line_, ply, game_.traits());
        if (!utility) at = Next::Fault;
        position = {.end = true, .estimate = {.utility = utility.value_or(0), .plies = 0}};
    } else if (at != Next::Fault) {
        position.estimate = line_.estimate(ply);
        if (game_.faulted()) at = Next::Fault; // the bound took more work than is allowed
    }
    if (at != Next::Fault) return position;
    rule_failed();
    return std::nullopt;
}

double OnePlayer::opinion(int ply) {
    const game::Traits& traits = game_.traits();
    return traits.has_eval && traits.min_utility < traits.max_utility ? static_value(line_, ply, traits) : 0;
}

Next OnePlayer::first_child(int ply) {
    Next at = Next::Fault;
    if (line_.walks_by_id()) {
        at = line_.first(ply);
    } else if (line_.list(ply) != NodeKind::Fault) {
        const auto at_ply = static_cast<std::size_t>(ply);
        if (ordered_.size() <= at_ply) ordered_.resize(at_ply + 1);
        Ordered& order = ordered_[at_ply];
        const game::MoveList& moves = line_.moves(ply);
        order.next = 0;
        order.ids.clear();
        for (std::uint32_t i = 0; i < moves.size(); ++i) order.ids.emplace_back(moves.id(i), i);
        std::ranges::sort(order.ids);
        return next_child(ply);
    }
    if (at == Next::Fault) rule_failed();
    return at;
}

Next OnePlayer::next_child(int ply) {
    Next at = Next::None;
    if (line_.walks_by_id()) {
        at = line_.next(ply);
    } else {
        Ordered& order = ordered_[static_cast<std::size_t>(ply)];
        if (order.next < order.ids.size()) at = line_.make(ply, order.ids[order.next++].second);
    }
    if (at == Next::Fault) rule_failed();
    return at;
}

std::vector<std::uint64_t> OnePlayer::line_to(std::uint32_t plies) {
    std::vector<std::uint64_t> ids(plies);
    for (std::uint32_t ply = 0; ply < plies; ++ply) ids[ply] = line_.move_id(static_cast<int>(ply));
    return ids;
}

void OnePlayer::rule_failed() {
    budget_.fail(game_.fault_text());
    game_.clear_fault();
}

void OnePlayer::deepened(std::uint32_t plies) {
    result_->depth = static_cast<int>(plies);
    report(*result_, true);
}

void OnePlayer::report(Result& result, bool completed) {
    if (!limits_->progress) return;
    result.nodes = budget_.nodes();
    result.seconds = budget_.seconds();
    limits_->progress({result, completed});
}

} // namespace zug::search
