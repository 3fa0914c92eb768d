// Draws positions on a terminal.

#include "game/faces.hpp"
#include "game/game.hpp"
#include "game/position.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace zug::game {

using ir::TypeKind;

namespace {

// The file letters of a site name such as `a12`, or empty if its name is not of that kind.
std::string file_letters(const std::string& name) {
    const auto end = std::ranges::find_if(name, [](unsigned char c) { return std::isalpha(c) == 0; });
    const bool plain = end != name.begin() && end != name.end() &&
                       std::all_of(end, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return plain ? std::string(name.begin(), end) : std::string();
}

class Drawing {
public:
    Drawing(const ir::Program& program, std::span<const std::uint32_t> slots, bool colour)
        : program_(program), slots_(slots), colour_(colour) {}

    std::string all() {
        for (std::size_t s = 0; s < program_.states.size(); ++s)
            if (const auto id = static_cast<ir::StateId>(s); is_drawn(id)) board(id);
        for (std::size_t s = 0; s < program_.states.size(); ++s)
            if (const auto id = static_cast<ir::StateId>(s); !is_drawn(id)) variable(id);
        return std::move(out_);
    }

private:
    const ir::Board& board_of(const ir::StateVariable& state) const {
        return program_.boards[static_cast<ir::BoardId>(program_.types[state.indices[0]].ref)];
    }

    // Maps on a board whose sites have coordinates, of values with faces.
    bool is_drawn(ir::StateId id) const {
        const ir::StateVariable& state = program_.states[id];
        if (!state.assigned || state.indices.size() != 1) return false;
        if (program_.types.kind(state.indices[0]) != TypeKind::Site) return false;
        if (program_.types.kind(state.value) == TypeKind::Set) return false;
        if (program_.types.cardinality(state.value) > max_faces) return false;
        const ir::Board& board = board_of(state);
        if (board.shape == ir::BoardShape::Ring || board.shape == ir::BoardShape::Graph) return false;
        return std::ranges::all_of(board.sites, [](const ir::Site& s) { return s.x >= 1 && s.y >= 1; });
    }

    std::string face(const ir::StateVariable& state, const Faces& faces, std::int64_t site) const {
        const std::uint32_t slot = slots_[state.first_slot + static_cast<std::size_t>(site)];
        const std::string& text = faces.texts[slot];
        const std::string pad(faces.width - characters(text).size(), ' ');
        const std::string on = colour_ ? colour_on(faces.colours[slot]) : "";
        return on.empty() ? pad + text : pad + on + text + std::string(colour_off);
    }

    void board(ir::StateId id);
    void row(const ir::StateVariable& state, const Faces& faces, std::int32_t y, std::size_t label_width);
    void files(const ir::Board& board, std::size_t spacing, std::size_t label_width);
    void variable(ir::StateId id);
    void map(ir::StateId id);

    const ir::Program& program_;
    std::span<const std::uint32_t> slots_;
    bool colour_;
    std::string out_;
};

bool is_hex(const ir::Board& board) {
    return board.shape == ir::BoardShape::Rhombus || board.shape == ir::BoardShape::Hexagon;
}

// Columns from one site to the next in a row. Even on a hex board, where the next row is shifted by half of it.
std::size_t spacing_of(const ir::Board& board, const Faces& faces) {
    const std::size_t spacing = faces.width + 1;
    return is_hex(board) ? spacing + spacing % 2 : spacing;
}

std::size_t offset_of(const ir::Board& board, std::size_t spacing, std::int32_t x, std::int32_t y) {
    const auto column = static_cast<std::size_t>(x - 1) * spacing;
    return is_hex(board) ? column + static_cast<std::size_t>(y) * (spacing / 2) : column;
}

void Drawing::board(ir::StateId id) {
    const ir::StateVariable& state = program_.states[id];
    const ir::Board& board = board_of(state);
    const Faces faces = faces_of(program_, state.value);
    std::size_t drawn = 0;
    for (std::size_t other = 0; other < program_.states.size(); ++other)
        if (is_drawn(static_cast<ir::StateId>(other))) ++drawn;
    if (drawn > 1) out_ += state.name + ":\n";
    std::int32_t height = 0;
    for (const ir::Site& site : board.sites) height = std::max(height, site.y);
    const std::size_t label_width = std::to_string(height).size();
    for (std::int32_t y = height; y >= 1; --y) row(state, faces, y, label_width);
    files(board, spacing_of(board, faces), label_width);
}

// The row's number is printed just before its first site.
void Drawing::row(const ir::StateVariable& state, const Faces& faces, std::int32_t y, std::size_t label_width) {
    const ir::Board& board = board_of(state);
    const std::size_t spacing = spacing_of(board, faces);
    std::map<std::int32_t, std::int64_t> sites;
    for (std::size_t i = 0; i < board.sites.size(); ++i)
        if (board.sites[i].y == y) sites[board.sites[i].x] = static_cast<std::int64_t>(i);
    if (sites.empty()) return;
    const std::int32_t first = is_hex(board) ? sites.begin()->first : 1;
    const std::size_t indent = is_hex(board) ? offset_of(board, spacing, first, y) : 0;
    std::string line = std::string(indent, ' ') + fmt::format("{:>{}} ", y, label_width);
    for (std::int32_t x = first; x <= sites.rbegin()->first; ++x) {
        if (x > first) line.append(spacing - faces.width, ' ');
        const auto it = sites.find(x);
        line += it == sites.end() ? std::string(faces.width, ' ') : face(state, faces, it->second);
    }
    out_ += line + '\n';
}

// File letters below the columns. On a hex board the columns slant, and a letter is printed where its column would
// continue; a hexagon, whose columns begin at different rows, has none.
void Drawing::files(const ir::Board& board, std::size_t spacing, std::size_t label_width) {
    if (board.shape == ir::BoardShape::Hexagon) return;
    std::map<std::int32_t, std::string> letters;
    for (const ir::Site& site : board.sites) {
        const std::string name = file_letters(site.name);
        if (name.empty()) return;
        letters[site.x] = name;
    }
    std::string line;
    for (const auto& [x, name] : letters) {
        // Aligned with the last character of the faces.
        const std::size_t end = label_width + offset_of(board, spacing, x, 0) + (is_hex(board) ? 2 : spacing);
        line.resize(std::max(line.size() + (line.empty() ? 0 : 1), end > name.size() ? end - name.size() : 0), ' ');
        line += name;
    }
    out_ += line + '\n';
}

void Drawing::variable(ir::StateId id) {
    const ir::StateVariable& state = program_.states[id];
    if (!state.assigned) return;
    if (!state.indices.empty()) return map(id);
    if (state.local && is_initial(program_, id, slots_, 0)) return;
    out_ += fmt::format("{}: {}\n", state.name, entry_text(program_, id, slots_, 0));
}

// A small map in full; of a larger one the entries that are not empty (none, false, 0, {}).
void Drawing::map(ir::StateId id) {
    const ir::StateVariable& state = program_.states[id];
    const std::uint64_t count = entry_count(program_, state);
    std::vector<std::string> entries;
    for (std::uint64_t index = 0; index < count && entries.size() < 64; ++index) {
        const std::string value = entry_text(program_, id, slots_, index);
        const bool empty = value == "none" || value == "false" || value == "0" || value == "{}";
        if (state.local && is_initial(program_, id, slots_, index)) continue;
        if (count <= 16 || !empty) entries.push_back(index_text(program_, state, index) + ' ' + value);
    }
    if (entries.empty() && state.local) return;
    out_ += fmt::format("{}: {}\n", state.name, entries.empty() ? "-" : fmt::format("{}", fmt::join(entries, ", ")));
}

} // namespace

std::string Game::draw(const State& state, bool colour) {
    const auto now = slots(state);
    std::string text = Drawing(program(), now, colour).all();
    const std::string& player = player_name(to_move(state));
    switch (kind(state)) {
    case NodeKind::Terminal: {
        std::vector<double> utilities(players());
        if (!payoffs(state, utilities)) return text + "game over\n";
        std::vector<std::string> results;
        for (std::uint32_t p = 0; p < players(); ++p)
            results.push_back(fmt::format("{} {:g}", player_name(p), utilities[p]));
        return text + fmt::format("game over: {}\n", fmt::join(results, ", "));
    }
    case NodeKind::Chance: return text + fmt::format("a chance event, {}'s turn\n", player);
    default: return text + fmt::format("{} to move\n", player);
    }
}

} // namespace zug::game
