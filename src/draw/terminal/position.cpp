#include "draw/terminal/position.hpp"

#include "draw/board/panel.hpp"
#include "draw/board/pieces/bare.hpp"
#include "draw/terminal/board.hpp"
#include "draw/terminal/place_rows.hpp"
#include "draw/terminal/sides.hpp"
#include "draw/terminal/track.hpp"
#include "game/draw.hpp"
#include "game/faces.hpp"
#include "game/position.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace zug::draw::terminal {

using board::BoardRole;
using board::Layer;
using board::View;

namespace {

constexpr std::size_t positions_tried = 600;

class PositionWriter {
public:
    PositionWriter(const View& view, const Screen& screen, const std::vector<std::vector<board::Travel>>& travels,
                   const Habits& habits)
        : view_(view), screen_(screen), travels_(travels), habits_(habits) {}

    void write_boards(const board::Roles& roles);
    void write_table(ir::StateId id);
    void write_variable(ir::StateId id);
    void write(const std::string& lines) { text_ += lines; }
    std::string text() { return std::move(text_); }

private:
    const ir::Program& program() const { return view_.program(); }
    bool is_drawn(const board::BoardMap& map) const;
    bool write_board(const BoardRole& role, std::vector<Sign> sites, bool counts);
    std::vector<Sign> signs_on(ir::StateId id) const;
    std::vector<Sign> signs_standing(const game::Standing& standing, std::size_t count) const;
    bool write_standing(const BoardRole& role, bool titled);
    bool write_dice(ir::StateId id);
    bool write_owned(ir::StateId id);
    std::string key_text(ir::StateId id, std::uint64_t entry) const;

