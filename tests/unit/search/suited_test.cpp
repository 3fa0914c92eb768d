// Which method `auto` plays with, and why.

#include "lang/load.hpp"
#include "search/suited.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace zug;
using namespace zug::search;

namespace {

Method suited_to(const std::string& file) {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + file + ".zug", {});
    REQUIRE(loaded.program);
    game::Game game(loaded.program);
    const Suited first = suited(game), again = suited(game);
    CHECK(first.method == again.method);
    CHECK(!first.why.empty());
    CHECK(refusal(first.method, game.traits()).empty());
    return first.method;
}

} // namespace

TEST_CASE("auto plays by playouts where there is no evaluation and the end of the game is far") {
    CHECK(suited_to("hex") == Method::MonteCarlo);
    CHECK(suited_to("havannah") == Method::MonteCarlo);
}

TEST_CASE("auto plays by search to a depth where there is an evaluation, or the end of the game is in sight") {
    CHECK(suited_to("othello") == Method::AlphaBeta);
    CHECK(suited_to("backgammon") == Method::Expectimax);
    CHECK(suited_to("nim") == Method::AlphaBeta);
    CHECK(suited_to("sim") == Method::AlphaBeta);
    CHECK(suited_to("three-tic-tac-toe") == Method::Paranoid);
    CHECK(suited_to("ludo") == Method::MaxN);
    CHECK(suited_to("pirates") == Method::MaxN);
    CHECK(suited_to("sliding-puzzle") == Method::AStar);
}
