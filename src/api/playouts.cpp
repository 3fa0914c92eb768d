#include "api/playouts.hpp"

#include "api/inner.hpp"
#include "base/first_error.hpp"
#include "base/random.hpp"
#include "base/run_in_threads.hpp"
#include "base/stop_flag.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

namespace zug::api {

namespace {

// Games of a block are played by one thread with random numbers of their own, and sums are added up in the order of
// blocks, so that nothing depends on which thread plays which.
constexpr std::uint64_t least_in_block = 256, most_in_block = 4096, most_blocks = 65'536;
// Long blocks are faster where games are short, and many of them keep all threads busy.
constexpr std::uint64_t wanted_blocks = 64;
// Where plies are only counted, a block is that much longer: one game follows the other in machine code.
constexpr std::uint64_t least_counted = 65'536;
constexpr std::uint64_t most_threads = 1024;

struct Sums {
    std::uint64_t games = 0, plies = 0, cut = 0;
    std::vector<double> sum, squares; // by player
};

class Bulk {
public:
    Bulk(const State& start, const PlayoutOptions& options)
        : options_(options), start_(start.node().state), players_(start.inner()->game.players()),
          in_block_(std::max(options.utilities
                                 ? std::clamp(options.games / wanted_blocks, least_in_block, most_in_block)
                                 : least_counted,
                             options.games / most_blocks + 1)),
          blocks_(options.games / in_block_ + (options.games % in_block_ != 0 ? 1 : 0)), sums_(blocks_) {
        if (!each()) return;
        results_.utilities.resize(options.games * players_);
        results_.lengths.resize(options.games);
    }

    tl::expected<PlayoutResults, Error> run(const game::Game& game) {
        const std::uint32_t all = std::max(1U, std::thread::hardware_concurrency());
        const std::uint64_t wanted =
            std::min<std::uint64_t>(options_.threads == 0 ? all : options_.threads, most_threads);
        const auto threads = static_cast<std::size_t>(std::clamp<std::uint64_t>(blocks_, 1, wanted));
        std::vector<game::Game> games;
        for (std::size_t i = 0; i < threads; ++i) games.push_back(game.clone());
        run_in_threads(threads, [&](std::size_t i) { work(games[i]); });
        if (auto done = error_.check(); !done) return tl::unexpected(done.error());
        return total();
    }

private:
    bool each() const { return options_.each && options_.utilities; }

    void work(game::Game& game) {
        while (!is_set(options_.stop) && !error_.any()) {
            const std::uint64_t block = next_++;
            if (block >= blocks_) return;
            std::uint64_t mixed = options_.seed ^ (block * 0xD1B54A32D192ED03ULL);
            Random random(splitmix64(mixed));
            each() ? play(game, block, random) : count(game, block, random);
        }
    }

    void count(game::Game& game, std::uint64_t block, Random& random) {
        Sums& sums = sums_[block];
        const std::uint64_t games = std::min(in_block_, options_.games - block * in_block_);
        game::State state = start_;
        run::UtilitySums utilities(options_.utilities ? players_ : 0);
        run::UtilitySums* const wanted = options_.utilities ? &utilities : nullptr;
        std::uint32_t length = 0; // of the game under way
        while (sums.games < games && !is_set(options_.stop)) {
            // So many plies end no more games than are wanted.
            const auto most = std::min<std::uint64_t>(games - sums.games, options_.most_plies - length);
            const auto part = game.playouts(start_, state, random, static_cast<std::uint32_t>(most), wanted);
            if (game.faulted()) return error_.note(game.fault_text());
            if (part.finished > 0) {
                sums.games += part.finished;
                sums.plies += length + part.begun;
                length = 0;
            }
            length += part.plies - part.begun;
            if (length < options_.most_plies) continue;
            ++sums.games;
            ++sums.cut;
            sums.plies += std::exchange(length, 0);
            state = start_;
        }
        sums.sum = std::move(utilities.sum);
        sums.squares = std::move(utilities.squares);
    }

    // One by one, to keep what came of each.
    void play(game::Game& game, std::uint64_t block, Random& random) {
        Sums& sums = sums_[block];
        sums.sum.resize(players_);
        sums.squares.resize(players_);
        std::vector<double> utilities(players_);
        const std::uint64_t first = block * in_block_;
        const std::uint64_t last = std::min(options_.games, first + in_block_);
        for (std::uint64_t number = first; number < last && !is_set(options_.stop); ++number) {
            game::State state = start_;
            const auto played = game.playout(state, random, options_.most_plies);
            if (game.faulted() || (played.finished && !game.payoffs(state, utilities)))
                return error_.note(game.fault_text());
            if (!played.finished) std::ranges::fill(utilities, 0.0);
            sums.cut += played.finished ? 0 : 1;
            ++sums.games;
            sums.plies += played.plies;
            for (std::size_t p = 0; p < players_; ++p) {
                sums.sum[p] += utilities[p];
                sums.squares[p] += utilities[p] * utilities[p];
            }
            keep(number, utilities, played.plies);
        }
    }

    void keep(std::uint64_t number, std::span<const double> utilities, std::uint32_t plies) {
        results_.lengths[number] = plies;
        for (std::size_t p = 0; p < players_; ++p)
            results_.utilities[number * players_ + p] = static_cast<float>(utilities[p]);
    }

    // Moves the results of the games that were played together, where some were not.
    void compact() {
        std::uint64_t to = 0;
        for (std::uint64_t block = 0; block < blocks_; ++block)
            for (std::uint64_t from = block * in_block_; from < block * in_block_ + sums_[block].games; ++from, ++to) {
                results_.lengths[to] = results_.lengths[from];
                std::copy_n(results_.utilities.begin() + static_cast<std::ptrdiff_t>(from * players_), players_,
                            results_.utilities.begin() + static_cast<std::ptrdiff_t>(to * players_));
            }
        results_.lengths.resize(to);
        results_.utilities.resize(to * players_);
    }

    PlayoutResults total() {
        const std::size_t players = options_.utilities ? players_ : 0;
        results_.mean.assign(players, 0);
        results_.deviation.assign(players, 0);
        for (const Sums& sums : sums_) {
            results_.games += sums.games;
            results_.plies += sums.plies;
            results_.cut += sums.cut;
            for (std::size_t p = 0; p < sums.sum.size(); ++p) {
                results_.mean[p] += sums.sum[p];
                results_.deviation[p] += sums.squares[p];
            }
        }
        const double games = std::max(1.0, static_cast<double>(results_.games));
        for (std::size_t p = 0; p < players; ++p) {
            const double mean = results_.mean[p] /= games;
            results_.deviation[p] = std::sqrt(std::max(0.0, results_.deviation[p] / games - mean * mean));
        }
        if (each() && results_.games < options_.games) compact();
        return std::move(results_);
    }

    const PlayoutOptions& options_;
    const game::State start_;
    const std::size_t players_;
    const std::uint64_t in_block_, blocks_;
    std::vector<Sums> sums_;
    PlayoutResults results_;
    std::atomic<std::uint64_t> next_ = 0;
    FirstError error_;
};

} // namespace

tl::expected<PlayoutResults, Error> playouts(const State& start, const PlayoutOptions& options) {
    return Bulk(start, options).run(start.inner()->game);
}

} // namespace zug::api
