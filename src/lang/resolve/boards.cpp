// Boards: what all shapes have in common. The shapes are in shapes.cpp and listed.cpp.

#include "lang/resolve/boards.hpp"

#include "lang/core/scopes.hpp"
#include "lang/resolve/shapes.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

void Boards::resolve_board(Declaration& d) {
    if (d.phase != Declaration::Phase::Untouched) {
        if (d.phase == Declaration::Phase::Busy) error(Message::CyclicDefinition, d.span, {d.name});
        return;
    }
    d.phase = Declaration::Phase::Busy;
    const InTree scope(context_, d.tree);
    ir::Board board;
    board.name = d.name;
    if (!d.broken && make_board(d.node, board)) {
        board_groups(d.node, board);
        if (node(child(d.node, 0)).kind == Kind::ShapeStar) add_tips(board);
        const auto sites = board.sites.size();
        const auto dirs = board.dir_count;
        const auto id = program_.boards.push(std::move(board));
        types().set_site_count(id, sites);
        types().set_dir_count(id, dirs);
        d.number = static_cast<std::uint32_t>(index(id));
        d.type = types().site(id);
    } else {
        d.number = UINT32_MAX; // there is none
        symbols_.lose(span(d.node));
    }
    d.phase = Declaration::Phase::Done;
}

bool Boards::make_board(NodeId id, ir::Board& board) {
    const NodeId shape = child(id, 0), where = child(id, 1);
    if (!valid(shape)) return false;
    bool made = false;
    const Kind shape_kind = node(shape).kind;
    const bool has_coordinates =
        shape_kind == Kind::ShapeGrid || shape_kind == Kind::ShapeHex || shape_kind == Kind::ShapeStar;
    if (valid(where) && !has_coordinates) error(Message::WhereHere, span(where));
    switch (shape_kind) {
    case Kind::ShapeGrid: made = grid_sites(shape, where, board); break;
    case Kind::ShapeHex: made = hex_sites(shape, where, board); break;
    case Kind::ShapeStar: made = star_sites(shape, where, board); break;
    case Kind::ShapeRing: made = ring_sites(shape, board); break;
    case Kind::ShapeLines: made = line_sites(shape, board); break;
    case Kind::ShapeGraph: made = graph_sites(shape, board); break;
    default: return false;
    }
    if (made && board.sites.empty()) {
        error(Message::EmptyBoard, span(shape));
        return false;
    }
    return made;
}

void Boards::board_groups(NodeId id, ir::Board& board) {
    std::vector<std::string> names;
    for (const auto& site : board.sites) names.push_back(site.name);
    for (NodeId group : children(id).subspan(2)) {
        ir::SiteGroup made{.name = valid(group) ? node(group).text : "", .sites = Bits(board.sites.size())};
        for (NodeId member : valid(group) ? children(group) : std::span<const NodeId>{}) {
            if (!valid(member)) continue;
            const auto it = std::ranges::find(names, node(member).text);
            if (it != names.end()) {
                made.sites.set(static_cast<std::size_t>(it - names.begin()));
                continue;
            }
            symbols_.none_of(Message::UnknownSite, node(member).text, span(member), {names, "sites"});
        }
        board.groups.push_back(std::move(made));
    }
}

ir::StepId Boards::offset_step(ir::BoardId id, std::int64_t dx, std::int64_t dy) {
    ir::Board& board = program_.boards[id];
    const std::string name = fmt::format("({}, {})", dx, dy);
    for (std::uint32_t i = 0; i < board.steps.size(); ++i)
        if (board.steps[static_cast<ir::StepId>(i)].name == name) return static_cast<ir::StepId>(i);
    return board.steps.push(coordinate_step(board, name, dx, dy));
}

TypeId Boards::first_site(Span at) {
    if (symbols_.boards().empty()) {
        if (!symbols_.lacks_board()) error(Message::NoBoard, at);
        return none_id<TypeId>;
    }
    resolve_board(*symbols_.boards().front());
    if (symbols_.boards().front()->phase == Declaration::Phase::Busy)
        error(Message::CyclicDefinition, at, {symbols_.boards().front()->name});
    return symbols_.boards().front()->type;
}

} // namespace zug::lang
