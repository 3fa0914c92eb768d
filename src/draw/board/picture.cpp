#include "draw/board/picture.hpp"

#include "base/markup/markup.hpp"
#include "draw/board/board_painter.hpp"
#include "draw/board/layout/travel.hpp"
#include "draw/board/panel.hpp"
#include "draw/board/places.hpp"
#include "draw/board/table.hpp"
#include "draw/board/ties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zug::draw::board {

namespace {

constexpr double heading_height = 40, section_gap = 18, least_width = 320;
constexpr double label_room = 26; // beside a board
constexpr std::size_t positions_tried = 600;

double margin_of(Part part) { return part == Part::All ? 24 : part == Part::Boards ? 4 : 1; }

class Picture {
public:
    Picture(game::Game& game, const View& view, Marks marks, const PictureOptions& options)
        : game_(game), view_(view), marks_(std::move(marks)), options_(options), theme_(theme(options.dark)),
          roles_(roles_of(view.program(), options.all)), margin_(margin_of(options.part)) {}

    std::string svg(std::vector<PanelRow> rows);

private:
    void lay_out();
    BoardFrame frame_for(const BoardRole& role, const std::vector<std::vector<Travel>>& travels, double wanted) const;
    double boards_width() const;
    void paint_heading();
    void paint_boards();
    void paint_tables();
    void paint_rows(std::vector<PanelRow> rows);
    std::string description() const;