    const View& view_;
    const Screen& screen_;
    const std::vector<std::vector<board::Travel>>& travels_;
    const Habits& habits_;
    std::string text_;
};

bool PositionWriter::is_drawn(const board::BoardMap& map) const {
    const ir::StateVariable& state = view_.state(map.state);
    return map.layer != Layer::Column && state.assigned && program().types.cardinality(state.value) <= game::max_faces;
}

std::vector<Sign> PositionWriter::signs_on(ir::StateId id) const {
    const std::vector<Sign> signs = signs_of(view_, view_.state(id).value, screen_);
    std::vector<Sign> sites;
    for (std::size_t i = 0; i < view_.state(id).initial.size(); ++i) sites.push_back(signs[view_.slot(id, i)]);
    return sites;
}

// Variables say where these stand. Piles are their values, the lowest first; marks are seen where nothing else is.
// Where several signs are one text, which has one colour, they are told apart without colours.
std::vector<Sign> PositionWriter::signs_standing(const game::Standing& standing, std::size_t count) const {
    Screen uncoloured = screen_;
    uncoloured.colour = false;
    std::vector<std::vector<Sign>> values; // by pile
    for (const ir::StateId id : standing.piles) values.push_back(signs_of(view_, view_.state(id).value, uncoloured));
    std::vector<Sign> sites(count);
    for (std::size_t site = 0; site < count; ++site) {
        const auto things = game::things_on(program(), view_.slots(), standing, site);
        const auto marks = std::ranges::count(things, game::Thing::Kind::Mark, &game::Thing::kind);
        const Screen& screen = things.size() - static_cast<std::size_t>(marks) > 1 ? uncoloured : screen_;
        Sign& all = sites[site];
        for (const game::Thing& thing : things) {
            const bool mark = thing.kind == game::Thing::Kind::Mark, pile = thing.kind == game::Thing::Kind::Pile;
            if (mark && &thing != &things.back()) continue;
            const Sign sign = mark   ? Sign{.text = standing.marks[thing.number].glyph}
                              : pile ? values[thing.number][view_.slot(standing.piles[thing.number], thing.entry)]
                                     : sign_standing(view_, standing.pieces[thing.number], thing.entry, screen);
            all.colour = all.text.empty() || all.colour == sign.colour ? sign.colour : "";
            all.text += sign.text;
        }
    }
    return sites;
}

// False: it can't be shown.
bool PositionWriter::write_board(const BoardRole& role, std::vector<Sign> sites, bool counts) {
    const ir::Board& board = program().boards[role.board];
    BoardContent content{program(), board, std::move(sites), 1, counts, habits_.owners[index(role.board)]};
    for (const Sign& sign : content.sites) content.width = std::max(content.width, columns_of(sign.text));
    const board::Layout layout = board::layout_of(board, {.trays = counts, .travels = &travels_[index(role.board)]});
    const std::string lines = board_of(content, layout, screen_).lines(screen_.colour);
    text_ += lines;
    return !lines.empty();
}

// False: it can't be shown.
bool PositionWriter::write_standing(const BoardRole& role, bool titled) {
    std::vector<std::string> names;
    for (const ir::StateId id : role.standing.states()) names.push_back(view_.state(id).name);
    const std::string title = titled ? fmt::format("{}:\n", fmt::join(names, ", ")) : "";
    text_ += title;
    if (write_board(role, signs_standing(role.standing, program().boards[role.board].sites.size()), false)) return true;
    text_.erase(text_.size() - title.size());
    return false;
}

void PositionWriter::write_boards(const board::Roles& roles) {
    std::size_t count = 0;
    for (const BoardRole& role : roles.boards) {
        count += role.standing.empty() ? 0 : 1;
        count += static_cast<std::size_t>(
            std::ranges::count_if(role.maps, [&](const board::BoardMap& map) { return is_drawn(map); }));
    }
    std::vector<ir::StateId> others;
    for (const BoardRole& role : roles.boards) {
        if (!role.standing.empty() && !write_standing(role, count > 1)) {
            const auto states = role.standing.states();
            others.insert(others.end(), states.begin(), states.end());
        }
        for (const board::BoardMap& map : role.maps) {
            const std::string title = count > 1 && is_drawn(map) ? view_.state(map.state).name + ":\n" : "";
            text_ += title;
            if (is_drawn(map) && write_board(role, signs_on(map.state), map.layer == Layer::Counts)) continue;
            text_.erase(text_.size() - title.size());
            if (view_.state(map.state).assigned) others.push_back(map.state);
        }
    }
    for (const ir::StateId id : others) write_variable(id);
}

void PositionWriter::write_table(ir::StateId id) {
    const auto& looks = program().looks.places;
    if (const auto look = std::ranges::find(looks, id, &ir::PlaceLook::state); look != looks.end()) {
        const std::string rows = place_rows_of(view_, *look, screen_).lines(screen_.colour);
        text_ += rows;
        if (!rows.empty()) return;
    }
    const auto meeting = habits_.meetings.find(id);
    if (!is_track(program(), id)) return write_variable(id);
    text_ += track_of(view_, id, meeting == habits_.meetings.end() ? nullptr : &meeting->second, screen_)
                 .lines(screen_.colour);
}

// Nothing of dice that are not thrown. False: they are no dice.
bool PositionWriter::write_dice(ir::StateId id) {
    const auto rows = board::rows_for(view_, id, false);
    if (rows.empty()) return true;
    if (rows.front().chips.front().die < 0) return false;
    text_ += rows.front().label + ":";
    for (const board::Chip& chip : rows.front().chips) text_ += " " + die_sign(chip.die, screen_);
    text_ += "\n";
    return true;
}

// Short words stand together, as moves often write them: `12`, `♠A`.
std::string PositionWriter::key_text(ir::StateId id, std::uint64_t entry) const {
    std::string text;
    const auto& indices = view_.state(id).indices;
    for (std::size_t i = indices.size(); i-- > 0;) { // the last one varies fastest
        const std::uint64_t count = program().types.cardinality(indices[i]);
        const std::string word = view_.words(indices[i], program().types.value(indices[i], entry % count));
        entry /= count;
        text = word + (columns_of(word) > 2 && !text.empty() ? "," : "") + text;
    }
    std::erase(text, ' ');
    return text;
}

// What each player has, where many things may be theirs. False: it is no map of that kind.
bool PositionWriter::write_owned(ir::StateId id) {
    constexpr std::uint64_t few = 6;
    const ir::StateVariable& state = view_.state(id);
    const std::uint64_t count = game::entry_count(program(), state);
    if (count <= few || board::bare_kind(program(), state.value) != ir::TypeKind::Player) return false;
    std::vector<std::string> players;
    for (std::size_t player = 0; player < program().players.size(); ++player) {
        std::string things;
        for (std::uint64_t i = 0; i < count; ++i)
            if (view_.value(id, i) == static_cast<std::int64_t>(player)) things += " " + key_text(id, i);
        if (!things.empty()) players.push_back(program().players[player] + things);
    }
    const std::string line = fmt::format("{}: {}", state.name, fmt::join(players, ", "));
    const bool fits = columns_of(line) <= static_cast<int>(screen_.width);
    const std::string lines = fits ? line : fmt::format("{}:\n  {}", state.name, fmt::join(players, "\n  "));
    text_ += plain_text(players.empty() ? state.name + ": -" : lines, screen_) + "\n";
    return true;
}

void PositionWriter::write_variable(ir::StateId id) {
    if (!write_dice(id) && !write_owned(id))
        text_ += plain_text(game::variable_text(program(), view_.slots(), id), screen_);
}

bool is_owned(const ir::Program& program, ir::TypeId type) {
    const ir::Type& t = program.types[type];
    if (t.kind == ir::TypeKind::Optional || t.kind == ir::TypeKind::Tuple) return is_owned(program, t.parts.front());
    return t.kind == ir::TypeKind::Player;
}

// Whether there are men whose signs tell the players.
bool has_men(const View& view, const board::Roles& roles) {
    const ir::Program& program = view.program();
    const auto has_owned = [&](const BoardRole& role) {
        const auto& [marks, piles, pieces] = role.standing;
        return std::ranges::any_of(role.maps,
                                   [&](const auto& map) { return is_owned(program, view.state(map.state).value); }) ||
               std::ranges::any_of(piles, [&](ir::StateId id) { return is_owned(program, view.state(id).value); }) ||
               std::ranges::any_of(pieces, [&](const auto& piece) { return is_players_own(view, piece); });
    };
    return std::ranges::any_of(roles.tables, [&](ir::StateId id) { return is_track(program, id); }) ||
           std::ranges::any_of(roles.boards, has_owned);
}

// What stands before the name of who is to move, where it isn't a letter of that name.
std::string sign_of_player(const View& view, std::uint32_t player, const Screen& screen) {
    const Sign sign = signs_of(view, view.program().player_type, screen)[player];
    const game::Faces faces = game::faces_of(view.program(), view.program().player_type);
    if (sign.text == faces.texts[player]) return {};
    Characters shown;
    shown.write({}, sign.text, sign.colour);
    std::string text = shown.lines(screen.colour);
    text.back() = ' '; // instead of the line's end
    return text;
}

} // namespace

