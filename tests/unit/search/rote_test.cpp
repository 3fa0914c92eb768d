// Positions of earlier games, looked up by searches.

#include "game/search_form.hpp"
#include "games.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

using namespace zug;
using namespace zug::search;
using run::MoveList;
using run::State;

namespace {

// The positions so many plies after the start, in all lines.
std::vector<State> positions_after(game::Game& game, int plies) {
    std::vector<State> now{game.initial()};
    for (; plies > 0; --plies) {
        std::vector<State> then;
        MoveList moves;
        for (const State& state : now) {
            game.expand(state, moves);
            for (std::size_t i = 0; i < moves.size(); ++i)
                REQUIRE(game.successor(state, moves, i, then.emplace_back()));
        }
        now = std::move(then);
    }
    return now;
}

RoteTable knows(game::Game& game, int plies, double value, std::uint16_t depth) {
    game::SearchForm form(game);
    std::set<std::uint64_t> keys;
    for (const State& state : positions_after(game, plies)) keys.insert(form.position_hash(form.convert(state)));
    std::vector<RoteEntry> entries;
    for (const std::uint64_t key : keys) entries.push_back({key, value, depth});
    return RoteTable(entries);
}

std::uint64_t looked_up(const Result& result) {
    for (const Count& count : result.counts)
        if (count.name == "positions of earlier games") return count.value;
    return 0;
}

Result search_with(game::Game& game, const RoteTable& table, int depth) {
    Options options;
    options.rote = true;
    Limits limits;
    limits.depth = depth;
    limits.rote = &table;
    return search::search(game, game.initial(), Method::AlphaBeta, limits, options);
}

} // namespace

TEST_CASE("a table of positions finds all of its entries and no others") {
    std::vector<RoteEntry> entries;
    for (std::uint64_t i = 0; i < 1000; ++i) entries.push_back({i * 0x100000000ULL, static_cast<double>(i), 3});
    const RoteTable table(entries);
    for (std::uint64_t i = 0; i < 1000; i += 2) {
        const RoteEntry* const entry = table.find(i * 0x100000000ULL, 3);
        REQUIRE(entry != nullptr);
        CHECK(entry->value == static_cast<double>(i));
        CHECK(table.find(i * 0x100000000ULL + 1, 1) == nullptr);
    }
    for (std::size_t i = 0; i < 1000; ++i) CHECK(table.was_used(i) == (i % 2 == 0));
    CHECK(table.find(0x100000000ULL, 4) == nullptr); // was not searched as deep
    CHECK_FALSE(table.was_used(1));
    CHECK(RoteTable().find(0, 1) == nullptr);
}

TEST_CASE("at the depth limit a search takes what is known of a position") {
    game::Game game(std::make_unique<test::TicTacToe>());
    const RoteTable table = knows(game, 2, 0.25, 1);
    const Result result = search_with(game, table, 2);
    CHECK(result.value == std::vector{0.25, -0.25});
    CHECK(looked_up(result) > 0);
    CHECK_FALSE(result.exact);
    CHECK(search_with(game, table, 1).value == std::vector{0.0, 0.0}); // sees none of them
    CHECK(looked_up(search_with(game, RoteTable(), 2)) == 0);
}

TEST_CASE("what is known answers for searches of no greater depth") {
    game::Game game(std::make_unique<test::TicTacToe>());
    for (int known = 1; known <= 3; ++known) {
        const RoteTable table = knows(game, 1, 0.25, static_cast<std::uint16_t>(known));
        for (int depth = 1; depth <= 5; ++depth) {
            CAPTURE(known);
            CAPTURE(depth);
            CHECK((search_with(game, table, depth).value[0] == 0.25) == (depth - 1 <= known));
        }
    }
}
