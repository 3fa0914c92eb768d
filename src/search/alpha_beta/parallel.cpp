#include "search/alpha_beta/parallel.hpp"

#include "base/run_in_threads.hpp"
#include "search/alpha_beta/selective.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace zug::search {

namespace {

bool better(const Result& a, const Result& b) {
    if (a.exact != b.exact) return a.exact;
    return a.depth > b.depth;
}

// The best of the results, with the work of all.
Result merge(std::vector<Result>& results) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < results.size(); ++i)
        if (!results[i].value.empty() && better(results[i], results[best])) best = i;
    Result merged = results[best];
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (merged.fault.empty()) merged.fault = results[i].fault;
        if (i == best) continue;
        merged.nodes += results[i].nodes;
        merged.sampling_error = std::max(merged.sampling_error, results[i].sampling_error);
        for (std::size_t c = 0; c < merged.counts.size(); ++c) merged.counts[c].value += results[i].counts[c].value;
    }
    merged.seconds = results[0].seconds;
    return merged;
}

} // namespace

ParallelAlphaBeta::ParallelAlphaBeta(game::Game& game, Method method, const Options& options) {
    const std::uint32_t threads = options.table ? options.threads : 1;
    if (options.table) {
        const auto sharing = threads > 1 ? Table::Sharing::Shared : Table::Sharing::Alone;
        table_ = std::make_shared<Table>(options.table_bytes, 0, sharing);
    }
    for (std::uint32_t t = 0; t < threads; ++t) {
        if (options.selective()) forms_.push_back(t == 0 ? game::SearchForm(game) : forms_.front().clone());
        const bool clones = t > 0 && !options.selective();
        add_worker(clones ? clones_.emplace_back(game.clone()) : game, method, options);
        if (threads > 1) workers_.back()->share(&under_way_);
    }
}

void ParallelAlphaBeta::add_worker(game::Game& game, Method method, const Options& options) {
    if (options.selective()) {
        auto worker = std::make_unique<Selective>(forms_.back(), method, options, table_);
        if (options.repetition) selective_.push_back(worker.get());
        workers_.push_back(std::move(worker));
    } else if (method == Method::AlphaBeta)
        workers_.push_back(std::make_unique<AlphaBeta>(game, options, method, table_));
    else
        workers_.push_back(std::make_unique<Expectimax>(game, options, table_));
}

Result ParallelAlphaBeta::run(const game::State& root, const Limits& limits) {
    if (table_) table_->new_search();
    const game::State start = forms_.empty() ? root : forms_.front().convert(root);
    if (!selective_.empty()) {
        const std::vector<game::EndByPast> ends = forms_.front().ends_by_past(root);
        for (Selective* worker : selective_) worker->set_ends(ends);
    }
    std::atomic<bool> done = false;
    const std::size_t workers =
        limits.trace || limits.turn || (limits.nodes != 0 && limits.nodes < workers_.size()) ? 1 : workers_.size();
    std::vector<Result> results(workers);
    run_in_threads(workers, [&](std::size_t t) {
        results[t] = workers_[t]->run(start, share_of(limits, t, workers, done));
        if (results[t].complete || !results[t].fault.empty()) done = true;
    });
    return merge(results);
}

void ParallelAlphaBeta::forget() {
    if (table_) table_->forget();
    for (const auto& worker : workers_) worker->forget();
}

} // namespace zug::search
