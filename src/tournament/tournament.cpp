#include "tournament/tournament.hpp"

#include "base/run_in_threads.hpp"
#include "base/stop_flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

namespace zug::tournament {

namespace {

using game::Game;
using match::End;
using match::GameRecord;
using match::Player;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Standings empty_standings(std::span<GameSetup> games, std::span<const match::PlayerSpec> players,
                          const std::optional<SprtOptions>& sprt) {
    Standings standings;
    const auto names = player_names(players);
    for (std::size_t k = 0; k < players.size(); ++k) {
        PlayerTotals totals;
        totals.name = names[k];
        totals.move_limit = players[k].search.seconds;
        if (const auto& time = players[k].search.game_time) {
            totals.game_limit = time->seconds;
            totals.increment = time->increment;
        }
        standings.players.push_back(std::move(totals));
    }
    for (const GameSetup& setup : games) {
        std::vector<std::string> seats;
        for (std::uint32_t seat = 0; seat < setup.game.players(); ++seat) seats.push_back(setup.game.player_name(seat));
        const auto& team = setup.game.traits().team;
        standings.games.emplace_back(setup.title, seats, std::vector(team.begin(), team.begin() + seats.size()),
                                     players.size());
    }
    if (sprt) {
        const std::size_t comparisons = games.front().game.players(); // in a block: of two games, or of one pair
        standings.sprt = SprtState{*sprt, sprt_bounds(*sprt), std::vector<std::uint64_t>(2 * comparisons + 1), 0, {}};
    }
    return standings;
}

// A thread's games, and the players that it keeps from game to game for their memory.
class Desk {
public:
    Desk(std::vector<Game*> games, std::span<const match::PlayerSpec> specs)
        : games_(std::move(games)), specs_(specs) {}

    Game& game(std::size_t index) { return *games_[index]; }

    // One player for each seat. They last until the next call.
    std::vector<Player*> seat(const Fixture& fixture) {
        constexpr std::size_t most_kept = 12; // transposition tables take tens of megabytes each
        if (players_.size() + fixture.seats.size() > most_kept) players_.clear();
        std::vector<Player*> seats;
        std::map<std::uint16_t, std::size_t> copies; // of a player that has several seats
        for (const std::uint16_t player : fixture.seats) {
            auto& kept = players_[{fixture.game, player, copies[player]++}];
            if (!kept) kept = make_player(specs_[player], game(fixture.game));
            seats.push_back(kept.get());
        }
        return seats;
    }

private:
    using Key = std::tuple<std::size_t, std::size_t, std::size_t>; // game, player, copy
    std::vector<Game*> games_;
    std::span<const match::PlayerSpec> specs_;
    std::map<Key, std::unique_ptr<Player>> players_;
};

class Tournament {
public:
    Tournament(std::span<GameSetup> games, std::span<const match::PlayerSpec> players, const Schedule& schedule,
               const TournamentOptions& options)
        : games_(games), players_(players), schedule_(schedule), options_(options),
          tally_(schedule, empty_standings(games, players, options.sprt)) {}

    Standings run(EarlierGames earlier) {
        for (auto& [index, outcome] : earlier) {
            played_.push_back(index);
            tally_.add(index, std::move(outcome));
        }
        std::ranges::sort(played_);
        tally_.standings().resumed = played_.size();
        if (!tally_.decided()) play_all();
        tally_.close();
        Standings& standings = tally_.standings();
        standings.seconds = seconds_since(begin_);
        standings.stopped = stopped() && !tally_.decided();
        return std::move(standings);
    }

private:
    bool stopped() const { return is_set(options_.stop); }

    void play_all() {
        const std::uint64_t left = schedule_.size() - played_.size();
        const std::uint64_t threads = std::max<std::uint64_t>(1, std::min<std::uint64_t>(options_.threads, left));
        std::vector<std::vector<Game>> clones(threads);
        std::vector<Desk> desks;
        for (std::uint64_t t = 0; t < threads; ++t) {
            std::vector<Game*> games;
            clones[t].reserve(games_.size());
            for (GameSetup& setup : games_) {
                if (t > 0) clones[t].push_back(setup.game.clone());
                games.push_back(t > 0 ? &clones[t].back() : &setup.game);
            }
            desks.emplace_back(std::move(games), players_);
        }
        run_in_threads(threads, [&](std::size_t t) { work(desks[t]); });
    }

