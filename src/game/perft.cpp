#include "game/perft.hpp"

#include "base/run_in_threads.hpp"
#include "game/line.hpp"

#include <atomic>
#include <mutex>

namespace zug::game {

namespace {

// Splits a count between threads at the nodes of some depth. Each thread walks the whole tree above these nodes, which
// is small, and counts below those whose numbers it draws from a counter, the only shared state.
struct Share {
    int depth; // remaining, at the nodes where the count is split
    std::atomic<std::uint64_t> next = 0;
};

class Counter {
public:
    Counter(Game& game, const Stop& stop, Share* share = nullptr)
        : game_(game), line_(game), stop_(stop), share_(share) {
        game_.clear_fault();
        if (share_ != nullptr) drawn_ = share_->next++;
    }

    std::uint64_t count(const State& state, int depth) {
        line_.start(state);
        return count(0, depth);
    }

    std::optional<Error> error() const {
        if (failed_) return Error{game_.fault_text()};
        if (stopped_) return Error{std::string(stopped)};
        return std::nullopt;
    }

private:
    std::uint64_t count(int ply, int depth) {
        if (share_ != nullptr && depth == share_->depth && !draw()) return 0;
        if (depth == 0) return 1;
        if (depth <= 2) {
            const std::uint64_t total = depth == 1 ? line_.count(ply) : line_.count_next(ply);
            failed_ = failed_ || game_.faulted();
            return total;
        }
        if (depth > 2 && stop_ && stop_()) stopped_ = true;
        if (stopped_ || failed_) return 0;
        return sum(ply, depth);
    }

    // Whether this thread counts below the current node.
    bool draw() {
        if (seen_++ != drawn_) return false;
        drawn_ = share_->next++;
        return true;
    }

    std::uint64_t sum(int ply, int depth) {
        std::uint64_t total = 0;
        for (Next next = line_.first(ply); next != Next::None; next = line_.next(ply)) {
            failed_ = failed_ || next == Next::Fault;
            if (failed_ || stopped_) return 0;
            if (next != Next::Terminal) total += count(ply + 1, depth - 1);
        }
        return total;
    }

    Game& game_;
    Line line_;
    const Stop& stop_;
    Share* share_;
    std::uint64_t seen_ = 0, drawn_ = 0; // of the nodes where the count is split
    bool stopped_ = false;
    bool failed_ = false;
};

// The counts by first move; count(state) counts the lines after it.
template <class Count>
tl::expected<std::vector<Divided>, Error> divide_by(Game& game, const State& state, Count&& count) {
    std::vector<Divided> result;
    MoveList moves;
    game.clear_fault();
    if (game.expand(state, moves) == NodeKind::Fault) return failure(game.fault_text());
    const auto texts = game.move_texts(state, moves);
    State next;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!game.successor(state, moves, i, next)) return failure(game.fault_text());
        const tl::expected<std::uint64_t, Error> nodes = count(next);
        if (!nodes) return tl::unexpected(nodes.error());
        result.push_back({texts[i], *nodes});
    }
    return result;
}

} // namespace

tl::expected<std::uint64_t, Error> perft(Game& game, const State& state, int depth, const Stop& stop) {
    Counter counter(game, stop);
    const std::uint64_t total = counter.count(state, depth);
    if (const auto error = counter.error()) return tl::unexpected(*error);
    return total;
}

tl::expected<std::vector<Divided>, Error> divide(Game& game, const State& state, int depth, const Stop& stop) {
    return divide_by(game, state, [&](const State& next) { return perft(game, next, depth - 1, stop); });
}

ParallelPerft::ParallelPerft(Game& game, std::uint32_t threads) : game_(game) {
    for (std::uint32_t t = 1; t < threads; ++t) clones_.push_back(game.clone());
}

tl::expected<int, Error> ParallelPerft::shared_plies(const State& state, int depth, const Stop& stop) {
    // Enough nodes for each thread that none waits long for the last one.
    const std::uint64_t enough = 32 * (clones_.size() + 1);
    if (clones_.empty() || depth <= 2) return 0;
    for (int plies = 1; plies < depth - 2; ++plies) {
        const auto nodes = perft(game_, state, plies, stop);
        if (!nodes) return tl::unexpected(nodes.error());
        if (*nodes >= enough) return plies;
    }
    return depth - 2;
}

tl::expected<std::uint64_t, Error> ParallelPerft::count(const State& state, int depth, const Stop& stop) {
    const auto plies = shared_plies(state, depth, stop);
    if (!plies) return tl::unexpected(plies.error());
    if (*plies == 0) return perft(game_, state, depth, stop);

    Share share{depth - *plies};
    std::atomic<std::uint64_t> total = 0;
    std::atomic<bool> halted = false;
    std::optional<Error> error;
    std::mutex asking, failing;
    const Stop guarded = [&] {
        if (halted) return true;
        const std::unique_lock lock(asking, std::try_to_lock);
        if (lock && stop && stop()) halted = true;
        return halted.load();
    };
    const auto work = [&](Game& game) {
        Counter counter(game, guarded, &share);
        total += counter.count(state, depth);
        const auto wrong = counter.error();
        if (!wrong) return;
        halted = true;
        const std::lock_guard lock(failing);
        if (!error || error->text == stopped) error = wrong; // the others only stopped because of it
    };
    run_in_threads(clones_.size() + 1, [&](std::size_t t) { work(t == 0 ? game_ : clones_[t - 1]); });
    if (error) return tl::unexpected(*error);
    return total.load();
}

tl::expected<std::vector<Divided>, Error> ParallelPerft::divide(const State& state, int depth, const Stop& stop) {
    return divide_by(game_, state, [&](const State& next) { return count(next, depth - 1, stop); });
}

} // namespace zug::game
