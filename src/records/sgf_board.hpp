#pragma once
// What smart game format and a game of placed stones have in common: points, and positions as stones.

#include "engines/vertices.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::records {

// The parameter that KM is; null: there is none.
const ir::Param* komi_of(const ir::Program& program);

class SgfBoard {
public:
    static tl::expected<SgfBoard, Error> of(const game::Game& game);

    const engines::Vertices& vertices() const { return vertices_; }
    // `B` or `W`.
    char colour(std::uint32_t player) const { return vertices_.colour(player) == "black" ? 'B' : 'W'; }
    std::uint32_t player(char colour) const { return vertices_.player(colour == 'B' ? "b" : "w").value_or(0); }

    std::string point_text(engines::Point point) const;
    // None: it is no point of the board.
    std::optional<engines::Point> point_in(std::string_view text) const;
    // All points from the one to the other, as in `aa:cc`; empty: the text is wrong.
    std::vector<engines::Point> points_in(std::string_view text) const;

    struct Stone {
        engines::Point point;
        std::uint32_t player = 0;
    };
    // The initial position with these stones. The error: the game has no one map of stones.
    tl::expected<game::State, Error> position(game::Game& game, const std::vector<Stone>& stones,
                                              std::uint32_t to_move) const;
    // The stones that a position has and the initial one lacks.
    tl::expected<std::vector<Stone>, Error> stones(game::Game& game, const game::State& state) const;

private:
    explicit SgfBoard(engines::Vertices vertices) : vertices_(vertices) {}
    tl::expected<ir::StateId, Error> map(const ir::Program& program) const;

    engines::Vertices vertices_;
    bool from_top_ = true; // rows are counted from the top one
};

} // namespace zug::records
