#include "game/draw.hpp"

#include "game/faces.hpp"
#include "game/facts/standing.hpp"
#include "game/position.hpp"
#include "ir/board_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace zug::game {

using ir::TypeKind;

namespace {

class Drawing {
public:
    Drawing(const ir::Program& program, std::span<const std::uint32_t> slots, bool colour)
        : program_(program), slots_(slots), colour_(colour) {
        for (std::size_t b = 0; b < program.boards.size(); ++b)
            if (const auto id = static_cast<ir::BoardId>(b); ir::has_rows(program.boards[id]))
                if (Standing found = standing_on(program, id); !found.empty()) standing_.emplace(id, std::move(found));
        for (const auto& [board, standing] : standing_)
            for (const ir::StateId id : standing.states()) stands_.insert(id);
        for (std::size_t s = 0; s < program.states.size(); ++s) drawn_ += is_drawn(static_cast<ir::StateId>(s)) ? 1 : 0;
        drawn_ += standing_.size();
    }

    // All but what is hidden.
    std::string all(const std::vector<bool>& hidden) {
        for (std::size_t s = 0; s < program_.states.size(); ++s)
            if (const auto id = static_cast<ir::StateId>(s); is_drawn(id)) board(id);
        for (const auto& [id, standing] : standing_) board(id, standing);
        for (std::size_t s = 0; s < program_.states.size(); ++s) {
            const auto id = static_cast<ir::StateId>(s);
            if (is_drawn(id) || stands_.contains(id) || (!hidden.empty() && hidden[s])) continue;
            if (program_.states[id].assigned) out_ += variable_text(program_, slots_, id);
        }
        return std::move(out_);
    }

private:
    // Maps on a board whose sites have coordinates, of values with faces.
    bool is_drawn(ir::StateId id) const {
        if (stands_.contains(id)) return false;
        const ir::StateVariable& state = program_.states[id];
        if (!state.assigned || state.indices.size() != 1) return false;
        if (program_.types.kind(state.value) == TypeKind::Set) return false;
        if (program_.types.cardinality(state.value) > max_faces) return false;
        return ir::board_with_rows(program_, state.indices[0]) != nullptr;
    }

    // A sign on a board, in colour and without.
    struct Cell {
        std::string shown, bare;
    };
    void add(Cell& cell, const std::string& text, const std::string& colour) const {
        const std::string on = colour_ ? colour_on(colour) : "";
        cell.shown += on.empty() ? text : on + text + std::string(colour_off);
        cell.bare += text;
    }
    void title(const std::string& text) {
        if (drawn_ > 1) out_ += text + ":\n";
    }
    const Faces& faces_for(ir::TypeId type) {
        const auto [found, fresh] = faces_.try_emplace(type);
        if (fresh) found->second = faces_of(program_, type);
        return found->second;
    }
    void board(ir::StateId id);
    void board(ir::BoardId id, const Standing& standing);
    void rows(const ir::Board& board, const std::vector<Cell>& cells, std::size_t width);
    Cell standing_cell(const Standing& standing, std::size_t site);

