#include "match/match.hpp"

#include "base/run_in_threads.hpp"
#include "base/stop_flag.hpp"
#include "match/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace zug::match {

namespace {

using game::Game;
using game::State;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string check_players(Game& game, std::span<const PlayerSpec> players) {
    const game::Traits& traits = game.traits();
    if (players.size() != traits.players && players.size() != traits.teams())
        return fmt::format("{} has {} {}{}, and {} {} named", game.program().title, traits.players,
                           traits.players == 1 ? "player" : "players",
                           traits.teams() == traits.players ? "" : fmt::format(" in {} teams", traits.teams()),
                           players.size(), players.size() == 1 ? "was" : "were");
    for (const PlayerSpec& player : players)
        if (std::string why = unsuitable(player, game); !why.empty())
            return fmt::format("player `{}`: {}", player.text, why);
    return "";
}

class Match {
public:
    Match(Game& game, const State& start, std::span<const PlayerSpec> players, const MatchOptions& options)
        : game_(game), start_(start), players_(players), options_(options), tally_(options.games, players, game) {}

    Report run() {
        const bool person = std::ranges::any_of(players_, [](auto& p) { return p.kind == PlayerKind::Human; });
        const std::uint64_t most =
            std::max<std::uint64_t>(1, std::min<std::uint64_t>(options_.threads, options_.games));
        const std::uint64_t threads = person ? 1 : most;
        std::vector<Game> clones;
        for (std::uint64_t t = 1; t < threads; ++t) clones.push_back(game_.clone());
        run_in_threads(threads, [&](std::size_t t) { work(t == 0 ? game_ : clones[t - 1]); });
        tally_.close();
        Report& report = tally_.report();
        report.seconds = seconds_since(begin_);
        report.stopped = stopped();
        return std::move(report);
    }

private:
    using Players = std::vector<std::vector<std::unique_ptr<Player>>>; // each once for every seat that it may have

    bool stopped() const { return is_set(options_.stop); }

    void work(Game& game) {
        Players players;
        for (const PlayerSpec& spec : players_) {
            players.emplace_back();
            for (std::size_t k = 0; k < most_seats(); ++k)
                players.back().push_back(make_player(spec, game, options_.human));
        }
        while (!stopped()) {
            const std::uint64_t i = next_++;
            if (i >= options_.games) return;
            finish(i, play(i, game, players));
        }
    }

    bool by_team() const { return players_.size() < game_.players(); }
    // How many seats one of the players has at most.
    std::size_t most_seats() const { return by_team() ? game_.players() - game_.traits().teams() + 1 : 1; }

    GameRecord play(std::uint64_t i, Game& game, const Players& players) {
        std::vector<Player*> seats;
        std::vector<std::string> names;
        std::vector<std::size_t> taken(players.size()); // seats of each player
        for (std::size_t seat = 0; seat < game.players(); ++seat) {
            const std::size_t k = player_in_seat(by_team() ? game.traits().team[seat] : seat, i, players.size());
            seats.push_back(players[k][taken[k]++].get());
            names.push_back(players_[k].text);
        }
        PlayOptions play_options = game_options(options_, i, players.size());
        play_options.texts = static_cast<bool>(options_.record);
        play_options.values = options_.values;
        GameRecord record = play_game(game, start_, seats, play_options);
        record.players = std::move(names);
        record.index = i;
        record.game = game.program().title;
        record.file = options_.file;
        for (const auto& param : game.program().params) record.params[param.name] = param.value;
        if (game.hash(start_) != game.hash(game.initial())) record.from = game.position_text(start_);
        return record;
    }

    void finish(std::uint64_t i, const GameRecord& record) {
        constexpr double progress_interval = 0.2;
        const std::scoped_lock lock(mutex_);
        tally_.add(i, record);
        if (options_.record) options_.record(record);
        const double now = seconds_since(begin_);
        if (!options_.progress || now < next_progress_) return;
        next_progress_ = now + progress_interval;
        tally_.report().seconds = now;
        options_.progress(tally_.report());
    }

    Game& game_;
    const State& start_;
    std::span<const PlayerSpec> players_;
    const MatchOptions& options_;
    const Clock::time_point begin_ = Clock::now();
    std::atomic<std::uint64_t> next_ = 0;
    std::mutex mutex_; // guards what follows
    Tally tally_;
    double next_progress_ = 0;
};

} // namespace

tl::expected<Report, Error> run_match(Game& game, const State& start, std::span<const PlayerSpec> players,
                                      const MatchOptions& options) {
    if (std::string problem = check_players(game, players); !problem.empty()) return failure(std::move(problem));
    return Match(game, start, players, options).run();
}

std::size_t player_in_seat(std::size_t seat, std::uint64_t i, std::size_t players) {
    return (seat + players - i % players) % players;
}

PlayOptions game_options(const MatchOptions& options, std::uint64_t i, std::size_t players) {
    PlayOptions play;
    play.seed = derived_seed(options.seed, i);
    play.opening_plies = options.opening_plies;
    play.opening_seed = derived_seed(~options.seed, i - i % players);
    play.max_plies = options.max_plies;
    play.stop = options.stop;
    return play;
}

} // namespace zug::match
