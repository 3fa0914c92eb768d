// Searches for the values in tests/values; and checks which nodes alpha-beta prunes.

#include "facts.hpp"

#include "search/search.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <set>
#include <sstream>

namespace zug::data {

namespace {

// A single number is the first player's utility; otherwise there is one per player.
void check_value(const Row& row) {
    game::Game game = load(row);
    const game::State root = position(game, row.at("position"));
    const auto method =
        row.at("method") == "auto" ? search::automatic(game.traits()) : search::method_named(row.at("method"));
    REQUIRE(method);
    search::Limits limits;
    if (row.at("depth") != "end") limits.depth = std::stoi(row.at("depth"));

    const search::Result result = search::search(game, root, *method, limits);
    CHECK_MESSAGE(result.fault.empty(), result.fault);
    CHECK(result.complete);
    if (row.at("depth") == "end") CHECK(result.exact);
    std::istringstream expected(row.at("value"));
    std::size_t player = 0;
    for (double value = 0; expected >> value; ++player) {
        REQUIRE(player < result.value.size());
        CHECK(result.value[player] == doctest::Approx(value).epsilon(1e-6));
    }
}

} // namespace

TEST_CASE("searches find known values") {
    for (const Row& row : read_some_of_tables("values")) {
        if (is_skipped(row)) continue;
        const std::string what = describe(row) + ", " + row.at("method");
        CAPTURE(what);
        check_value(row);
    }
}

// Nilsson's figure: two plies deep with open lines as the evaluation, the centre is best; O's best reply is a corner,
// which leaves X five lines and O four.
TEST_CASE("the textbook evaluation of tic-tac-toe opens in the centre") {
    const lang::Loaded loaded = lang::load_file((rules_folder() / "tic-tac-toe.zug").string());
    REQUIRE(loaded.program);
    game::Game game(loaded.program);
    search::Limits limits;
    limits.depth = 2;
    for (const auto method : {search::Method::Minimax, search::Method::AlphaBeta}) {
        const search::Result result = search::search(game, game.initial(), method, limits);
        REQUIRE(result.pv.size() == 2);
        CHECK(result.pv[0] == "b2");
        const std::set<std::string> corners{"a1", "c1", "a3", "c3"};
        CHECK(corners.count(result.pv[1]) == 1);
    }
}

// Bouton: the player to move loses exactly when the exclusive or of the heaps is 0; in the misere game the same, except
// that with no heap above one the player to move loses exactly when the number of heaps is odd.
TEST_CASE("Nim follows Bouton's rule for all heaps up to three") {
    for (const bool misere : {false, true}) {
        for (int code = 0; code < 64; code += test::sanitized ? 5 : 1) {
            const int a = code / 16, b = code / 4 % 4, c = code % 4;
            const bool ones = a <= 1 && b <= 1 && c <= 1;
            const bool lost = misere && ones ? (a + b + c) % 2 == 1 : (a ^ b ^ c) == 0;
            const lang::Overrides overrides{{"a", std::to_string(a)},
                                            {"b", std::to_string(b)},
                                            {"c", std::to_string(c)},
                                            {"misere", misere ? "true" : "false"}};
            const lang::Loaded loaded = lang::load_file((rules_folder() / "nim.zug").string(), overrides);
            REQUIRE(loaded.program);
            game::Game game(loaded.program);
            const search::Result result = search::search(game, game.initial(), search::Method::AlphaBeta, {});
            CAPTURE(a);
            CAPTURE(b);
            CAPTURE(c);
            CAPTURE(misere);
            CHECK(result.exact);
            CHECK(result.value[0] == (lost ? -1 : 1));
        }
    }
}

TEST_CASE("alpha-beta reads neither a nor b of the pruning tree") {
    const lang::Loaded loaded = lang::load_file((rules_folder() / "tree-pruning.zug").string());
    REQUIRE(loaded.program);
    game::Game game(loaded.program);
    const std::uint64_t a = game.hash(position(game, "C c2"));
    const std::uint64_t b = game.hash(position(game, "C c3"));

    std::multiset<std::uint64_t> visited;
    search::Limits limits;
    limits.trace = [&](const search::Visit& visit) { visited.insert(game.hash(visit.state)); };
    search::Options plain;
    plain.table = plain.ordering = plain.deepening = false;

    for (const search::Options& options : {search::Options{}, plain}) {
        visited.clear();
        const search::Result result = search::search(game, game.initial(), search::Method::AlphaBeta, limits, options);
        CHECK(result.value[0] == 3);
        CHECK(visited.count(a) == 0);
        CHECK(visited.count(b) == 0);
    }
    // From left to right: the root, B and its three leaves, C and its first, D and its first.
    CHECK(visited.size() == 9);

    visited.clear();
    search::search(game, game.initial(), search::Method::Minimax, limits);
    CHECK(visited.size() == 13);
    CHECK(visited.count(a) == 1);
    CHECK(visited.count(b) == 1);
}

} // namespace zug::data
