// Players that remember the positions of their games.

#include "lang/load.hpp"
#include "match/match.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace zug;
using namespace zug::match;

namespace {

game::Game rules_of(const std::string& name) {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", {});
    REQUIRE(loaded.program);
    return game::Game(loaded.program);
}

PlayerSpec player(const std::string& text) {
    auto spec = parse_player(text);
    REQUIRE_MESSAGE(spec.has_value(), spec.error().text);
    return *spec;
}

std::uint64_t looked_up(const Player& player) {
    std::uint64_t count = 0;
    if (const search::Result* const thoughts = player.thoughts())
        for (const search::Count& one : thoughts->counts)
            if (one.name == "positions of earlier games") count += one.value;
    return count;
}

} // namespace

TEST_CASE("a player looks up what it has met in an earlier game") {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "zug_rote_player";
    std::filesystem::remove(file);
    game::Game game = rules_of("connect-four");
    const PlayerSpec spec = player("alphabeta:depth=3,rote=" + file.string());
    REQUIRE(unsuitable(spec, game).empty());
    const auto first = make_player(spec, game);
    const auto second = make_player(player("random"), game);
    const std::array<Player*, 2> seats{first.get(), second.get()};
    const auto game_of = [&](std::uint64_t seed) {
        PlayOptions options;
        options.seed = seed;
        return play_game(game, game.initial(), seats, options);
    };
    // The second game takes the course of the first, since nothing it looks up is of a search that saw less.
    const GameRecord one = game_of(1);
    CHECK(one.end == End::Finished);
    CHECK(looked_up(*first) == 0);
    game_of(1);
    CHECK(std::filesystem::file_size(file) > 0);
    std::uint64_t before = 0;
    game::MoveList moves;
    game.expand(game.initial(), moves);
    first->new_game(1);
    REQUIRE(first->choose(game.initial(), moves, nullptr));
    before += looked_up(*first);
    CHECK(before > 0);
    std::filesystem::remove(file);
}

TEST_CASE("who can't remember positions is told why") {
    game::Game game = rules_of("tic-tac-toe");
    game::Game three = rules_of("chinese-checkers");
    CHECK(unsuitable(player("auto:rote=/tmp/zug_rote_x"), three).find("and this game suits maxn") != std::string::npos);
    CHECK(unsuitable(player("auto:rote=/no/such/folder/x"), game) ==
          "can't write to /no/such/folder/x: No such file or directory");
    CHECK(parse_player("uct:rote=x").error().text.find("uct has no `rote`") != std::string::npos);
    CHECK(parse_player("alphabeta:rote=").error().text.find("rote must be a file") != std::string::npos);
    CHECK_FALSE(deterministic(player("alphabeta:depth=2,rote=x")));
}
