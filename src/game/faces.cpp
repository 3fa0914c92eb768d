#include "game/faces.hpp"

#include "base/colours.hpp"
#include "ir/glyphs.hpp"

#include <algorithm>
#include <array>

namespace zug::game {

using ir::TypeKind;

namespace {

constexpr std::array player_colours = {"white", "yellow", "green", "red", "blue", "magenta", "cyan"};

std::string colour_of(const ir::Program& program, ir::TypeId type, std::int64_t value) {
    if (const ir::Glyph* glyph = given_glyph(program, type, value); glyph != nullptr && !glyph->colour.empty())
        return glyph->colour;
    if (value == ir::none) return {};
    const ir::Type& t = program.types[type];
    if (t.kind == TypeKind::Optional) return colour_of(program, t.parts.front(), value);
    if (t.kind == TypeKind::Player) return player_colours[static_cast<std::size_t>(value) % player_colours.size()];
    if (t.kind == TypeKind::Tuple) return colour_of(program, t.parts.front(), program.types.project(type, value, 0));
    return {};
}

} // namespace

Faces faces_of(const ir::Program& program, ir::TypeId type) {
    Faces faces;
    const auto count = program.types.cardinality(type);
    if (count > max_faces) return faces;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::int64_t value = program.types.value(type, i);
        faces.texts.push_back(glyph_text(program, type, value));
        faces.colours.push_back(colour_of(program, type, value));
        faces.width = std::max(faces.width, characters(faces.texts.back()).size());
    }
    return faces;
}

const ir::Glyph* tuple_glyph(const ir::Program& program, ir::TypeId type, std::int64_t value) {
    if (program.types.kind(type) == TypeKind::Optional) type = program.types.inner(type);
    return value == ir::none || program.types.kind(type) != TypeKind::Tuple ? nullptr
                                                                            : given_glyph(program, type, value);
}

bool fits_rows(const ir::Program& program, ir::TypeId type) {
    if (program.types.kind(type) != TypeKind::Optional) return false;
    const Faces faces = faces_of(program, type);
    const std::vector<std::string> glyphs(faces.texts.begin() + (faces.texts.empty() ? 0 : 1), faces.texts.end());
    return !glyphs.empty() && std::ranges::all_of(glyphs, ir::fits_row) && !ir::ambiguous_glyphs(glyphs);
}

std::vector<std::string> characters(std::string_view text) {
    std::vector<std::string> result;
    for (char c : text) {
        const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (continues && !result.empty()) {
            result.back() += c;
        } else {
            result.emplace_back(1, c);
        }
    }
    return result;
}

std::string colour_on(std::string_view colour) {
    for (const auto& [name, code] : colours)
        if (name == colour) return "\x1b[" + std::string(code) + "m";
    return {};
}

} // namespace zug::game
