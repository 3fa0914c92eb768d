#include "search/proof/portfolio.hpp"

#include "base/stop_flag.hpp"
#include "search/proof/turns.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>

namespace zug::search {

namespace {

constexpr auto patience = std::chrono::milliseconds(50); // between looks at the caller's stop flag
constexpr int looks_between_reports = 10;

class Portfolio {
public:
    using Provers = std::array<Prover, 2>;
    Portfolio(const Provers& provers, const ProveOptions& options) : provers_(provers), options_(options) {}

    Proof run(game::Game& game, const game::State& position) {
        game::Game other = game.clone();
        const std::array<game::Game*, 2> games{&game, &other};
        for (Runner& runner : runners_)
            runner.known = {.low = game.traits().min_utility, .high = game.traits().max_utility};
        obey();
        {
            std::array<std::jthread, std::tuple_size_v<Provers>> threads;
            for (std::size_t i = 0; i < threads.size(); ++i) {
                try {
                    threads[i] = std::jthread([&, i] { work(i, *games[i], position); });
                } catch (const std::system_error& error) { // too many threads; the other prover may do without
                    give_up(i, error.code().message());
                }
            }
            wait();
        }
        return together();
    }

private:
    struct Runner {
        Proof known;
        bool done = false;
    };

    void work(std::size_t i, game::Game& game, const game::State& position) {
        ProveOptions options = options_;
        options.table_bytes /= provers_.size();
        options.threads = std::max(options_.threads, 2U) - 1; // the first prover uses one
        options.limits.stop = &stop_;
        options.progress = [&](const Proof& proof) { tell(i, proof, false); };
        if (options_.threads == 1) {
            options.limits.turn = [&](std::uint64_t work) { turns_.worked(i, work); };
            turns_.begin(i);
        }
        tell(i, prove(game, position, provers_[i], options), true);
        turns_.end(i);
    }

    void give_up(std::size_t i, const std::string& why) {
        Proof none = runners_[i].known;
        none.fault = "no thread can be started: " + why;
        tell(i, none, true);
        turns_.end(i);
    }

    void tell(std::size_t i, const Proof& proof, bool done) {
        const std::scoped_lock lock(mutex_);
        runners_[i] = {proof, done};
        if (done) changed_.notify_all();
        // If the value depends on repetitions, depth-first search would never end, since to it they prove nothing.
        if (proof.proven() || (done && proof.repeats)) stop();
    }

    // Waits for the end of the work, on behalf of the caller.
    void wait() {
        std::unique_lock lock(mutex_);
        for (int look = 1; !changed_.wait_for(lock, patience, [&] { return over(); }); ++look) {
            obey();
            if (options_.progress && look % looks_between_reports == 0) options_.progress(together());
        }
        stop();
    }

    void obey() {
        if (is_set(options_.limits.stop)) stop();
    }

    bool over() const { return std::ranges::all_of(runners_, &Runner::done); }

    void stop() {
        stop_ = true;
        turns_.stop();
    }

    Proof together() const;

    const Provers provers_;
    const ProveOptions& options_;
    std::array<Runner, std::tuple_size_v<Provers>> runners_; // and the rest, under the mutex
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> stop_ = false;
    Turns turns_;
};

Proof Portfolio::together() const {
    Proof all = runners_[0].known;
    for (std::size_t i = 1; i < runners_.size(); ++i) {
        const Proof& more = runners_[i].known;
        if (more.proven()) all.prover = more.prover;
        all.low = std::max(all.low, more.low);
        all.high = std::min(all.high, more.high);
        all.nodes += more.nodes;
        all.seconds = std::max(all.seconds, more.seconds);
        all.repeats = all.repeats || more.repeats;
        if (all.fault.empty()) all.fault = more.fault;
    }
    if (all.proven()) all.fault.clear();
    return all;
}

} // namespace

Proof prove_by_all(game::Game& game, const game::State& position, const ProveOptions& options) {
    const auto suits = [&](Prover prover) { return refusal(prover, game.traits()).empty(); };
    if (!suits(Prover::ProofNumber)) return prove(game, position, Prover::AlphaBeta, options);
    const Prover depth_first = suits(Prover::NullWindow) ? Prover::NullWindow : Prover::AlphaBeta;
    return Portfolio({Prover::ProofNumber, depth_first}, options).run(game, position);
}

} // namespace zug::search
