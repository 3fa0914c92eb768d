// Kinds of moves: what moves ordering takes together, and what it keeps apart.

#include "game/facts/move_kinds.hpp"
#include "game/line.hpp"
#include "lang/load.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace zug::game {

namespace {

Game game_named(std::string_view file) {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + std::string(file), {});
    REQUIRE(loaded.program);
    return Game(loaded.program);
}

// The kinds of moves of a position, by their texts.
class Kinds {
public:
    Kinds(std::string_view file, std::string_view position)
        : game_(game_named(file)), state_(position.empty() ? game_.initial() : game_.parse_position(position).value()),
          kinds_(game_.program()) {
        Line line(game_);
        line.start(state_);
        line.list(0);
        line.read(0, kinds_, contents_);
        moves_ = line.moves(0);
    }
    std::uint64_t operator[](std::string_view text) {
        return kinds_.of(moves_.steps(game_.parse_move(state_, moves_, text).value()), contents_);
    }

private:
    Game game_;
    State state_;
    MoveKinds kinds_;
    MoveList moves_;
    std::vector<std::uint32_t> contents_;
};

} // namespace

TEST_CASE("moves of a kind: what moves, what it meets, and what it becomes; where does not matter") {
    Kinds chess("chess.zug", "4k3/P6P/8/1n3n2/P3P3/5P2/8/R3K2R w KQ");
    CHECK(chess["a4b5"] == chess["e4f5"]); // a pawn takes a knight
    CHECK(chess["a4b5"] != chess["f3f4"]);
    CHECK(chess["a7a8q"] == chess["h7h8q"]);
    CHECK(chess["a7a8q"] != chess["a7a8r"]);
    CHECK(chess["a1b1"] == chess["h1g1"]);
    CHECK(chess["a1b1"] != chess["e1d1"]);
    CHECK(chess["e1g1"] != chess["e1c1"]); // by direction
}

TEST_CASE("moves of several steps are of a kind as their first ones, if they have as many") {
    Kinds draughts("english-draughts.zug", "");
    CHECK(draughts["9-13"] == draughts["10-14"]);
    CHECK(draughts["9-13"] != draughts["9-14"]); // by direction
}

} // namespace zug::game
