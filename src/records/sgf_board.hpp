#pragma once
// The board of a game of placed stones, as smart game format names its points and players.

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

private:
    explicit SgfBoard(engines::Vertices vertices) : vertices_(vertices) {}

    engines::Vertices vertices_;
    bool from_top_ = true; // rows are counted from the top one
};

} // namespace zug::records
