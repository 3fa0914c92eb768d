#include "search/proof/null_window.hpp"

#include "base/run_in_threads.hpp"
#include "base/stop_flag.hpp"
#include "search/proof/null_window_worker.hpp"

#include <algorithm>

namespace zug::search {

namespace {
constexpr std::uint64_t games = 32;
} // namespace

NullWindowSearch::NullWindowSearch(game::Game& game, std::size_t table_bytes, std::uint32_t threads)
    : game_(game), canonical_(game.program()), table_(table_bytes) {
    for (std::uint32_t t = 0; t < threads; ++t)
        workers_.push_back(std::make_unique<NullWindowWorker>(t == 0 ? game : clones_.emplace_back(game.clone()),
                                                              canonical_, table_, busy_, t));
}

NullWindowSearch::~NullWindowSearch() = default;

std::uint64_t NullWindowSearch::nodes() const {
    std::uint64_t all = 0;
    for (const auto& worker : workers_) all += worker->told();
    return all;
}

double NullWindowSearch::seconds() const { return workers_.front()->seconds(); }

void NullWindowSearch::new_root() {
    shape_.reset();
    for (const auto& worker : workers_) worker->new_root();
}

double NullWindowSearch::guess(const game::State& root, const std::atomic<bool>* stop) {
    const std::vector<double>& utilities = game_.traits().utilities;
    if (utilities.size() > 3) return shape(root, stop).payoff;
    const bool first = (game_.traits().first_side >> game_.to_move(root) & 1) != 0;
    return first ? utilities[utilities.size() - 2] : utilities.front();
}

const game::Shape& NullWindowSearch::shape(const game::State& root, const std::atomic<bool>* stop) {
    if (!shape_) shape_ = game::shape_of(game_, root, games, [&] { return !is_set(stop); });
    return *shape_;
}

Verdict NullWindowSearch::ask(const game::State& root, const Question& question, const Limits& limits,
                              const std::function<void()>& tick) {
    const std::vector<double>& utilities = game_.traits().utilities;
    const auto asked =
        static_cast<std::uint8_t>(std::ranges::lower_bound(utilities, question.at_least) - utilities.begin());
    const auto longest = static_cast<int>(std::max(shape(root, limits.stop).longest, 1U));
    const int depth = longest + longest / 2 + 1;
    const bool alone = limits.turn || (limits.nodes != 0 && limits.nodes < workers_.size());
    const std::size_t workers = alone ? 1 : workers_.size();
    std::atomic<bool> done = false;
    std::vector<Verdict> verdicts(workers, Verdict::Open);
    run_in_threads(workers, [&](std::size_t t) {
        const Limits own = share_of(limits, t, workers, done);
        verdicts[t] = workers_[t]->ask(root, asked, depth, own, t == 0 ? tick : std::function<void()>());
        if (verdicts[t] != Verdict::Open || !workers_[t]->failure().empty()) done = true;
    });
    failure_.clear();
    move_.reset();
    const auto found = std::ranges::find_if(verdicts, [](Verdict verdict) { return verdict != Verdict::Open; });
    if (found != verdicts.end()) {
        move_ = workers_[static_cast<std::size_t>(found - verdicts.begin())]->move();
        return *found;
    }
    for (const auto& worker : workers_)
        if (failure_.empty()) failure_ = worker->failure();
    return Verdict::Open;
}

} // namespace zug::search