    void work(Desk& desk) {
        while (!stopped()) {
            const auto fixture = take();
            if (!fixture) return;
            GameRecord record = play(*fixture, desk);
            if (record.end == End::Stopped || record.end == End::Quit) return;
            finish(fixture->index, record);
        }
    }

    std::optional<Fixture> take() {
        const std::scoped_lock lock(mutex_);
        for (;;) {
            auto fixture = schedule_.next(cursor_);
            if (!fixture) return std::nullopt;
            cursor_ = fixture->index + 1;
            if (!std::ranges::binary_search(played_, fixture->index)) return fixture;
        }
    }

    GameRecord play(const Fixture& fixture, Desk& desk) const {
        const GameSetup& setup = games_[fixture.game];
        Game& game = desk.game(fixture.game);
        match::PlayOptions play;
        play.seed = game_seed(options_.seed, fixture.index);
        play.opening_plies = options_.opening_plies;
        play.opening_seed = match::derived_seed(match::derived_seed(~options_.seed, fixture.game), fixture.round);
        play.max_plies = options_.max_plies;
        play.times = true;
        play.stop = options_.stop;
        const Opening* const opening =
            setup.openings.empty() ? nullptr : &setup.openings[fixture.round % setup.openings.size()];
        if (opening != nullptr) play.line = opening->line;
        const auto seats = desk.seat(fixture);
        GameRecord record = play_game(game, opening == nullptr ? game.initial() : opening->start, seats, play);
        if (opening != nullptr) record.from = opening->from;
        for (const std::uint16_t player : fixture.seats) record.players.push_back(players_[player].text);
        record.index = fixture.index;
        record.game = game.program().title;
        record.file = setup.file;
        for (const auto& param : game.program().params) record.params[param.name] = param.value;
        return record;
    }

    void finish(std::uint64_t index, const GameRecord& record) {
        constexpr double progress_interval = 0.2;
        const std::scoped_lock lock(mutex_);
        if (options_.record) options_.record(record);
        tally_.add(index, outcome_of(record));
        if (tally_.decided() && options_.stop != nullptr) *options_.stop = true;
        const double now = seconds_since(begin_);
        if (!options_.progress || now < next_progress_) return;
        next_progress_ = now + progress_interval;
        tally_.standings().seconds = now;
        options_.progress(tally_.standings());
    }

    std::span<GameSetup> games_;
    std::span<const match::PlayerSpec> players_;
    const Schedule& schedule_;
    const TournamentOptions& options_;
    const Clock::time_point begin_ = Clock::now();
    std::vector<std::uint64_t> played_; // in earlier runs
    std::mutex mutex_;                  // guards what follows
    Tally tally_;
    std::uint64_t cursor_ = 0; // no fixture below is left
    double next_progress_ = 0;
};

} // namespace

std::vector<std::string> player_names(std::span<const match::PlayerSpec> players) {
    std::vector<std::string> names;
    std::map<std::string, int> seen;
    for (const match::PlayerSpec& player : players) {
        const int times = ++seen[player.text];
        names.push_back(times == 1 ? player.text : fmt::format("{} ({})", player.text, times));
    }
    return names;
}

std::string refusal(std::span<GameSetup> games, std::span<const match::PlayerSpec> players,
                    const std::optional<SprtOptions>& sprt) {
    for (GameSetup& setup : games)
        for (const match::PlayerSpec& player : players)
            if (std::string why = unsuitable(player, setup.game); !why.empty())
                return fmt::format("player `{}` in {}: {}", player.text, setup.title, why);
    if (!sprt) return "";
    if (players.size() != 2) return "a sequential test is between two players";
    const std::uint32_t seats = games.front().game.players();
    if (seats > 2 || std::ranges::any_of(games, [&](GameSetup& setup) { return setup.game.players() != seats; }))
        return "a sequential test takes games of two players, or games of one player only";
    return "";
}

Standings run_tournament(std::span<GameSetup> games, std::span<const match::PlayerSpec> players,
                         const Schedule& schedule, const TournamentOptions& options, EarlierGames earlier) {
    return Tournament(games, players, schedule, options).run(std::move(earlier));
}

std::uint64_t game_seed(std::uint64_t seed, std::uint64_t index) { return match::derived_seed(seed, index); }

} // namespace zug::tournament