    game::Game& game_;
    const View& view_;
    Marks marks_;
    const PictureOptions& options_;
    const Theme& theme_;
    Roles roles_;
    const double margin_;
    std::vector<BoardFrame> frames_;
    std::vector<PlaceBoard> places_;
    std::vector<Table> tables_;
    double width_ = 0, y_ = 0;
    Canvas canvas_;
};

bool has_marks_for_lines(const View& view, const BoardRole& role) {
    return std::ranges::any_of(role.maps, [&](const BoardMap& map) {
        const ir::TypeId type = view.state(map.state).value;
        const std::uint64_t count = std::min<std::uint64_t>(view.program().types.cardinality(type), 64);
        bool across = false, upright = false;
        for (std::uint64_t i = 0; i < count; ++i) {
            const Form form = view.looks().of(type, view.program().types.value(type, i)).form;
            across |= form == Form::Across;
            upright |= form == Form::Upright;
        }
        return across && upright;
    });
}

bool has_chessmen(const View& view, const BoardRole& role) {
    const auto is_man = [&](const game::StandingPiece& piece) { return is_chessman(view.state(piece.state).name); };
    return std::ranges::any_of(role.standing.pieces, is_man) ||
           std::ranges::any_of(
               role.maps, [&](const BoardMap& map) { return view.looks().has_chessmen(view.state(map.state).value); });
}

const ir::BoardLook* look_of(const ir::Program& program, ir::BoardId board) {
    const auto found = std::ranges::find(program.looks.boards, board, &ir::BoardLook::board);
    return found == program.looks.boards.end() ? nullptr : &*found;
}

double label_room_of(const BoardFrame& frame) { return frame.layout.labels.empty() ? 0 : label_room; }

BoardFrame Picture::frame_for(const BoardRole& role, const std::vector<std::vector<Travel>>& travels,
                              double wanted) const {
    constexpr double least = 14, most = 92;
    const bool counts = std::ranges::any_of(role.maps, [](const BoardMap& map) { return map.layer == Layer::Counts; });
    const LayoutRequest request{.flip = options_.flip,
                                .bare = has_marks_for_lines(view_, role),
                                .trays = counts,
                                .chess = has_chessmen(view_, role),
                                .travels = &travels[index(role.board)],
                                .look = look_of(view_.program(), role.board)};
    BoardFrame frame{.role = &role,
                     .layout = layout_of(view_.program().boards[role.board], request),
                     .origin = {},
                     .flip = options_.flip};
    const Point size = frame.layout.high - frame.layout.low;
    frame.scale = std::clamp(wanted / std::max(size.x, size.y), least, most);
    return frame;
}

double Picture::boards_width() const {
    double width = 0;
    for (const BoardFrame& frame : frames_)
        width += frame.width() + 2 * label_room_of(frame) + (width > 0 ? section_gap : 0);
    return width;
}

void Picture::lay_out() {
    const auto travels = travels_of(game_, roles_.boards.empty() ? 0 : positions_tried);
    const auto whole = std::ranges::count_if(roles_.boards, [](const BoardRole& role) { return !role.corners_of; });
    for (const BoardRole& role : roles_.boards)
        if (!role.corners_of) frames_.push_back(frame_for(role, travels, whole > 1 ? 420 : 576));
    const auto& looks = view_.program().looks.places;
    for (std::size_t i = 0; i < looks.size(); ++i)
        places_.emplace_back(view_, looks[i], marks_.tracks[i], options_.flip);
    for (const ir::StateId id : roles_.tables)
        if (std::ranges::find(looks, id, &ir::PlaceLook::state) == looks.end()) tables_.emplace_back(view_, id);
    width_ = std::max(roles_.ties.empty() ? least_width : ties_size, boards_width());
    for (const PlaceBoard& board : places_) width_ = std::max(width_, board.width());
    for (const Table& table : tables_) width_ = std::max(width_, table.width());
    if (options_.part == Part::All) width_ = std::max(width_, text_width(view_.program().title, 18));
    width_ += 2 * margin_;
}

void Picture::paint_heading() {
    canvas_.text({margin_, margin_ + 16}, {.size = 18, .fill = theme_.text, .anchor = "start", .bold = true},
                 view_.program().title);
    y_ += heading_height;
}

void Picture::paint_boards() {
    double x = (width_ - boards_width()) / 2, bottom = y_;
    const Brush brush{canvas_, view_, theme_, marks_};
    for (BoardFrame& frame : frames_) {
        const double room = label_room_of(frame);
        frame.origin = {x + room, y_ + (room > 0 && !frame.labelled_above() ? 2 : room)};
        paint_board(brush, frame);
        for (const BoardRole& role : roles_.boards)
            if (role.corners_of == frame.role->board) paint_corners(brush, frame, role);
        x += frame.width() + 2 * room + section_gap;
        bottom = std::max(bottom, frame.origin.y + frame.height() + room);
    }
    y_ = frames_.empty() ? y_ : bottom + section_gap;
}

void Picture::paint_tables() {
    for (const ir::StateId id : roles_.ties) {
        paint_ties(canvas_, theme_, view_, id, {(width_ - ties_size) / 2, y_});
        y_ += ties_size + section_gap;
    }
    for (const PlaceBoard& board : places_) {
        board.paint(canvas_, theme_, {(width_ - board.width()) / 2, y_});
        y_ += board.height() + section_gap;
    }
    for (const Table& table : tables_) {
        table.paint(canvas_, theme_, {margin_, y_});
        y_ += table.height() + section_gap;
    }
}

void Picture::paint_rows(std::vector<PanelRow> rows) {
    for (const ir::StateId id : roles_.texts)
        for (PanelRow& row : rows_for(view_, id, options_.all)) rows.push_back(std::move(row));
    y_ = paint_panel(canvas_, theme_, std::move(rows), {margin_, width_ - margin_, y_}) + margin_;
}

// What stands where, for readers who don't see it.
std::string Picture::description() const {
    std::string text;
    for (const BoardRole& role : roles_.boards) {
        const ir::Board& board = view_.program().boards[role.board];
        std::vector<std::string> parts;
        for (std::size_t site = 0; site < board.sites.size(); ++site)
            if (const std::string words = content_of(view_, role, site); !words.empty())
                parts.push_back(site_text(board.sites[site]) + ": " + words);
        text += fmt::format("{}{}: {}.", text.empty() ? "" : " ", board.name,
                            parts.empty() ? "empty" : fmt::format("{}", fmt::join(parts, "; ")));
    }
    for (const PlaceBoard& board : places_) text += (text.empty() ? "" : " ") + board.description();
    return text;
}

std::string Picture::svg(std::vector<PanelRow> rows) {
    y_ = margin_;
    if (options_.part == Part::Panel) {
        width_ = options_.width;
    } else {
        lay_out();
        if (options_.part == Part::All) paint_heading();
        paint_boards();
        paint_tables();
    }
    std::vector<std::string> status;
    for (const Chip& chip : rows.front().chips) status.push_back(chip.text);
    const std::string title =
        fmt::format("{}, {} {}", view_.program().title, rows.front().label, fmt::join(status, ", "));
    if (options_.part == Part::Boards)
        y_ = std::max(y_ + margin_ - section_gap, 0.0); // there may be none
    else
        paint_rows(std::move(rows));
    const double longer = std::max(width_, y_), factor = options_.size > 0 ? options_.size / longer : 1;
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{2:.0f}\" "
                       "height=\"{3:.0f}\" role=\"img\" aria-labelledby=\"title desc\" "
                       "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" stroke-linejoin=\"round\" "
                       "stroke-linecap=\"round\">\n<title id=\"title\">{4}</title>\n<desc id=\"desc\">{5}</desc>\n"
                       "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"{6}\"/>\n",
                       std::ceil(width_), std::ceil(y_), std::ceil(width_ * factor), std::ceil(y_ * factor),
                       escaped(title), escaped(description()), options_.part == Part::All ? theme_.paper : "none") +
           canvas_.svg() + "</svg>\n";
}

