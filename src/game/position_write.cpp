#include "game/faces.hpp"
#include "game/position.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::game {

using ir::TypeKind;

bool is_row_board(const ir::Program& program, const ir::StateVariable& state) {
    if (state.indices.size() != 1 || program.types.kind(state.indices[0]) != TypeKind::Site) return false;
    const ir::Board& board = program.boards[static_cast<ir::BoardId>(program.types[state.indices[0]].ref)];
    const bool shaped = board.shape == ir::BoardShape::Grid || board.shape == ir::BoardShape::Rhombus ||
                        board.shape == ir::BoardShape::Hexagon;
    return shaped && fits_rows(program, state.value);
}

std::int64_t site_at(const ir::Board& board, std::int32_t x, std::int32_t y) {
    const auto it = std::ranges::find_if(board.sites, [&](const ir::Site& s) { return s.x == x && s.y == y; });
    return it == board.sites.end() ? -1 : it - board.sites.begin();
}

std::string last_field(const ir::Program& program) {
    const bool taken = std::ranges::any_of(program.states, [](const auto& state) { return state.name == "last"; });
    return taken ? "last_mover" : "last";
}

std::optional<std::int64_t> glyph_value(const ir::Program& program, ir::TypeId type, std::string_view text) {
    if (text.empty() || text == "none" || text == "-" || text.find_first_of(" \t,:;={}()[]/") != std::string_view::npos)
        return std::nullopt;
    std::optional<std::int64_t> value;
    for (const ir::Glyph& glyph : program.glyphs) {
        if (glyph.type != type || glyph.text != text) continue;
        if (value) return std::nullopt;
        value = glyph.value;
    }
    return value;
}

std::string compact_text(const ir::Program& program, ir::TypeId type, std::int64_t value) {
    if (const ir::Glyph* glyph = tuple_glyph(program, type, value);
        glyph != nullptr && glyph_value(program, glyph->type, glyph->text) == value)
        return glyph->text;
    std::string text = value_text(program, type, value);
    std::erase(text, ' ');
    return text;
}

std::string index_text(const ir::Program& program, const ir::StateVariable& state, std::uint64_t index) {
    std::string text;
    for (std::size_t i = state.indices.size(); i-- > 0;) {
        const auto size = program.types.cardinality(state.indices[i]);
        const std::string one =
            compact_text(program, state.indices[i], program.types.value(state.indices[i], index % size));
        text = text.empty() ? one : one + ',' + text;
        index /= size;
    }
    return state.indices.size() > 1 ? '(' + text + ')' : text;
}

std::uint64_t entry_count(const ir::Program& program, const ir::StateVariable& state) {
    std::uint64_t count = 1;
    for (auto type : state.indices) count *= program.types.cardinality(type);
    return count;
}

namespace {

std::span<const std::uint32_t> entry_slots(const ir::Program& program, ir::StateId id,
                                           std::span<const std::uint32_t> slots, std::uint64_t index) {
    const std::uint32_t width = slots_per_value(program, id);
    return slots.subspan(program.states[id].first_slot + index * width, width);
}

} // namespace

std::string entry_text(const ir::Program& program, ir::StateId id, std::span<const std::uint32_t> slots,
                       std::uint64_t index) {
    const ir::StateVariable& state = program.states[id];
    const auto at = entry_slots(program, id, slots, index);
    if (program.types.kind(state.value) != TypeKind::Set)
        return compact_text(program, state.value, program.types.value(state.value, at.front()));
    std::vector<std::string> members;
    const ir::TypeId element = program.types.inner(state.value);
    for (std::size_t i = 0; i < at.size(); ++i)
        if (at[i] != 0) members.push_back(compact_text(program, element, program.types.value(element, i)));
    return fmt::format("{{{}}}", fmt::join(members, ","));
}

bool is_initial(const ir::Program& program, ir::StateId id, std::span<const std::uint32_t> slots, std::uint64_t index) {
    const auto at = entry_slots(program, id, slots, index);
    const auto first = program.states[id].initial.begin() + static_cast<std::ptrdiff_t>(index * at.size());
    return std::equal(at.begin(), at.end(), first);
}

namespace {

std::string rows(const ir::Program& program, const ir::StateVariable& state, std::span<const std::uint32_t> slots) {
    const ir::Board& board = program.boards[static_cast<ir::BoardId>(program.types[state.indices[0]].ref)];
    const Faces faces = faces_of(program, state.value);
    std::string text;
    for (std::int32_t y = board.height; y >= 1; --y) {
        int gap = 0;
        auto end_gap = [&] {
            if (gap > 0) text += std::to_string(gap);
            gap = 0;
        };
        for (std::int32_t x = 1; x <= board.width; ++x) {
            const std::int64_t site = site_at(board, x, y);
            const std::uint32_t slot = site < 0 ? 0 : slots[state.first_slot + static_cast<std::size_t>(site)];
            if (slot == 0) {
                ++gap;
                continue;
            }
            end_gap();
            text += faces.texts[slot];
        }
        end_gap();
        if (y > 1) text += '/';
    }
    return text;
}

std::string differences(const ir::Program& program, ir::StateId id, std::span<const std::uint32_t> slots) {
    const ir::StateVariable& state = program.states[id];
    std::vector<std::string> entries;
    for (std::uint64_t index = 0; index < entry_count(program, state); ++index)
        if (!is_initial(program, id, slots, index))
            entries.push_back(index_text(program, state, index) + ':' + entry_text(program, id, slots, index));
    return fmt::format("{}", fmt::join(entries, ","));
}

} // namespace

std::string map_text(const ir::Program& program, ir::StateId id, std::span<const std::uint32_t> slots) {
    const ir::StateVariable& state = program.states[id];
    return is_row_board(program, state) ? rows(program, state, slots) : differences(program, id, slots);
}

namespace {

std::string write_general(const ir::Program& program, std::span<const std::uint32_t> slots) {
    std::string text;
    auto field = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    };
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& state = program.states[id];
        if (!state.assigned) continue;
        if (state.indices.empty()) {
            if (!is_initial(program, id, slots, 0)) field(state.name, entry_text(program, id, slots, 0));
        } else if (const std::string text = map_text(program, id, slots); !text.empty()) {
            field(state.name, text);
        }
    }
    field("turn", program.players[slots[program.slot_count]]);
    if (program.keeps_last) field(last_field(program), program.players[slots[program.slot_count + 1]]);
    return text;
}

} // namespace

// The file's own format may not express everything: variables of the current turn, values without a text.
std::string write_position(const ir::Program& program, std::span<const std::uint32_t> slots) {
    if (!program.position.empty()) {
        std::string own = write_own_position(program, slots);
        if (const auto back = read_position(program, own); back && std::ranges::equal(*back, slots)) return own;
    }
    return write_general(program, slots);
}

} // namespace zug::game
