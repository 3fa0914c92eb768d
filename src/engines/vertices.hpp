#pragma once
// Points of a board and colours of players as the Go Text Protocol, version 2, names them: columns are letters without
// I, rows are numbered from below; Black is the player of that name, or the first one where there is none.

#include "base/error.hpp"
#include "game/game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zug::engines {

// From 1, as the sites of boards have them.
struct Point {
    std::int32_t x = 0, y = 0;
};

class Vertices {
public:
    // The error says why the game can't be played by points: it needs two players, no chance, and a rule of which each
    // move is a site of one grid, or of a rhombus, of at most 25 columns.
    static tl::expected<Vertices, Error> of(const game::Game& game);

    static std::int32_t most_columns();
    std::int32_t width() const { return width_; }
    std::int32_t height() const { return height_; }
    ir::BoardId board() const { return board_; }
    // Where a move of the list places something; none: it does not.
    std::optional<Point> point(const ir::Program& program, const game::MoveList& moves, std::size_t i) const;
    // The move that places something there.
    std::optional<std::size_t> find(const ir::Program& program, const game::MoveList& moves, Point point) const;
    // The index of the move that a point, `pass`, or the game's own text of a move names. An error: what is wrong.
    tl::expected<std::size_t, Error> find(game::Game& game, const game::State& state, const game::MoveList& moves,
                                          std::string_view text) const;
    // The point where a move of the list places something; of other moves the game's own text.
    std::string text(game::Game& game, const game::State& state, const game::MoveList& moves, std::size_t i) const;

    std::string text(Point point) const;
    // None: it is no point of the board.
    std::optional<Point> point_in(std::string_view text) const;

    // `b`, `Black`, `w`, `white`.
    std::optional<std::uint32_t> player(std::string_view colour) const;
    std::string_view colour(std::uint32_t player) const { return player == black_ ? "black" : "white"; }

private:
    Vertices() = default;

    ir::RuleId rule_ = none_id<ir::RuleId>; // that places
    ir::BoardId board_ = none_id<ir::BoardId>;
    std::int32_t width_ = 0, height_ = 0;
    std::uint32_t black_ = 0; // a player
};

} // namespace zug::engines