// Who has won, or what everybody gets.
PanelRow result_row(const View& view, const std::vector<double>& payoffs) {
    const auto best = std::ranges::max_element(payoffs);
    const bool equal = std::ranges::all_of(payoffs, [&](double payoff) { return payoff == payoffs.front(); });
    PanelRow row{"game over", {}};
    if (equal && payoffs.size() > 1) {
        row.chips.push_back({.text = "draw"});
        return row;
    }
    for (std::size_t p = 0; p < payoffs.size(); ++p) {
        const auto player = static_cast<std::int64_t>(p);
        const bool winner = payoffs.size() > 1 && payoffs[p] == *best;
        row.chips.push_back(
            {.icon = view.looks().of(view.program().player_type, player),
             .text = fmt::format("{}{} {:g}", view.program().players[p], winner ? " wins" : "", payoffs[p])});
    }
    return row;
}

tl::expected<PanelRow, Error> status_row(game::Game& game, const game::State& state, const View& view) {
    const std::uint32_t player = game.to_move(state);
    const Chip who{.icon = view.looks().of(view.program().player_type, player), .text = game.player_name(player)};
    switch (game.kind(state)) {
    case game::NodeKind::Terminal: {
        std::vector<double> payoffs(game.players());
        if (!game.payoffs(state, payoffs)) return failure(game.fault_text());
        return result_row(view, payoffs);
    }
    case game::NodeKind::Fault: return failure(game.fault_text());
    case game::NodeKind::Chance: return PanelRow{"chance", {{.icon = who.icon, .text = who.text + "'s turn"}}};
    case game::NodeKind::Decision: break;
    }
    return PanelRow{"to move", {who}};
}

std::vector<std::uint32_t> slots_of(game::Game& game, const game::State& state) {
    std::vector<std::uint32_t> slots;
    game.executor().store(state, slots);
    return slots;
}

} // namespace

tl::expected<std::string, Error> picture_of(game::Game& game, const game::State& state,
                                            const std::optional<LastMove>& last, const PictureOptions& options) {
    const auto slots = slots_of(game, state);
    const View view(game.program(), slots);
    auto status = status_row(game, state, view);
    if (!status) return tl::unexpected(status.error());
    std::vector<PanelRow> rows{std::move(*status)};
    Marks marks = no_marks(game.program());
    if (last) {
        const auto before = slots_of(game, last->before);
        mark_last(marks, *last, View(game.program(), before), view);
        rows.push_back({"last move", {{.text = last->text}}});
    }
    if (options.targets) {
        game::MoveList moves;
        if (game.expand(state, moves) == game::NodeKind::Decision)
            mark_targets(marks, game.program(), moves, game.to_move(state));
    }
    return Picture(game, view, std::move(marks), options).svg(std::move(rows));
}

std::optional<LastMove> last_move(game::Game& game, const game::State& start, const std::vector<std::uint64_t>& ids) {
    std::optional<LastMove> last;
    game::State state = start, next;
    game::MoveList moves;
    for (const std::uint64_t id : ids) {
        (void)game.expand(state, moves);
        const auto entry = moves.find(id);
        if (!entry || !game.successor(state, moves, *entry, next)) return std::nullopt;
        const auto steps = moves.steps(*entry);
        last = LastMove{state, {steps.begin(), steps.end()}, game.move_text(state, moves, *entry)};
        std::swap(state, next);
    }
    return last;
}

} // namespace zug::draw::board