    const ir::Program& program_;
    std::span<const std::uint32_t> slots_;
    bool colour_;
    std::map<ir::BoardId, Standing> standing_;
    std::set<ir::StateId> stands_; // the variables in these
    std::size_t drawn_ = 0;        // boards
    std::map<ir::TypeId, Faces> faces_;
    std::string out_;
};

void Drawing::rows(const ir::Board& board, const std::vector<Cell>& cells, std::size_t width) {
    std::vector<std::string> padded;
    for (const Cell& cell : cells)
        padded.push_back(std::string(width - characters(cell.bare).size(), ' ') + cell.shown);
    out_ += ir::board_text(board, padded, width);
}

void Drawing::board(ir::StateId id) {
    const ir::StateVariable& state = program_.states[id];
    const ir::Board& board = *ir::board_with_rows(program_, state.indices[0]);
    const Faces& faces = faces_for(state.value);
    title(state.name);
    std::vector<Cell> cells(board.sites.size());
    for (std::size_t site = 0; site < cells.size(); ++site) {
        const std::uint32_t slot = slots_[state.first_slot + site];
        add(cells[site], faces.texts[slot], faces.colours[slot]);
    }
    rows(board, cells, faces.width);
}

// A pile is its values, the lowest first. A mark is seen where nothing else is.
Drawing::Cell Drawing::standing_cell(const Standing& standing, std::size_t site) {
    Cell cell;
    const auto things = things_on(program_, slots_, standing, site);
    for (const Thing& thing : things) {
        const bool hidden = thing.kind == Thing::Kind::Mark && &thing != &things.back();
        if (thing.kind == Thing::Kind::Mark && !hidden) add(cell, standing.marks[thing.number].glyph, "");
        if (thing.kind == Thing::Kind::Pile) {
            const ir::StateVariable& state = program_.states[standing.piles[thing.number]];
            const Faces& faces = faces_for(state.value);
            const std::uint32_t slot = slots_[state.first_slot + thing.entry];
            add(cell, faces.texts[slot], faces.colours[slot]);
        }
        if (thing.kind != Thing::Kind::Piece) continue;
        const StandingPiece& piece = standing.pieces[thing.number];
        const auto& indices = program_.states[piece.state].indices;
        add(cell, piece.glyphs[thing.entry], indices.empty() ? "" : faces_for(indices[0]).colours[thing.entry]);
    }
    if (things.empty()) add(cell, ".", "");
    return cell;
}

void Drawing::board(ir::BoardId id, const Standing& standing) {
    std::string names;
    for (const ir::StateId state : standing.states())
        names += (names.empty() ? "" : ", ") + program_.states[state].name;
    title(names);
    std::vector<Cell> cells;
    std::size_t width = 1;
    for (std::size_t site = 0; site < program_.boards[id].sites.size(); ++site) {
        cells.push_back(standing_cell(standing, site));
        width = std::max(width, characters(cells.back().bare).size());
    }
    rows(program_.boards[id], cells, width);
}

// A small map in full; of a larger one the entries that are not empty (none, false, 0, {}).
std::string map_line(const ir::Program& program, std::span<const std::uint32_t> slots, ir::StateId id) {
    const ir::StateVariable& state = program.states[id];
    const std::uint64_t count = entry_count(program, state);
    std::vector<std::string> entries;
    for (std::uint64_t index = 0; index < count && entries.size() < 64; ++index) {
        const std::string value = entry_text(program, id, slots, index);
        const bool empty = value == "none" || value == "false" || value == "0" || value == "{}";
        if (state.local && is_initial(program, id, slots, index)) continue;
        if (count <= 16 || !empty) entries.push_back(index_text(program, state, index) + ' ' + value);
    }
    if (entries.empty() && state.local) return {};
    return fmt::format("{}: {}\n", state.name, entries.empty() ? "-" : fmt::format("{}", fmt::join(entries, ", ")));
}

} // namespace

std::string variable_text(const ir::Program& program, std::span<const std::uint32_t> slots, ir::StateId id) {
    const ir::StateVariable& state = program.states[id];
    if (!state.indices.empty()) return map_line(program, slots, id);
    if (state.local && is_initial(program, id, slots, 0)) return {};
    return fmt::format("{}: {}\n", state.name, entry_text(program, id, slots, 0));
}

std::string status_text(Game& game, const State& state) {
    const std::string& player = game.player_name(game.to_move(state));
    switch (game.kind(state)) {
    case NodeKind::Terminal: {
        std::vector<double> utilities(game.players());
        if (!game.payoffs(state, utilities)) return "game over\n";
        std::vector<std::string> results;
        for (std::uint32_t p = 0; p < game.players(); ++p)
            results.push_back(fmt::format("{} {:g}", game.player_name(p), utilities[p]));
        return fmt::format("game over: {}\n", fmt::join(results, ", "));
    }
    case NodeKind::Chance: return fmt::format("a chance event, {}'s turn\n", player);
    default: return fmt::format("{} to move\n", player);
    }
}

std::string Game::draw(const State& state, bool colour, const std::vector<bool>& hidden) {
    const auto now = slots(state);
    return Drawing(program(), now, colour).all(hidden) + status_text(*this, state);
}

} // namespace zug::game
