#include "search/core/engine.hpp"

#include "search/core/leaf.hpp"

#include <algorithm>
#include <utility>

namespace zug::search {

namespace {
constexpr double main_share = 0.8; // of the limits, where something is left for search_on()
} // namespace

Engine::Engine(game::Game& game, Method method, const Options& options)
    : game_(game), line_(game), options_(options), frames_(game.players()), method_(method) {}

Result Engine::run(const game::State& root, const Limits& limits) {
    Result result;
    result.method = method_;
    limits_ = &limits;
    deepest_ = 0;
    depth_given_ = limits.depth >= 0;
    budget_.start(limits, [this, &result] { report(result, false); });
    frames_.reach(0);
    traces_ = static_cast<bool>(limits.trace);
    line_.start(root);
    begin_search();
    if (evaluate_root(result)) {
        const int last = depth_given_ ? std::min(limits.depth, max_depth) : max_depth;
        if (searches_on()) budget_.hold_back(main_share);
        deepen(result, last);
        if (searches_on() && !result.exact && !result.pv_ids.empty()) {
            budget_.release(limits);
            search_on(result);
        }
    }
    if (limits.write_line) write_pv(game_, line_.state(0), result);
    result.fault = budget_.failure();
    measure(result);
    result.sampling_error = sampling_error();
    count(result.counts);
    limits_ = nullptr;
    return result;
}

// A search that is stopped before its first pass is complete still has a value: the root's evaluation, or the payoffs
// if the game is over. Returns whether there is anything to search.
bool Engine::evaluate_root(Result& result) {
    const game::NodeKind kind = line_.kind(0);
    if (kind == game::NodeKind::Fault) {
        rule_failed();
        return false;
    }
    const bool over = kind == game::NodeKind::Terminal;
    result.value.resize(game_.players());
    if (over && !terminal_values(line_, 0, result.value)) {
        rule_failed();
        return false;
    }
    if (!over) static_values(line_, 0, game_.traits(), result.value);
    if (!over && limits_->depth != 0) return true;
    result.exact = over;
    result.complete = true;
    if (enter(0)) show(0, true);
    return false;
}

void Engine::deepen(Result& result, int last) {
    const bool steps = options_.deepening && deepens(*limits_);
    for (int depth = steps ? std::min(1, last) : last; depth <= last; ++depth) {
        begin_pass();
        if (!complete_pass(result, depth)) return;
        report(result, true);
        if (result.exact) break;
        if (limits_->enough_seconds > 0 && budget_.seconds() >= limits_->enough_seconds) return;
    }
    result.complete = result.exact || depth_given_;
}

bool Engine::complete_pass(Result& result, int depth) {
    std::vector<double> value(game_.players());
    const bool exact = pass(depth, value);
    if (budget_.stopped()) {
        keep_unfinished(result);
        return false;
    }
    for (double& v : value) v += 0.0; // no -0
    result.pv_ids = complete_line(depth, value);
    result.value = std::move(value);
    result.exact = exact;
    result.depth = exact ? std::min(depth, deepest_) : depth;
    return true;
}

// The root's best move so far, where moves are ordered: then the best of the pass before was tried first.
void Engine::keep_unfinished(Result& result) {
    const std::vector<std::uint64_t>& found = frames_[0].pv;
    if (!options_.ordering || found.empty() || !budget_.failure().empty()) return;
    if (result.pv_ids.empty() || result.pv_ids.front() != found.front()) result.pv_ids = found;
}

// The line of the pass that has just ended, continued where a table cut it short. If the budget runs out here, the line
// stays short; value and first move stand.
std::vector<std::uint64_t> Engine::complete_line(int depth, std::span<const double> value) {
    std::vector<std::uint64_t> line = frames_[0].pv;
    int ply = 0;
    while (true) {
        while (ply < static_cast<int>(line.size())) {
            if (!advance(ply, line[static_cast<std::size_t>(ply)])) return line;
            ++ply;
        }
        if (ply >= depth) return line;
        if (line_.list(ply) != game::NodeKind::Decision) return line;
        extend(ply, depth - ply, value);
        if (budget_.stopped() || frames_[ply].pv.empty()) return line;
        line.insert(line.end(), frames_[ply].pv.begin(), frames_[ply].pv.end());
    }
}

bool Engine::advance(int ply, std::uint64_t move) {
    if (line_.list(ply) == game::NodeKind::Fault) return false;
    const auto i = line_.moves(ply).find(move);
    return i && descend(ply, *i) != game::Next::Fault;
}

bool Engine::may_evaluate() {
    if (evaluates()) return true;
    budget_.fail("the game can go on past " + std::to_string(max_depth) + " plies: give a depth");
    return false;
}

void Engine::rule_failed() {
    budget_.fail(game_.fault_text());
    game_.clear_fault();
}

void Engine::unexpected_chance() { budget_.fail("a chance event in a game that was taken to have none"); }

void Engine::adopt_pv(int ply, std::uint64_t move) {
    std::vector<std::uint64_t>& line = frames_[ply].pv;
    const std::vector<std::uint64_t>& rest = frames_[ply + 1].pv;
    line.clear();
    line.push_back(move);
    line.insert(line.end(), rest.begin(), rest.end());
}

void Engine::measure(Result& result) const {
    result.nodes = budget_.nodes();
    result.seconds = budget_.seconds();
    result.deepest = deepest_;
    result.table_share = table_share();
}

void Engine::report(Result& result, bool completed) {
    if (!limits_->progress) return;
    measure(result);
    if (completed) write_pv(game_, line_.state(0), result);
    limits_->progress({result, completed});
}

} // namespace zug::search
