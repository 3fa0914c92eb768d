// The texts that name players, and what the players do.

#include "../search/games.hpp"
#include "match/player.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace zug;
using namespace zug::match;
using search::Method;

namespace {

PlayerSpec good(std::string_view text) {
    const auto spec = parse_player(text);
    REQUIRE_MESSAGE(spec.has_value(), spec.error().text);
    CHECK(spec->text == text);
    return *spec;
}

std::string bad(std::string_view text) {
    const auto spec = parse_player(text);
    REQUIRE_FALSE(spec.has_value());
    return spec.error().text;
}

} // namespace

TEST_CASE("players are named by a short text") {
    CHECK(good("random").kind == PlayerKind::Random);
    CHECK(good("human").kind == PlayerKind::Human);
    CHECK(good("minimax:depth=6").search.method == Method::Minimax);
    CHECK(good("minimax:depth=6").search.depth == 6);
    CHECK(good("expectimax:depth=3").search.method == Method::Expectimax);
    CHECK(good("maxn:depth=4").search.method == Method::MaxN);
    CHECK_FALSE(good("auto:time=1s").search.method.has_value());
    const PlayerSpec full =
        good("alphabeta:depth=6,time=2s,nodes=5000,table=off,ordering=off,deepening=off,pruning=off");
    CHECK(full.search.method == Method::AlphaBeta);
    CHECK(full.search.depth == 6);
    CHECK(full.search.seconds == 2);
    CHECK(full.search.nodes == 5000);
    CHECK_FALSE(full.search.options.table);
    CHECK_FALSE(full.search.options.ordering);
    CHECK_FALSE(full.search.options.deepening);
    CHECK_FALSE(full.search.options.pruning);
}

TEST_CASE("times and table sizes have units") {
    CHECK(good("auto:time=2s").search.seconds == 2);
    CHECK(good("auto:time=500ms").search.seconds == doctest::Approx(0.5));
    CHECK(good("auto:time=1m").search.seconds == 60);
    CHECK(good("auto:time=0.25").search.seconds == 0.25);
    CHECK(good("auto:time=5m+3s").search.game_time->seconds == 300);
    CHECK(good("auto:time=5m+3s").search.game_time->increment == 3);
    CHECK(good("auto:time=90+0").search.game_time->increment == 0);
    CHECK(good("auto:time=5m+3s").search.seconds == 0);
    CHECK(good("auto:table=64MB").search.options.table_bytes == 64U << 20);
    CHECK(good("auto:table=1.5g").search.options.table_bytes == 1536U << 20);
    CHECK(good("astar:memory=2GiB").search.options.memory == std::size_t{2} << 30);
    CHECK(good("auto:table=on").search.options.table);
}

TEST_CASE("a search player without a limit gets one") {
    CHECK(good("alphabeta").search.nodes == default_nodes);
    CHECK(good("alphabeta:table=off").search.nodes == default_nodes);
    CHECK(good("alphabeta:depth=3").search.nodes == 0);
    CHECK(good("alphabeta:time=1s").search.nodes == 0);
}

TEST_CASE("a text that names no player says what is allowed") {
    CHECK(bad("randon") ==
          "there is no player `randon`; players are random, human, minimax, alphabeta, expectimax, "
          "maxn, paranoid, bestreply, errant, uct, bstar, mgss, astar, idastar, dfbb, auto, solved, uci, "
          "xboard, gtp; did you mean `random`?");
    CHECK(bad("alpha-beta:depth=3").ends_with("did you mean `alphabeta`?"));
    CHECK(bad("xyzzyxyzzy").ends_with("dfbb, auto, solved, uci, xboard, gtp"));
    CHECK(bad("").find("there is no player ``") == 0);
    CHECK(bad("random:depth=3") == "player `random:depth=3`: `random` has no settings");
    CHECK(bad("human:").find("has no settings") != std::string::npos);
    CHECK(bad("auto:dept=3") == "player `auto:dept=3`: there is no setting `dept`; did you mean `depth`? "
                                "(`zug help players` shows all)");
    CHECK(bad("maxn:window=sss") ==
          "player `maxn:window=sss`: maxn has no `window`; it has depth, time, nodes, book, eval, random, table, "
          "deepening, pruning, calibration");
    CHECK(bad("auto:depth=3,depth=4") == "player `auto:depth=3,depth=4`: `depth` is set twice");
    CHECK(bad("auto:").find("there is no setting ``") != std::string::npos);
    CHECK(bad("auto:depth=3,").find("there is no setting ``") != std::string::npos);
    CHECK(bad(std::string(100000, 'a')).find("there is no player") == 0);
}

