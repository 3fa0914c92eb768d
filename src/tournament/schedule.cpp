#include "tournament/schedule.hpp"

#include "base/random.hpp"
#include "match/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace zug::tournament {

namespace {

constexpr std::uint64_t most_in_round = 1'000'000;
constexpr std::uint64_t most_fixtures = std::uint64_t{1} << 60;

// n over k, or infinity: only compared with a limit.
double binomial(double n, double k) {
    return k < 0 || k > n ? 0 : std::round(std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)));
}

// The number of groups, of any size.
double number_of_groups(const ScheduleOptions& options, std::uint32_t seats) {
    const auto players = static_cast<double>(options.players), size = static_cast<double>(seats);
    if (seats == 1) return 1;
    if (options.players < seats) return binomial(size - 1, players - 1);
    return options.gauntlet ? binomial(players - 1, size - 1) : binomial(players, size);
}

// The different orders of the members, up to one more than most_arrangements.
std::vector<std::vector<std::uint16_t>> orders_of(std::vector<std::uint16_t> members) {
    std::vector<std::vector<std::uint16_t>> orders;
    do orders.push_back(members);
    while (orders.size() <= most_arrangements && std::ranges::next_permutation(members).found);
    return orders;
}

} // namespace

// All sets of players as large as the game, or all ways to fill the seats with each player at least once. Both are
// ascending sequences in which the next member is the same or a later player, made one after the other like the digits
// of a number.
std::vector<Schedule::Seats> Schedule::groups_of(const ScheduleOptions& options, std::uint32_t seats) {
    std::vector<Seats> groups;
    const bool repeat = options.players < seats;
    const auto last = static_cast<std::uint16_t>(options.players - 1);
    Seats group;
    const auto complete = [&] {
        if (!repeat) return true;
        return group.back() == last; // each step is to the same player or the next one, so nobody is left out
    };
    const auto extend = [&](auto&& self) -> void {
        if (group.size() == seats) {
            if (complete()) groups.push_back(group);
            return;
        }
        const bool first = group.empty();
        const std::uint16_t from = first ? 0 : repeat ? group.back() : static_cast<std::uint16_t>(group.back() + 1);
        const bool fixed = first && (repeat || options.gauntlet); // the first player is in every group
        const std::uint16_t to = fixed    ? from
                                 : repeat ? std::min<std::uint16_t>(last, static_cast<std::uint16_t>(from + 1))
                                          : last;
        for (std::uint16_t player = from; player <= to; ++player) {
            group.push_back(player);
            self(self);
            group.pop_back();
        }
    };
    extend(extend);
    return groups;
}

tl::expected<Schedule::Game, Error> Schedule::make_game(const ScheduleOptions& options, std::uint32_t seats) {
    if (number_of_groups(options, seats) > static_cast<double>(most_in_round))
        return failure(fmt::format("there are too many ways to choose {} of {} players", seats, options.players));
    Game game;
    game.seats = seats;
    std::uint64_t least = UINT64_MAX;
    if (seats == 1) {
        Group all;
        for (std::size_t p = 0; p < options.players; ++p) all.orders.push_back({static_cast<std::uint16_t>(p)});
        all.size = all.orders.size();
        game.groups.push_back(std::move(all));
        least = 1; // each player plays one game in a block
    } else {
        for (Seats& members : groups_of(options, seats)) {
            Group group;
            group.orders = orders_of(members);
            group.members = std::move(members);
            group.size = group.orders.size();
            if (group.size > most_arrangements) {
                group.orders.clear();
                group.size = seats;
            }
            least = std::min(least, group.size);
            game.groups.push_back(std::move(group));
        }
    }
    game.rounds = (options.games - 1) / least + 1;
    return game;
}

tl::expected<Schedule, Error> Schedule::make(const ScheduleOptions& options) {
    if (options.players == 0 || options.players > most_players)
        return failure(fmt::format("a tournament is between 2 and {} players", most_players));
    if (options.players == 1) return failure("a tournament needs at least two players");
    if (options.games == 0 || options.games > most_fixtures) return failure("the number of games is out of range");
    Schedule schedule;
    schedule.seed_ = options.seed;
    for (const std::uint32_t seats : options.seats) {
        auto game = make_game(options, seats);
        if (!game) return tl::unexpected(game.error());
        game->first = schedule.per_round_;
        for (Group& group : game->groups) {
            group.first = schedule.per_round_;
            schedule.per_round_ += group.size;
        }
        game->end = schedule.per_round_;
        if (schedule.per_round_ > most_in_round) return failure("there are too many pairings");
        if (game->rounds > most_fixtures / most_in_round) return failure("the number of games is out of range");
        schedule.size_ += game->rounds * (game->end - game->first);
        schedule.games_.push_back(std::move(*game));
    }
    return schedule;
}

std::uint64_t Schedule::games_per_block(std::size_t game) const {
    std::uint64_t most = 0;
    for (const Group& group : games_[game].groups) most = std::max(most, group.size);
    return most;
}

std::optional<Fixture> Schedule::next(std::uint64_t index) const {
    for (std::uint64_t round = index / per_round_, within = index % per_round_;; ++round, within = 0) {
        bool more = false;
        for (std::uint32_t g = 0; g < games_.size(); ++g) {
            const Game& game = games_[g];
            if (round >= game.rounds) continue;
            more = true;
            if (within >= game.end) continue;
            const std::uint64_t at = std::max(within, game.first);
            const auto group = std::prev(std::ranges::upper_bound(game.groups, at, {}, &Group::first));
            Fixture fixture;
            fixture.index = round * per_round_ + at;
            fixture.game = g;
            fixture.round = round;
            fixture.block = round * per_round_ + group->first;
            fixture.ends_block = at + 1 == group->first + group->size;
            fixture.seats = seats_of(*group, fixture.block, at - group->first);
            return fixture;
        }
        if (!more) return std::nullopt;
    }
}

Schedule::Seats Schedule::seats_of(const Group& group, std::uint64_t block, std::uint64_t assignment) const {
    if (!group.orders.empty()) return group.orders[assignment];
    Seats seats = group.members;
    Random random(match::derived_seed(seed_, block));
    for (std::size_t left = seats.size(); left > 1; --left) // Fisher and Yates
        std::swap(seats[left - 1], seats[random.below(static_cast<std::uint32_t>(left))]);
    std::ranges::rotate(seats, seats.begin() + static_cast<std::ptrdiff_t>(assignment));
    return seats;
}

} // namespace zug::tournament