TerminalPositions::TerminalPositions(const game::Game& game, const Screen& screen)
    : screen_(screen), roles_(board::roles_of(game.program(), false)),
      internal_(board::internal_states(game.program())),
      travels_(board::travels_of(game, roles_.boards.empty() ? 0 : positions_tried)), habits_(habits_of(game)),
      sides_(sides_of(game, travels_)) {}

std::string TerminalPositions::text(game::Game& game, const game::State& state) const {
    std::vector<std::uint32_t> slots;
    game.executor().store(state, slots);
    const View view(game.program(), slots);
    PositionWriter writer(view, screen_, travels_, habits_);
    writer.write_boards(roles_);
    for (const std::string& sides : sides_)
        if (!sides.empty()) writer.write("sides: " + sides + "\n");
    for (const ir::StateId id : roles_.tables) writer.write_table(id);
    for (const ir::StateId id : roles_.ties) writer.write_variable(id);
    for (const ir::StateId id : roles_.texts)
        if (!internal_[index(id)]) writer.write_variable(id);
    if (game.kind(state) != game::NodeKind::Terminal && has_men(view, roles_))
        writer.write(sign_of_player(view, game.to_move(state), screen_));
    return writer.text() + game::status_text(game, state);
}

} // namespace zug::draw::terminal