TEST_CASE("a bad depth or time is an error") {
    for (const char* depth : {"0", "-1", "1025", "1.5", "six", "", "6 ", "99999999999999999999"})
        CHECK(bad(std::string("auto:depth=") + depth).find("depth must be a whole number of plies from 1 to 1024") !=
              std::string::npos);
    for (const char* time :
         {"0", "-1", "0s", "s", "", "1h", "nan", "inf", "1e300", "2ss", "+", "5m+", "+3s", "5m+-1s", "0+1"})
        CHECK(bad(std::string("auto:time=") + time)
                  .find("time must be a time above zero such as 2s, 500ms or 1m, or 5m+3s") != std::string::npos);
    CHECK(bad("auto:nodes=0").find("nodes must be") != std::string::npos);
    CHECK(bad("auto:table=0MB").find("table must be on, off, or a size such as 64MB or 4GB, not `0MB`") !=
          std::string::npos);
    CHECK(bad("auto:ordering=maybe").find("ordering must be on or off, not `maybe`") != std::string::npos);
    CHECK(bad("auto:depth").find("depth must be") != std::string::npos);
}

TEST_CASE("a list of players may have settings with commas") {
    const auto two = parse_players("alphabeta:depth=6,time=2s,random");
    REQUIRE(two.has_value());
    REQUIRE(two->size() == 2);
    CHECK((*two)[0].text == "alphabeta:depth=6,time=2s");
    CHECK((*two)[1].text == "random");
    const auto loose = parse_players("auto,depth=2,auto:depth=3,table=off");
    REQUIRE(loose.has_value());
    REQUIRE(loose->size() == 2);
    CHECK((*loose)[0].text == "auto:depth=2");
    CHECK((*loose)[1].text == "auto:depth=3,table=off");
    CHECK_FALSE(parse_players("random,,random").has_value());
    CHECK_FALSE(parse_players("").has_value());
    CHECK_FALSE(parse_players("depth=3,random").has_value());
}

TEST_CASE("a solved player has a folder of any name, and settings after it") {
    CHECK(good("solved:here").folder == "here");
    CHECK_FALSE(good("solved:here").tease);
    CHECK(good("solved:here").search.options.error == search::Options().error);
    const PlayerSpec teasing = good("solved:/some/where,tease=on,error=0.25");
    CHECK(teasing.kind == PlayerKind::Solved);
    CHECK(teasing.folder == "/some/where");
    CHECK(teasing.tease);
    CHECK(teasing.search.options.error == 0.25);
    CHECK(good("solved:here,error=0.25,tease=on").search.options.error == 0.25);
    CHECK_FALSE(good("solved:here,tease=off,error=0.25").tease);
    for (const std::string folder : {"a,b", "a=b", "a,width=3", "c:/d", "a,tease=on,b", "tease=on/", "a,teas=on/", "a,",
                                     "./error=1", "a,tease=on,width=3"}) {
        CAPTURE(folder);
        CHECK(good("solved:" + folder).folder == folder);
        CHECK_FALSE(good("solved:" + folder).tease);
        CHECK(good("solved:" + folder + ",tease=on").folder == folder);
        CHECK(good("solved:" + folder + ",tease=on").tease);
    }
}

