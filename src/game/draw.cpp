#include "game/draw.hpp"

#include "game/faces.hpp"
#include "game/position.hpp"
#include "ir/board_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::game {

using ir::TypeKind;

namespace {

class Drawing {
public:
    Drawing(const ir::Program& program, std::span<const std::uint32_t> slots, bool colour)
        : program_(program), slots_(slots), colour_(colour) {}

    // All but what is hidden.
    std::string all(const std::vector<bool>& hidden) {
        for (std::size_t s = 0; s < program_.states.size(); ++s)
            if (const auto id = static_cast<ir::StateId>(s); is_drawn(id)) board(id);
        for (std::size_t s = 0; s < program_.states.size(); ++s)
            if (const auto id = static_cast<ir::StateId>(s); !is_drawn(id) && (hidden.empty() || !hidden[s]))
                if (program_.states[id].assigned) out_ += variable_text(program_, slots_, id);
        return std::move(out_);
    }

private:
    // Maps on a board whose sites have coordinates, of values with faces.
    bool is_drawn(ir::StateId id) const {
        const ir::StateVariable& state = program_.states[id];
        if (!state.assigned || state.indices.size() != 1) return false;
        if (program_.types.kind(state.value) == TypeKind::Set) return false;
        if (program_.types.cardinality(state.value) > max_faces) return false;
        return ir::board_with_rows(program_, state.indices[0]) != nullptr;
    }

    std::string face(const ir::StateVariable& state, const Faces& faces, std::int64_t site) const {
        const std::uint32_t slot = slots_[state.first_slot + static_cast<std::size_t>(site)];
        const std::string& text = faces.texts[slot];
        const std::string pad(faces.width - characters(text).size(), ' ');
        const std::string on = colour_ ? colour_on(faces.colours[slot]) : "";
        return on.empty() ? pad + text : pad + on + text + std::string(colour_off);
    }

    void board(ir::StateId id);

    const ir::Program& program_;
    std::span<const std::uint32_t> slots_;
    bool colour_;
    std::string out_;
};

void Drawing::board(ir::StateId id) {
    const ir::StateVariable& state = program_.states[id];
    const ir::Board& board = *ir::board_with_rows(program_, state.indices[0]);
    const Faces faces = faces_of(program_, state.value);
    std::size_t drawn = 0;
    for (std::size_t other = 0; other < program_.states.size(); ++other)
        if (is_drawn(static_cast<ir::StateId>(other))) ++drawn;
    if (drawn > 1) out_ += state.name + ":\n";
    std::vector<std::string> cells;
    for (std::size_t site = 0; site < board.sites.size(); ++site)
        cells.push_back(face(state, faces, static_cast<std::int64_t>(site)));
    out_ += ir::board_text(board, cells, faces.width);
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
