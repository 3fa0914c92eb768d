#pragma once
// Boards: sites, directions and groups of every shape, worked out when first asked for. Internal to src/lang.

#include "lang/core/part.hpp"

#include <functional>

namespace zug::lang {

class Symbols;
class Constants;

class Boards : CheckerPart {
public:
    Boards(Context& context, Symbols& symbols, Constants& constants)
        : CheckerPart(context), symbols_(symbols), constants_(constants) {}

    static constexpr std::uint64_t max_sites = 4096;

    // The site type of the first board. none_id: an error has been reported.
    TypeId first_site(Span span);
    // Works out a board: its sites, directions and groups. Its declaration has no type if it has errors.
    void resolve_board(Declaration& declaration);
    // The map of a board with coordinates that shifts by (dx, dy), made on first use.
    ir::StepId offset_step(ir::BoardId board, std::int64_t dx, std::int64_t dy);

private:
    bool make_board(NodeId id, ir::Board& board);
    std::optional<std::int64_t> board_size(NodeId id, std::int64_t low);
    bool fits_board(std::int64_t sites, Span span);
    bool grid_sites(NodeId shape, NodeId where, ir::Board& board);
    bool hex_sites(NodeId shape, NodeId where, ir::Board& board);
    bool star_sites(NodeId shape, NodeId where, ir::Board& board);
    bool ring_sites(NodeId shape, ir::Board& board);
    bool line_sites(NodeId shape, ir::Board& board);
    bool graph_sites(NodeId shape, ir::Board& board);
    bool keep_sites(ir::Board& board, std::int64_t width, std::int64_t height, NodeId where,
                    const std::function<bool(std::int64_t, std::int64_t)>& inside);
    void board_groups(NodeId id, ir::Board& board);

    Symbols& symbols_;
    Constants& constants_;
};

} // namespace zug::lang