TEST_CASE("wrong settings of a solved player are told from a folder's name") {
    CHECK(bad("solved:here,tease=maybe") == "player `solved:here,tease=maybe`: tease must be on or off, not `maybe`");
    CHECK(bad("solved:here,teas=on") == "player `solved:here,teas=on`: there is no setting `teas`; did you mean "
                                        "`tease`? (`zug help players` shows all)");
    CHECK(bad("solved:here,errors=1,tease=on").find("did you mean `error`?") != std::string::npos);
    CHECK(bad("solved:here,tease=on,tease=off").ends_with("`tease` is set twice"));
    for (const std::string error : {"0", "-1", "11", "nan", "", "much"})
        CHECK(bad("solved:here,tease=on,error=" + error)
                  .ends_with("error must be a number above 0, up to 10, not `" + error + "`"));
    CHECK(bad("solved:here,error=1").ends_with("error goes with tease=on"));
    for (const char* nowhere : {"solved", "solved:", "solved:tease=on", "solved:,tease=on", "solved:error=1,tease=on"})
        CHECK(bad(nowhere).ends_with("solved:DIR names the folder of its databases"));
}

TEST_CASE("a solved player in a list") {
    for (const char* text : {"solved:here,tease=on,error=0.5,random", "random,solved:here,tease=on,error=0.5"}) {
        CAPTURE(text);
        const auto players = parse_players(text);
        REQUIRE(players);
        REQUIRE(players->size() == 2);
        const PlayerSpec& solved = (*players)[(*players)[0].kind == PlayerKind::Solved ? 0 : 1];
        CHECK(solved.folder == "here");
        CHECK(solved.tease);
        CHECK(solved.search.options.error == 0.5);
    }
    const auto two = parse_players("solved:a,width=3,tease=on,solved:b");
    REQUIRE(two);
    REQUIRE(two->size() == 2);
    CHECK((*two)[0].folder == "a,width=3");
    CHECK((*two)[1].folder == "b");
    CHECK_FALSE(parse_players("solved,tease=on,random"));
    CHECK_FALSE(parse_players("solved:a,tease,random"));
}

TEST_CASE("a player that can't search the game is unsuitable") {
    const game::Traits dice{.players = 2, .chance = true, .zero_sum = true};
    CHECK(unsuitable(good("alphabeta:depth=2"), dice) ==
          "alphabeta can't search a game with chance events; use expectimax");
    CHECK(unsuitable(good("auto:depth=2"), dice).empty());
    CHECK(unsuitable(good("random"), dice).empty());
}

TEST_CASE("a random player draws all moves and repeats itself by its seed") {
    game::Game game(std::make_unique<test::TicTacToe>());
    const auto player = make_player(good("random"), game);
    run::MoveList moves;
    const auto state = game.initial();
    REQUIRE(game.expand(state, moves) == test::NodeKind::Decision);
    const auto draws = [&](std::uint64_t seed) {
        player->new_game(seed);
        std::vector<std::size_t> drawn;
        for (int i = 0; i < 200; ++i) drawn.push_back(player->choose(state, moves, nullptr).value());
        return drawn;
    };
    const auto first = draws(7);
    CHECK(first == draws(7));
    CHECK(first != draws(8));
    CHECK(std::set<std::size_t>(first.begin(), first.end()).size() == 9);
}

TEST_CASE("a search player takes the win, and answers even when it has no time to think") {
    game::Game game(std::make_unique<test::Nim>(std::vector<std::uint64_t>{3, 4, 5}));
    run::MoveList moves;
    const auto state = game.initial();
    game.expand(state, moves);
    const auto player = make_player(good("alphabeta:depth=20"), game);
    const auto move = player->choose(state, moves, nullptr);
    REQUIRE(move.has_value());
    CHECK(game.move_text(state, moves, *move) == "2"); // leaves 1, 4, 5
    REQUIRE(player->thoughts() != nullptr);
    CHECK(player->thoughts()->value[0] == 1);
    const auto hasty = make_player(good("alphabeta:nodes=1"), game);
    CHECK(hasty->choose(state, moves, nullptr).value() == 0);
    const std::atomic<bool> stop = true;
    CHECK(player->choose(state, moves, &stop).error().why == NoMove::Why::Stopped);
}

