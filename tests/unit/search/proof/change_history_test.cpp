// The order of moves that random games suggest.

#include "tests/unit/search/rule_games.hpp"

#include "search/proof/change_history.hpp"

#include <doctest/doctest.h>

#include <map>

namespace zug::search {

namespace {

// The entries of the moves of a position, by their texts.
std::map<std::string, std::uint32_t> entries(game::Game& game, const game::State& state, const ChangeHistory& history) {
    std::map<std::string, std::uint32_t> entries;
    game::Line line(game);
    game::MoveList moves;
    line.start(state);
    game.expand(state, moves);
    line.list(0);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        line.make(0, i);
        entries[game.move_text(state, moves, i)] = history.entry(line, 0);
    }
    return entries;
}

} // namespace

TEST_CASE("moves begin in the order of the results of random games with them") {
    game::Game game = test::load_rules("connect-four");
    ChangeHistory history(game);
    history.learn(game, game.initial(), 0, [] { return true; });
    auto move = entries(game, game.initial(), history);
    for (const char* other : {"a1", "b1", "c1", "e1", "f1", "g1"}) CHECK(history[move["d1"]] > history[move[other]]);
    for (const char* other : {"b1", "c1", "d1", "e1", "f1"}) CHECK(history[move["a1"]] < history[move[other]]);
    // For the other player, a move is as good as it is bad for the first.
    const auto replies = entries(game, *game.play_line(game.initial(), "a1"), history);
    CHECK(history[replies.at("d1")] > history[replies.at("g1")]);
    CHECK(replies.at("d1") != move["d1"]);
}

TEST_CASE("moves that decide late in the order rise, and those before them fall") {
    game::Game game = test::load_rules("tic-tac-toe");
    ChangeHistory history(game);
    CHECK(history[5] == 0);
    history.failed(4);
    history.decided(5, 3);
    CHECK(history[4] == -1);
    CHECK(history[5] == 3);
}

TEST_CASE("a search that is told to stop does not play random games") {
    game::Game game = test::load_rules("connect-four");
    ChangeHistory history(game), other(game);
    history.learn(game, game.initial(), 0, [] { return false; });
    auto move = entries(game, game.initial(), history);
    CHECK(history[move["d1"]] == history[move["a1"]]);
}

} // namespace zug::search
