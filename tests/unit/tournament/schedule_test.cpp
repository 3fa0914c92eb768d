// The schedule: every pair has every seat equally often, openings are shared, indexes do not depend on the length.

#include "tournament/schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace zug::tournament;

namespace {

std::vector<Fixture> all(const Schedule& schedule) {
    std::vector<Fixture> fixtures;
    for (std::uint64_t index = 0;;) {
        const auto fixture = schedule.next(index);
        if (!fixture) return fixtures;
        CHECK(fixture->index >= index);
        index = fixture->index + 1;
        fixtures.push_back(*fixture);
    }
}

std::vector<Fixture> all(const ScheduleOptions& options) {
    const auto schedule = Schedule::make(options);
    REQUIRE_MESSAGE(schedule.has_value(), schedule.error().text);
    auto fixtures = all(*schedule);
    CHECK(fixtures.size() == schedule->size());
    return fixtures;
}

} // namespace

TEST_CASE("a round robin of pairs: each pair plays both ways from each opening") {
    const auto fixtures = all({.players = 4, .seats = {2}, .games = 10});
    CHECK(fixtures.size() == 6 * 10);
    std::map<std::vector<std::uint16_t>, int> orders;
    for (const Fixture& fixture : fixtures) ++orders[fixture.seats];
    CHECK(orders.size() == 12);
    for (const auto& [seats, count] : orders) CHECK(count == 5);
    for (std::size_t i = 0; i < fixtures.size(); i += 2) {
        CHECK(fixtures[i].block == fixtures[i].index);
        CHECK(fixtures[i + 1].block == fixtures[i].block);
        CHECK(fixtures[i + 1].round == fixtures[i].round);
        CHECK_FALSE(fixtures[i].ends_block);
        CHECK(fixtures[i + 1].ends_block);
        CHECK(fixtures[i].seats[0] == fixtures[i + 1].seats[1]);
        CHECK(fixtures[i].seats[1] == fixtures[i + 1].seats[0]);
    }
}

TEST_CASE("an odd number of games is rounded up to whole pairs") {
    CHECK(all({.players = 2, .seats = {2}, .games = 1}).size() == 2);
    CHECK(all({.players = 2, .seats = {2}, .games = 7}).size() == 8);
    CHECK(all({.players = 3, .seats = {3}, .games = 7}).size() == 12);
}

TEST_CASE("a gauntlet is the first player against each other one") {
    const auto fixtures = all({.players = 5, .seats = {2}, .games = 2, .gauntlet = true});
    CHECK(fixtures.size() == 4 * 2);
    for (const Fixture& fixture : fixtures) CHECK(std::ranges::count(fixture.seats, 0) == 1);
}

TEST_CASE("with more seats than two, every player has every seat equally often, and so has every pair") {
    for (const std::uint16_t seats : {std::uint16_t{3}, std::uint16_t{4}}) {
        const auto fixtures = all({.players = 5, .seats = {seats}, .games = 24});
        std::map<std::vector<std::uint16_t>, int> of_two; // player, other player, their seats
        for (const Fixture& fixture : fixtures)
            for (std::uint16_t a = 0; a < seats; ++a)
                for (std::uint16_t b = 0; b < seats; ++b)
                    if (a != b) ++of_two[{fixture.seats[a], fixture.seats[b], a, b}];
        CHECK(of_two.size() == 5 * 4 * seats * (seats - 1));
        for (const auto& [key, count] : of_two) CHECK(count == of_two.begin()->second);
    }
}

TEST_CASE("games of many seats play rotations: still every player in every seat of each block") {
    const auto fixtures = all({.players = 7, .seats = {6}, .games = 12, .seed = 3});
    CHECK(fixtures.size() == 7 * 12);
    std::map<std::uint64_t, std::map<std::pair<std::size_t, std::uint16_t>, int>> blocks;
    std::set<std::vector<std::uint16_t>> different;
    for (const Fixture& fixture : fixtures) {
        different.insert(fixture.seats);
        for (std::size_t seat = 0; seat < 6; ++seat) ++blocks[fixture.block][{seat, fixture.seats[seat]}];
    }
    CHECK(blocks.size() == 14);
    CHECK(different.size() > 70); // the order is drawn anew for each block
    for (const auto& [block, counts] : blocks) {
        CHECK(counts.size() == 36);
        for (const auto& [key, count] : counts) CHECK(count == 1);
    }
}

TEST_CASE("fewer players than seats share them out in every way") {
    const auto fixtures = all({.players = 2, .seats = {3}, .games = 3});
    std::set<std::vector<std::uint16_t>> orders;
    for (const Fixture& fixture : fixtures) orders.insert(fixture.seats);
    CHECK(fixtures.size() == 6);
    CHECK(orders ==
          std::set<std::vector<std::uint16_t>>{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}});
    // Of four seats: one and three, two and two, three and one.
    CHECK(all({.players = 2, .seats = {4}, .games = 1}).size() == 4 + 6 + 4);
}

TEST_CASE("in games of a single player everybody plays every opening") {
    const auto fixtures = all({.players = 3, .seats = {1}, .games = 5});
    CHECK(fixtures.size() == 15);
    for (std::size_t i = 0; i < fixtures.size(); ++i) {
        CHECK(fixtures[i].seats == std::vector<std::uint16_t>{static_cast<std::uint16_t>(i % 3)});
        CHECK(fixtures[i].round == i / 3);
        CHECK(fixtures[i].ends_block == (i % 3 == 2));
    }
}

TEST_CASE("a longer tournament begins with the games of a shorter one") {
    ScheduleOptions options{.players = 3, .seats = {2, 3, 1}, .games = 6, .seed = 9};
    const auto few = all(options);
    options.games = 20;
    const auto many = all(options);
    std::map<std::uint64_t, Fixture> by_index;
    for (const Fixture& fixture : many) by_index[fixture.index] = fixture;
    CHECK(by_index.size() == many.size());
    for (const Fixture& fixture : few) {
        REQUIRE(by_index.contains(fixture.index));
        CHECK(by_index[fixture.index].seats == fixture.seats);
        CHECK(by_index[fixture.index].game == fixture.game);
        CHECK(by_index[fixture.index].round == fixture.round);
    }
    std::map<std::uint32_t, int> games;
    for (const Fixture& fixture : few) ++games[fixture.game];
    CHECK(games == std::map<std::uint32_t, int>{{0, 18}, {1, 6}, {2, 18}});
}

TEST_CASE("what can't be scheduled is refused") {
    const auto why = [](const ScheduleOptions& options) { return Schedule::make(options).error().text; };
    CHECK(why({.players = 1, .seats = {2}}) == "a tournament needs at least two players");
    CHECK(why({.players = 200, .seats = {8}}) == "there are too many ways to choose 8 of 200 players");
    CHECK(why({.players = 2, .seats = {2}, .games = UINT64_MAX}) == "the number of games is out of range");
    CHECK(Schedule::make({.players = 2, .seats = {16}}).has_value());
    CHECK(Schedule::make({.players = 256, .seats = {2}}).has_value());
}