TEST_CASE("a weaker player makes random moves so often") {
    game::Game game(std::make_unique<test::TicTacToe>());
    run::MoveList moves;
    const auto state = game.initial();
    game.expand(state, moves);
    const auto others = [&](const std::string& text) { // moves that are not the best, of 300
        const auto player = make_player(good(text), game);
        player->new_game(3);
        const std::size_t best = make_player(good("alphabeta:depth=9"), game)->choose(state, moves, nullptr).value();
        int count = 0;
        for (int i = 0; i < 300; ++i)
            if (player->choose(state, moves, nullptr).value() != best) ++count;
        return count;
    };
    CHECK(others("alphabeta:depth=9,random=0") == 0);
    const int some = others("alphabeta:depth=9,random=0.3"), all = others("alphabeta:depth=9,random=1");
    CHECK((some > 40 && some < 130)); // 80 are expected
    CHECK(all > 240);                 // 267
    CHECK_FALSE(deterministic(good("alphabeta:depth=9,random=0.3")));
    CHECK(bad("auto:random=2").find("random must be a number from 0 to 1, not `2`") != std::string::npos);
}

TEST_CASE("a model of the opponent is a player in the player's text") {
    const auto players = parse_players("errant:depth=3,model=(alphabeta:depth=2,random=0.1),error=0.2,random");
    REQUIRE(players);
    REQUIRE(players->size() == 2);
    const search::Options& options = players->front().search.options;
    REQUIRE(options.opponent);
    CHECK(options.opponent->method == search::Method::AlphaBeta);
    CHECK(options.opponent->depth == 2);
    CHECK(options.opponent->random == 0.1);
    CHECK(options.error == 0.2);
    CHECK(good("errant:model=random").search.options.opponent->random == 1);
    CHECK(good("errant:model=uct:nodes=50").search.options.opponent->nodes == 50);
    CHECK(good("errant:model=uct:nodes=50").search.options.opponent->options.memory == std::size_t{256} << 20);
    std::string deep;
    for (int i = 0; i < 50'000; ++i) deep += "(errant:model=";
    CHECK(bad("errant:model=" + deep).find("model must be") != std::string::npos);
    for (const char* wrong :
         {"", "human", "alphabeta", "alphabeta:time=1,depth=2", "(alphabeta:depth=2", "(uct:nodes=0)",
          "(alphabeta:depth=1,eval=none)", "(errant:depth=1,model=random)", "(alphabeta:depth=1,threads=2)",
          "(alphabeta:depth=1,table=4GB)", "(uct:nodes=9,memory=4GB)", "(alphabeta:depth=1))"})
        CHECK(bad("errant:model=" + std::string(wrong)).find("`errant:model=") != std::string::npos);
    CHECK(bad("errant:model=uct").find("model must be random, or a method with a depth or nodes") != std::string::npos);
    CHECK(bad("alphabeta:model=random").find("alphabeta has no `model`") != std::string::npos);
    CHECK(deterministic(good("errant:depth=2,model=random")));
}

TEST_CASE("a human player asks, and may give up") {
    struct Person final : Human {
        std::optional<std::size_t> answer;
        std::optional<std::size_t> ask(game::Game&, const game::State&, const game::MoveList&) override {
            return answer;
        }
    };
    game::Game game(std::make_unique<test::TicTacToe>());
    run::MoveList moves;
    const auto state = game.initial();
    game.expand(state, moves);
    Person person;
    const auto player = make_player(good("human"), game, &person);
    person.answer = 4;
    CHECK(player->choose(state, moves, nullptr).value() == 4);
    person.answer.reset();
    CHECK(player->choose(state, moves, nullptr).error().why == NoMove::Why::Quit);
    CHECK(make_player(good("human"), game)->choose(state, moves, nullptr).error().why == NoMove::Why::Fault);
}
